#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Fuzz the reading of checkpoints: fuzz.sh FUZZER SECONDS. The corpus is kept beside the fuzzer, so that runs build on each other.
set -eu
fuzzer=$1 seconds=$2
work=$(dirname "$fuzzer")/corpus
mkdir -p "$work"
cd "$(dirname "$fuzzer")"
exec "$fuzzer" -max_total_time="$seconds" -max_len=64 -len_control=0 -timeout=10 -rss_limit_mb=1024 -print_final_stats=1 \
  -artifact_prefix="$work.failed." "$work"
