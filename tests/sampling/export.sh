#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The records that a test of the driver left, through tally-profile: text, and perf.data as perf reads it.
#   export.sh TALLY_PROFILE RECORDS PROGRAM FUNCTION: FUNCTION must have most of the samples
set -euo pipefail
tool=$1 records=$2 program=$3 function=$4
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
"$tool" --brief --perf "$dir/perf.data" --html "$dir/page.html" "$records" "$program" | tee "$dir/brief"
grep -Eq "samples \(.*\): +([5-9][0-9]|100)\.[0-9] % $function" "$dir/brief"
samples=$(awk '{print $2}' "$dir/brief")
command -v perf >/dev/null || exit 0
# An access to memory is also in the event of its own.
[ "$(HOME=$dir perf script -i "$dir/perf.data" -F event,ip,sym 2>/dev/null | grep -vc 'memory:')" = "$samples" ]
HOME=$dir perf report -i "$dir/perf.data" --stdio --sort sym 2>/dev/null | grep -q "$function"
