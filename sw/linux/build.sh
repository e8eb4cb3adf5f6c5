#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Build what user space needs above every kernel, and the program that tests perf events:
# build.sh ARCHIVE BUILD_DIR GENERATED_DIR
#   ARCHIVE        Debian's linux-source-*.tar.xz, used as it is
#   BUILD_DIR      gets the unpacked source, headers/, gen_init_cpio and init.cpio; up-to-date files are kept
#   GENERATED_DIR  tally_spec.h
set -euo pipefail

archive=$1 build=$2 generated=$3
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
source=$build/$(basename "$archive" .tar.xz)
cross=riscv64-linux-gnu-

if [ "$(cat "$build/stamp" 2>/dev/null)" != "$(stat -c %s "$archive")" ]; then
  rm -rf "$source"
  echo "linux: unpacking $(basename "$archive")"
  mkdir -p "$build"
  tar -xJf "$archive" -C "$build"
  stat -c %s "$archive" >"$build/stamp"
fi
# Neither depends on a kernel's configuration.
make -s -C "$source" ARCH=riscv O="$build/headers" headers
gcc -O2 "$source/usr/gen_init_cpio.c" -o "$build/gen_init_cpio"

"${cross}gcc" -march=rv64imac -mabi=lp64 -O2 -g -Wall -Wextra -Werror -static -nostdlib -nostdinc \
  -fno-stack-protector -fno-asynchronous-unwind-tables \
  -isystem "$("${cross}gcc" -print-file-name=include)" -isystem "$source/tools/include/nolibc" \
  -isystem "$build/headers/usr/include" -I"$generated" "$here"/*.c "$here"/known.S -lgcc -o "$build/init"
"$build/gen_init_cpio" - >"$build/init.cpio" <<LIST
dir /dev 755 0 0
nod /dev/console 600 0 0 c 5 1
dir /proc 755 0 0
file /init $build/init 755 0 0
LIST
