#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Fuzz the reading of placements: fuzz.sh FUZZER SEEDS SECONDS. The corpus is kept beside the fuzzer, so that runs build on each other.
set -eu
fuzzer=$1 seeds=$2 seconds=$3
work=$(dirname "$fuzzer")/corpus
mkdir -p "$work/seeds" "$work/found"
"$seeds" "$work/seeds"
exec "$fuzzer" -max_total_time="$seconds" -max_len=8192 -timeout=10 -rss_limit_mb=1024 -print_final_stats=1 \
  -artifact_prefix="$work/" "$work/found" "$work/seeds"
