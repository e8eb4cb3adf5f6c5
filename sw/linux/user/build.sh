#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Build the user space of `make linux`: build.sh BUILD_DIR KERNEL_SOURCE GENERATED_DIR PYTHON
#   BUILD_DIR      gets user.cpio, and symbols/ with the programs' symbols; up-to-date files are kept
#   KERNEL_SOURCE  the unpacked source, for tools/perf; gets our event lists
#   GENERATED_DIR  pmu-events/
#   PYTHON         of .venv, which has ziglang (scripts/setup --with linux)
set -euo pipefail

build=$1 source=$2 generated=$3 python=$4
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
root=$(cd "$here/../../.." && pwd)
jobs=$(nproc)
TALLY_ZIG=$("$python" -c 'import os, ziglang; print(os.path.join(os.path.dirname(ziglang.__file__), "zig"))') ||
  { echo "linux: .venv has no ziglang: scripts/setup --with linux" >&2; exit 1; }
export TALLY_ZIG
# Objects and zig's builds of its own library are kept by their tools; ccache asks zig-cc for nothing but its text.
export CCACHE_COMPILERCHECK=content ZIG_GLOBAL_CACHE_DIR=$build/zig
cc="$here/zig-cc"
command -v ccache >/dev/null && cc="ccache $cc"
log=$build/user.log
binutils=riscv64-linux-gnu-
mkdir -p "$build/symbols/bin"

# step NAME COMMAND...: its output goes to the log, whose end is shown if it fails
step() {
  local name=$1
  shift
  "$@" >"$log" 2>&1 || { tail -n 40 "$log" >&2; echo "linux: $name cannot be built; $log has all of it" >&2; exit 1; }
}

busybox() {
  local tree option options
  tree=$("$python" "$root/scripts/debian_source.py" busybox "$build/sources")
  [ "$here/busybox.config" -nt "$tree/busybox" ] || [ "${BASH_SOURCE[0]}" -nt "$tree/busybox" ] || return 0
  make -s -C "$tree" allnoconfig
  options=$(grep -v '^#' "$here/busybox.config")
  for option in $options; do
    sed -i "/^# CONFIG_$option is not set/d" "$tree/.config"
    echo "CONFIG_$option=y" >>"$tree/.config"
  done
  { yes '' || true; } | make -s -C "$tree" oldconfig
  for option in $options; do
    grep -q "^CONFIG_$option=y" "$tree/.config" || { echo "busybox has no option $option"; return 1; }
  done
  # It declares a pointer const that it writes later, and Clang may read it before: awk would end with a fault
  sed -i 's/^\(extern struct globals \*\)const \(ptr_to_globals;\)/\1\2/' "$tree/include/libbb.h"
  make -s -C "$tree" -j"$jobs" CC="$cc" HOSTCC=gcc AR="${binutils}ar" STRIP="${binutils}strip" LD="${binutils}ld" \
    SKIP_STRIP=y busybox busybox.links
  cp "$tree/busybox_unstripped" "$build/symbols/bin/busybox"
  sed 's,.*/,,' "$tree/busybox.links" >"$build/applets"
}

# Unpatched but for our event lists, which have the form of the others in tools/perf/pmu-events.
perf() {
  local events=$source/tools/perf/pmu-events/arch/riscv
  if ! diff -rq "$generated/pmu-events/tally" "$events/tally" >/dev/null 2>&1; then
    rm -rf "$events/tally"
    cp -r "$generated/pmu-events/tally" "$events/tally"
    touch "$events/mapfile.csv"
  fi
  grep -qxF "$(tail -n 1 "$generated/pmu-events/mapfile.csv")" "$events/mapfile.csv" ||
    tail -n 1 "$generated/pmu-events/mapfile.csv" >>"$events/mapfile.csv"
  mkdir -p "$build/perf"
  make -s -C "$source/tools/perf" O="$build/perf" -j"$jobs" ARCH=riscv CROSS_COMPILE= CC="$cc" HOSTCC=gcc \
    AR="${binutils}ar" LD="${binutils}ld" LDFLAGS=-static WERROR=0 EXTRA_CFLAGS=-O2 \
    NO_LIBELF=1 NO_LIBTRACEEVENT=1 NO_LIBPYTHON=1 NO_LIBPERL=1 NO_SLANG=1 NO_LIBNUMA=1 NO_LIBBPF=1 BUILD_BPF_SKEL=0 \
    NO_JVMTI=1 NO_LIBCRYPTO=1 NO_LIBUNWIND=1 NO_LIBDW_DWARF_UNWIND=1 NO_DEMANGLE=1 NO_AUXTRACE=1 NO_LIBZSTD=1 \
    NO_LZMA=1 NO_ZLIB=1 NO_LIBCAP=1 NO_LIBBABELTRACE=1 NO_LIBPFM4=1 NO_LIBDEBUGINFOD=1 NO_SDT=1 NO_GTK2=1 \
    NO_CAPSTONE=1 NO_BACKTRACE=1
  cp "$build/perf/perf" "$build/symbols/bin/perf"
}

host() {
  $cc -std=c11 -D_GNU_SOURCE -O2 -g -Wall -Wextra -Werror -I"$root/sw/program" -I"$root/tb" \
    "$here/host.c" "$root/sw/program/host.c" -o "$build/symbols/bin/host"
}

step busybox busybox
step perf perf
step host host

mkdir -p "$build/bin"
for program in busybox perf host; do
  # Local labels and mapping symbols are no functions; perf would show them.
  "${binutils}objcopy" --wildcard --strip-symbol='.L*' --strip-symbol='$*' "$build/symbols/bin/$program"
  "${binutils}strip" -o "$build/bin/$program" "$build/symbols/bin/$program"
done
# The shell runs busybox's programs by itself; xargs, timeout and perf look for files.
{
  cat <<LIST
dir /dev 755 0 0
nod /dev/console 600 0 0 c 5 1
nod /dev/ttyS0 600 0 0 c 4 64
nod /dev/tty 666 0 0 c 5 0
nod /dev/null 666 0 0 c 1 3
nod /dev/zero 666 0 0 c 1 5
nod /dev/mem 600 0 0 c 1 1
dir /proc 755 0 0
dir /sys 755 0 0
dir /tmp 1777 0 0
dir /root 700 0 0
dir /bin 755 0 0
file /init $here/init 755 0 0
file /bin/busybox $build/bin/busybox 755 0 0
file /bin/perf $build/bin/perf 755 0 0
file /bin/host $build/bin/host 755 0 0
LIST
  sed 's,.*,slink /bin/& busybox 777 0 0,' "$build/applets"
} >"$build/user.list"
"$build/gen_init_cpio" "$build/user.list" >"$build/user.cpio.new"
mv "$build/user.cpio.new" "$build/user.cpio"
