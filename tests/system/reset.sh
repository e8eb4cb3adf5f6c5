#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The reset button in the middle of a run: old contents of the hart's arrays (caches, TLBs, predictors, scoreboard,
# registers) must have no effect. A run behind it is compared with the golden models as any other, and prints the same.
# reset.sh TALLY_SIM TALLY_RAND FIRMWARE HELLO_PROGRAM SAMPLING_PROGRAM REMAINS_PROGRAM
set -u
sim=$1 rand=$2 firmware=$3 hello=$4 sampling=$5 remains=$6
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
failed=0

fail() {
  echo "FAIL: $*"
  cat "$work/err"
  failed=1
}

after() { # cycles before the reset, expected output, options
  cycles=$1 printed=$2
  shift 2
  "$sim" "$@" --lockstep --max-cycles 5000000 --reset-after "$cycles" </dev/null >"$work/out" 2>"$work/err" ||
    fail "status $?: $* --reset-after $cycles"
  grep -q 'lockstep: no difference' "$work/err" || fail "no lockstep: $*"
  [ "$(cat "$work/out")" = "$printed" ] || fail "$* --reset-after $cycles prints $(cat "$work/out")"
}

# Random programs: virtual memory, PMP, interrupts and misses on their way; instructions tagged; two harts
for seed in 1 2 5 6; do
  "$rand" --seed $seed --length 200 -o "$work/$seed.elf" || exit 1
done
for cycles in 1777 5003 12011; do
  after $cycles '' -bios "$work/1.elf"
  after $cycles '' -bios "$work/2.elf" --tags
  after $cycles '' -bios "$work/5.elf" -smp 2
  after $cycles '' -bios "$work/6.elf" -smp 2 --tags
done

# State that is right before the reset is wrong behind it (its first life does not end)
"$sim" -bios "$remains" --quiet --max-cycles 20000 </dev/null >"$work/out" 2>"$work/err"
[ $? = 4 ] || fail 'the first life ends'
after 5001 '' -bios "$remains"

# In the boot, and when the supervisor has ended
"$sim" -bios "$firmware" -kernel "$hello" --quiet --stop 250001 </dev/null >"$work/out" 2>"$work/err"
[ $? = 0 ] && [ "$(cat "$work/out")" = 'hello from S-mode' ] || fail 'the supervisor has not ended in 250001 cycles'
after 40009 'hello from S-mode' -bios "$firmware" -kernel "$hello"
after 250001 'hello from S-mode' -bios "$firmware" -kernel "$hello" -smp 2

# While instructions are sampled: memory has records when the reset comes
set -- -bios "$firmware" -kernel "$sampling" --delegate 0x78
"$sim" "$@" --quiet --max-cycles 250009 --records "$work/records" </dev/null >"$work/out" 2>"$work/err"
[ $? = 4 ] && [ ! -s "$work/out" ] && [ "$(wc -c <"$work/records")" -ge 4096 ] ||
  fail 'the program does not sample at cycle 250009'
after 250009 'PASS: one sample at a time' "$@"

[ "$failed" = 0 ] && echo ok
exit "$failed"
