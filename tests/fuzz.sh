#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Run a fuzzer of libFuzzer: fuzz.sh FUZZER SECONDS OPTIONS [SEEDS...]. The command SEEDS writes the first inputs into a
# folder, its last argument. The corpus is kept beside the fuzzer, so that runs build on each other.
set -eu
fuzzer=$1 seconds=$2 options=$3
shift 3
cd "$(dirname "$fuzzer")"
work=$PWD/corpus
mkdir -p "$work/seeds" "$work/found"
if [ $# -gt 0 ]; then "$@" "$work/seeds"; fi
# shellcheck disable=SC2086  # options are words
exec "$fuzzer" $options -max_total_time="$seconds" -timeout=10 -rss_limit_mb=1024 -print_final_stats=1 \
  -artifact_prefix="$work/" "$work/found" "$work/seeds"
