#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# scripts/setup has nothing to do on a machine that is set up, says so by silence, and is quick.
set -euo pipefail
root=$1

start=$(date +%s%N)
said=$("$root/scripts/setup")
took=$((($(date +%s%N) - start) / 1000000))
[ -z "$said" ] || { echo "setup was not a no-op: $said"; exit 1; }
[ "$took" -lt 1000 ] || { echo "setup took $took ms with nothing to do"; exit 1; }

# Every package says what it is for, and is there once.
list=$root/scripts/packages.txt
sed 1d "$list" | awk 'NF < 2 {print "no purpose: " $0; bad = 1} seen[$1]++ {print "twice: " $1; bad = 1} END {exit bad}'
if "$root/scripts/setup" --frobnicate 2>/dev/null; then
  echo "setup took an unknown argument"
  exit 1
fi
