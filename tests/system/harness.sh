#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# tally-sim's own behaviour: exit statuses, console, limits, Ctrl-C, waves, trace and device tree.
# harness.sh TALLY_SIM UART_EXIT_PROGRAM LONG_PROGRAM
set -u
sim=$1 program=$2 long=$3
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
failed=0

fail() {
  echo "FAIL: $*"
  failed=1
}

run() { # expected status, input, options: output in $work/out, $work/err
  expected=$1 input=$2
  shift 2
  printf "$input" | "$sim" -bios "$program" "$@" >"$work/out" 2>"$work/err"
  status=$?
  [ "$status" = "$expected" ] || fail "status $status instead of $expected: $*: $(cat "$work/err")"
}

says() { # stream, pattern
  grep -q -- "$2" "$work/$1" || fail "'$2' is not in: $(cat "$work/$1")"
}

# the program's status, its console, and the summary
run 0 '\000' --quiet
[ -s "$work/err" ] && fail "--quiet is not quiet: $(cat "$work/err")"
run 42 '*'
says out '^\*$'
says err 'cycles, .* instructions'
run 200 '\310' --quiet
run 0 R --quiet
run 42 '*' --quiet -smp 2
run 42 '*' --quiet -smp 2 --lockstep
run 42 '*' --lockstep
says err 'lockstep: no difference'

# QEMU's habits, the version, completion
run 42 '*' --quiet -nographic
run 0 '' --version
says out '^tally-sim [0-9]'
words=$(bash -c "source <('$sim' --completion); COMP_CWORD=1; _tally_sim tally-sim --lock; echo \${COMPREPLY[*]}")
[ "$words" = '--lockstep --lockstep-threads' ] || fail "completion of --lock: $words"

# the end of the run: cycle, symbol, printed text; an earlier end is the program's own
run 0 '*' --stop 500
says err '^tally-sim: 500 cycles'
run 0 '*' --quiet --stop end
run 0 '*' --quiet --stop 'text:*' --lockstep
says out '^\*$'
run 42 '*' --quiet --stop 'text:**'
run 2 '*' --quiet --stop nowhere
says err nowhere

# variables of a program; where cycles go; records that are not there
run 2 '*' --quiet --set nowhere=1
says err 'no program has the symbol nowhere'
run 2 '*' --quiet --set end
says err 'SYMBOL=VALUE'
run 2 '*' --quiet --set end=x
says err 'not a number'
run 2 '*' --quiet --set end=0x10000000000000000
says err 'not a number of 64 bits'
run 42 '*' --quiet --where "$work/where" --cycles "$work/cycles"
grep -q '^pc 0 3 0x80000000 ' "$work/where" || fail "where: $(cat "$work/where")"
[ "$(($(wc -c <"$work/cycles") % 56))" = 0 ] || fail 'cycles are not seven words each'
run 2 '*' --quiet --records "$work/records"
says err tally_records

# an output file that is not whole
for output in trace konata cycles; do
  run 2 R --quiet --$output /dev/full
  says err '/dev/full: not everything could be written'
done
run 42 '*' --quiet --trace /dev/full

# a reset: earlier output is not shown, time begins anew, files are of the run behind it
run 42 '*' --reset-after 1001 --trace "$work/trace"
says out '^\*$'
says err 'cycles, .* instructions'
[ "$(grep -v '^#' "$work/trace" | awk '{ print $4; exit }')" = 0000000000001000: ] || fail "after reset: $(head "$work/trace")"
[ "$(grep -v '^#' "$work/trace" | awk '{ print $1; exit }')" -lt 100 ] || fail "after reset: $(head "$work/trace")"
run 2 '*' --reset-after 0
run 2 '*' --reset-after soon
says err 'not a positive number'

# a limit
run 4 '' --quiet --max-cycles 12345
says err 'after 12345 cycles'

# Ctrl-C ends cleanly and closes the wave file
"$sim" -bios "$program" --wave "$work/int.fst" --wave-to 2000 </dev/null >"$work/out" 2>"$work/err" &
pid=$!
sleep 1
kill -INT $pid
wait $pid
status=$?
[ "$status" = 130 ] || fail "status $status after SIGINT"
says err interrupted

waves() { # file, first and last time stamp
  if ! command -v fst2vcd >/dev/null; then
    return
  fi
  fst2vcd "$1" >"$work/vcd" 2>/dev/null || fail "$1 is not a wave file"
  first=$(grep -m1 '^#' "$work/vcd") last=$(grep '^#' "$work/vcd" | tail -n 1)
  [ "$first $last" = "$2 $3" ] || fail "window of $1: $first to $last instead of $2 to $3"
}
waves "$work/int.fst" '#5' '#20000'

# windows by cycle, by pc and by symbol
run 42 '*' --quiet --wave "$work/a.fst" --wave-from 100 --wave-to 200
waves "$work/a.fst" '#1005' '#2000'
run 42 '*' --quiet --wave "$work/b.fst" --wave-from pc:0x80000000 --wave-to end --trace "$work/trace"
start=$(awk '$4 == "0000000080000000:" { print $1; exit }' "$work/trace")
end=$(awk '$0 ~ /1c3[0-9a-f]*\]|store32 \[0000000000100000/ { print $1 }' "$work/trace" | tail -n 1)
waves "$work/b.fst" "#${start}5" "#${end}0"
says vcd u_hart
run 42 '*' --quiet --wave "$work/c.fst" --wave-from 10 --wave-to 200 --lockstep
waves "$work/c.fst" '#105' '#2000'
says vcd u_golden
run 2 '*' --quiet --wave "$work/no/such.fst"
says err "$work/no/such.fst"
run 2 '*' --quiet --wave "$work/d.fst" --wave-from nowhere
says err nowhere
run 2 '*' --quiet --trace "$work/no/such"
says err "$work/no/such"

# the trace has every instruction that the summary counts
run 42 '*' --trace "$work/trace"
lines=$(grep -vc '^#' "$work/trace")
says err " $lines instructions"

# the device tree
for harts in 1 2; do
  "$sim" --dump-dtb "$work/dtb" -smp $harts -append "root=/dev/null" || fail "--dump-dtb"
  dtc -q -I dtb -O dts "$work/dtb" >"$work/dts" || fail "dtc does not read the device tree"
  says dts 'bootargs = "root=/dev/null"'
  [ "$(grep -c 'device_type = "cpu"' "$work/dts")" = $harts ] || fail "harts in the device tree"
done

# a long program under a limit of its cycles
"$sim" -bios "$long" --quiet --max-cycles 1000 </dev/null >/dev/null 2>&1
[ $? = 4 ] || fail "program under a limit"

[ "$failed" = 0 ] && echo ok
exit "$failed"
