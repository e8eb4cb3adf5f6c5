#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Build the kernel and its only program: build.sh ARCHIVE BUILD_DIR GENERATED_DIR
#   ARCHIVE        Debian's linux-source-*.tar.xz, used as it is
#   BUILD_DIR      gets Image, init.cpio and everything in between; what is up to date is kept
#   GENERATED_DIR  tally_spec.h
set -euo pipefail

archive=$1 build=$2 generated=$3
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
source=$build/$(basename "$archive" .tar.xz)
cross=riscv64-linux-gnu-
jobs=$(nproc)

kernel() { make -s -C "$source" ARCH=riscv CROSS_COMPILE="$cross" O="$build/kernel" "$@"; }

# A new archive or a changed configuration begins anew; the compiler's cache keeps that short.
stamp=$(sha256sum "$here/kernel.config" | cut -c1-16)-$(stat -c %s "$archive")
if [ "$(cat "$build/stamp" 2>/dev/null)" != "$stamp" ]; then
  rm -rf "$build/kernel" "$source"
  mkdir -p "$build/kernel"
  echo "linux: unpacking $(basename "$archive")"
  tar -xJf "$archive" -C "$build"
  kernel tinyconfig
  (cd "$source" && ARCH=riscv scripts/kconfig/merge_config.sh -m -O "$build/kernel" "$build/kernel/.config" \
    "$here/kernel.config" >"$build/merge.log")
  kernel olddefconfig
  echo "$stamp" >"$build/stamp"
fi

# Kconfig drops what its other settings do not allow, without a word.
while read -r line; do
  grep -qx -e "$line" "$build/kernel/.config" || {
    [[ $line == "# CONFIG_"*" is not set" ]] && ! grep -q "^$(cut -d' ' -f2 <<<"$line")=" "$build/kernel/.config" && continue
    echo "linux: the kernel's configuration has lost: $line" >&2
    exit 1
  }
done < <(grep -E '^(CONFIG_|# CONFIG_)' "$here/kernel.config")

kernel -j"$jobs" Image headers
cp -u "$build/kernel/arch/riscv/boot/Image" "$build/Image"

"${cross}gcc" -march=rv64imac -mabi=lp64 -O2 -g -Wall -Wextra -Werror -static -nostdlib -nostdinc \
  -fno-stack-protector -fno-asynchronous-unwind-tables \
  -isystem "$("${cross}gcc" -print-file-name=include)" -isystem "$source/tools/include/nolibc" \
  -isystem "$build/kernel/usr/include" -I"$generated" "$here"/*.c "$here"/known.S -lgcc -o "$build/init"
"$build/kernel/usr/gen_init_cpio" - >"$build/init.cpio" <<LIST
dir /dev 755 0 0
nod /dev/console 600 0 0 c 5 1
dir /proc 755 0 0
file /init $build/init 755 0 0
LIST
