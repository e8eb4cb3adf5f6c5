#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Configure a kernel and build its Image: kernel.sh SOURCE OUT TARGETS CONFIG...
#   SOURCE   the unpacked source, which is not changed
#   OUT      everything that is built; up-to-date files are kept
#   TARGETS  of the kernel's makefile, separated by spaces
#   CONFIG   settings on top of tinyconfig, in files; the last one wins
set -euo pipefail

source=$1 out=$2 targets=$3
shift 3
cross=riscv64-linux-gnu-
cache=$(command -v ccache || true)
kernel() {
  make -s -C "$source" ARCH=riscv CROSS_COMPILE=$cross CC="${cache:+ccache }${cross}gcc" HOSTCC="${cache:+ccache }gcc" \
    O="$out" "$@"
}

# A changed configuration or source begins anew; the compiler's cache keeps that short.
stamp=$(cat "$@" "$source/Makefile" | sha256sum | cut -c1-16)
if [ "$(cat "$out/stamp" 2>/dev/null)" != "$stamp" ]; then
  rm -rf "$out"
  mkdir -p "$out"
  kernel tinyconfig
  (cd "$source" && ARCH=riscv scripts/kconfig/merge_config.sh -m -O "$out" "$out/.config" "$@" >"$out/merge.log")
  kernel olddefconfig
  echo "$stamp" >"$out/stamp"
fi

# Kconfig silently drops settings that others do not allow. A later file may change an earlier one's line.
awk '/^CONFIG_/ { split($0, part, "="); last[part[1]] = $0 } /^# CONFIG_.* is not set/ { last[$2] = $0 }
     END { for (name in last) print last[name] }' "$@" | while read -r line; do
  grep -qx -e "$line" "$out/.config" || {
    [[ $line == "# CONFIG_"*" is not set" ]] && ! grep -q "^$(cut -d' ' -f2 <<<"$line")=" "$out/.config" && continue
    echo "linux: the kernel's configuration has lost: $line" >&2
    exit 1
  }
done
# shellcheck disable=SC2086 # several words
kernel -j"$(nproc)" $targets
