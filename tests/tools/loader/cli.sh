#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# tally-sim with bad files and options: exit status 2, nothing on standard output, one line that names the culprit.
set -u
sim=$1
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
failed=0

expect() { # pattern of the line, then the arguments
  word=$1
  shift
  "$sim" "$@" >"$work/out" 2>"$work/err" </dev/null
  status=$?
  lines=$(wc -l <"$work/err")
  if [ "$status" != 2 ] || [ -s "$work/out" ] || [ "$lines" != 1 ] || ! grep -qF -- "$word" "$work/err"; then
    echo "FAIL: tally-sim $*: status $status, $lines lines:"
    cat "$work/err"
    failed=1
  fi
}

: >"$work/empty.elf"
echo 'not an ELF file' >"$work/text"
head -c 30 "$sim" >"$work/cut"
expect "$work/absent" -bios "$work/absent"
expect "$work: is a directory" -bios "$work"
expect "$work/empty.elf: empty" -bios "$work/empty.elf"
expect "$work/text: not an ELF" -kernel "$work/text"
expect "$sim: for another machine" -bios "$sim"
expect "$work/cut: cut short" -bios "$work/cut"
expect "/dev/null: not a regular file" -bios /dev/null
expect "nothing to run" --quiet
expect "'-frobnicate'" -frobnicate
expect "'3'" -bios "$work/text" -smp 3
expect "'12Q'" -bios "$work/text" -m 12Q
expect "--wave" -bios "$work/text" --wave-from 12
expect "--cycles: of one hart" -bios "$work/text" --cycles "$work/out" -smp 2
[ "$failed" = 0 ] && echo ok
exit "$failed"
