#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The machine in SystemC agrees with the harness, to the cycle, with and without DMI; input comes through its socket.
# systemc.sh TALLY_SIM TALLY_SYSTEMC FIRMWARE WORKLOAD UART_EXIT_PROGRAM
set -u
sim=$1 systemc=$2 firmware=$3 workload=$4 echo=$5
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
failed=0

fail() {
  echo "FAIL: $*"
  failed=1
}

run() { # name, expected status, input, command
  name=$1 expected=$2 input=$3
  shift 3
  printf "$input" | "$@" >"$work/$name" 2>"$work/$name.err"
  status=$?
  [ "$status" = "$expected" ] || fail "status $status instead of $expected: $*: $(cat "$work/$name.err")"
}

cycles() { sed -n 's/.*: \([0-9]*\) cycles, .*/\1/p' "$work/$1.err"; }

run sim 0 '' "$sim" -bios "$firmware" -kernel "$workload"
run dmi 0 '' "$systemc" -bios "$firmware" -kernel "$workload"
run calls 0 '' "$systemc" -bios "$firmware" -kernel "$workload" --no-dmi
[ -s "$work/sim" ] || fail 'the workload says nothing'
for name in dmi calls; do
  cmp "$work/sim" "$work/$name" || fail "$name: the console differs"
  [ "$(cycles sim)" -gt 0 ] && [ "$(cycles sim)" = "$(cycles $name)" ] ||
    fail "$name: $(cycles $name) cycles, in the harness $(cycles sim)"
done
grep -q ' 1 calls of the RAM' "$work/dmi.err" || fail "DMI is not used: $(cat "$work/dmi.err")"

run echo 42 '*' "$systemc" -bios "$echo"
grep -q '^\*$' "$work/echo" || fail 'the byte did not come back'
run reset 0 R "$systemc" -bios "$echo"
run limit 4 '' "$systemc" -bios "$echo" --max-cycles 12345
[ "$(cycles limit)" = 12345 ] || fail "--max-cycles: $(cycles limit) cycles"
run refused 2 '' "$systemc" -bios "$echo" --lockstep
grep -q -- '--lockstep: only tally-sim' "$work/refused.err" || fail 'an option of tally-sim is not refused by name'

cat "$work/dmi.err"
[ $failed = 0 ] && echo ok
exit $failed
