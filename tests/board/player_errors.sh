#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Error messages of scripts/player.py. player_errors.sh PLAYER... (the command up to the simulation)
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
failed=0

expect() { # status, text, arguments
  status=$1 text=$2
  shift 2
  "$@" >"$work/out" 2>&1
  got=$?
  if [ $got != "$status" ] || ! grep -q -- "$text" "$work/out"; then
    echo "FAIL: status $got instead of $status, or no '$text': $*"
    cat "$work/out"
    failed=1
  fi
}

expect 0 '^0x0000000000000000$' "$@" csr mhpmcounter3
expect 0 '^0x0000000000000000$' "$@" csr mhpmcounter6 5
expect 1 '^illegal$' "$@" csr hpmcounter3 5
expect 2 'no CSR has this name' "$@" csr nonsense
expect 2 'the unit on this board does not have it' "$@" csr mscratch
expect 2 'mhpmcounter3x: no CSR' "$@" csr mhpmcounter3x
expect 2 'not a number' "$@" csr mhpmcounter3 five
expect 2 'No such file' "$@" play "$work/nothing"
echo 'retire LOAD 3' >"$work/good"
expect 0 'minstret .* 3$' "$@" play "$work/good"
echo 'retire NOTHING 3' >"$work/bad"
expect 2 'line 1: NOTHING: no retire event' "$@" play "$work/bad"
printf 'stall 3\nwait 3\n' >"$work/bad"
expect 2 'line 2: not ' "$@" play "$work/bad"
echo 'stall -5' >"$work/bad"
expect 2 'line 1: -5 times' "$@" play "$work/bad"
printf '\377' >"$work/bad"
expect 2 'not a text file' "$@" play "$work/bad"
expect 2 '2^64' "$@" csr mhpmcounter3 -1
expect 2 '2^64' "$@" csr mhpmcounter3 0x10000000000000000
echo 'stall 100000' >"$work/long"
expect 2 'the memory holds 255' "$@" play "$work/long"
[ $failed = 0 ] && echo ok
exit $failed
