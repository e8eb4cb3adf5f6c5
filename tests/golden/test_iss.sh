#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# tally-iss as a user meets it: exit statuses, messages, trace, and the workloads.
# usage: test_iss.sh <tally-iss> <directory of firmware.elf and workload_*.elf>
set -u
iss=$1
programs=$2
dir=$(mktemp -d) || exit 1
trap 'rm -rf "$dir"' EXIT
failed=0

# check <what> <expected status> <pattern in the output> <arguments of tally-iss>
check() {
    what=$1 want=$2 pattern=$3
    shift 3
    "$iss" "$@" </dev/null >"$dir/out" 2>&1
    got=$?
    if [ $got -ne "$want" ]; then
        echo "$what: exit status $got, expected $want"
        failed=1
    fi
    if ! grep -q -- "$pattern" "$dir/out"; then
        echo "$what: '$pattern' is not in the output:"
        cat "$dir/out"
        failed=1
    fi
}

# lui t0, 0x100; lui t1, 0x73; addi t1, t1, 0x333; sw t1, 0(t0); j .   = finisher, failure with code 7
printf '\267\002\020\000\067\063\007\000\023\003\063\063\043\240\142\000\157\000\000\000' >"$dir/seven.bin"
# ... lui t1, 0x1003 = code 256
printf '\267\002\020\000\067\063\000\001\023\003\063\063\043\240\142\000\157\000\000\000' >"$dir/large.bin"
# j .
printf '\157\000\000\000' >"$dir/forever.bin"
# wfi; j .-4
printf '\163\000\120\020\157\360\337\377' >"$dir/sleep.bin"

check "exit code of the program" 7 "exit status 7" -bios "$dir/seven.bin"
"$iss" -bios "$dir/seven.bin" --quiet </dev/null >"$dir/out" 2>&1
[ $? -ne 7 ] || [ -s "$dir/out" ] && echo "--quiet prints something" && failed=1
check "exit code above 255" 255 "exit status 255" -bios "$dir/large.bin"
check "limit" 4 "limit reached" -bios "$dir/forever.bin" --max-instructions 1000
check "limit by its other name" 4 "1000 instructions" -bios "$dir/forever.bin" --max-cycles 1000
check "limit while waiting" 4 "limit reached" -bios "$dir/sleep.bin" --max-instructions 1000000000
check "nothing to run" 2 "nothing to run"
check "unknown option" 2 "not an option" --frobnicate
check "no such file" 2 "missing.elf" -bios "$dir/missing.elf"
check "not a program" 2 "not an ELF file" -bios "$0"
check "two harts" 7 "exit status 7" -bios "$dir/seven.bin" -smp 2
check "waves" 2 "tally-sim" -bios "$dir/seven.bin" --wave "$dir/x.fst"
check "reset button" 2 "tally-sim" -bios "$dir/seven.bin" --reset-after 10
check "help" 0 "usage: tally-iss" --help
check "trace" 7 "exit status" -bios "$dir/seven.bin" --trace "$dir/trace"
for line in ' 0 0 M 0000000000001000: 00000297 x5=0000000000001000' \
    ' 8 0 M 0000000080000008: 33330313 x6=0000000000073333' \
    ' 9 0 M 000000008000000c: 0062a023 store32 .*=73333'; do
    if ! grep -q "$line" "$dir/trace"; then
        echo "trace has no line '$line'"
        failed=1
    fi
done

ran=0
for program in "$programs"/workload_*.elf; do
    [ -f "$program" ] || continue
    check "$(basename "$program")" 0 "as computed" -bios "$programs/firmware.elf" -kernel "$program" --max-instructions 100000000
    ran=$((ran + 1))
done
echo "$ran workloads"
[ "$ran" -gt 0 ] || failed=1
exit $failed
