#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Fuzz tally-profile's records: fuzz.sh FUZZER PROGRAM PYTHON SECONDS. The corpus is kept beside the fuzzer, so that runs
# build on each other.
set -eu
fuzzer=$1 program=$2 python=$3 seconds=$4
work=$(dirname "$fuzzer")/corpus
mkdir -p "$work/seeds" "$work/found"
"$python" "$(dirname "$0")/fuzz_seeds.py" "$work/seeds"
export TALLY_PROFILE_PROGRAM="$program"
exec "$fuzzer" -max_total_time="$seconds" -max_len=4096 -timeout=10 -rss_limit_mb=1024 -print_final_stats=1 \
  -artifact_prefix="$work/" "$work/found" "$work/seeds"
