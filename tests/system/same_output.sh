#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Two runs must say the same: same_output.sh "FIRST COMMAND" "SECOND COMMAND". Standard output and exit status are
# compared; the programs print their own cycle counts, so a difference of one cycle shows.
set -u
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
sh -c "$1" >"$work/a" 2>"$work/a.err" </dev/null
a=$?
sh -c "$2" >"$work/b" 2>"$work/b.err" </dev/null
b=$?
cat "$work/a"
if [ "$a" != 0 ] || [ "$b" != 0 ] || ! [ -s "$work/a" ] || ! cmp "$work/a" "$work/b"; then
  echo "FAIL: status $a and $b"
  diff "$work/a" "$work/b"
  cat "$work/a.err" "$work/b.err"
  exit 1
fi
echo ok
