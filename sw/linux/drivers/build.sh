#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Build the drivers as modules, the kernel that loads them, tally-record, and programs of tests and benchmarks:
# build.sh BUILD_DIR KERNEL_SOURCE GENERATED_DIR PYTHON [CONFIG]
#   BUILD_DIR      of sw/linux; gets drivers/Image and drivers/user.cpio; up-to-date parts are kept
#   KERNEL_SOURCE  the unpacked source
#   GENERATED_DIR  tally_spec.h
#   PYTHON         of .venv, which has ziglang (scripts/setup --with linux)
#   CONFIG         debug: the kernel has debug.config too, and all is in drivers-debug
set -euo pipefail

build=$1 source=$2 generated=$3 python=$4 config=${5:-}
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
root=$(cd "$here/../../.." && pwd)
out=$build/drivers${config:+-$config}
mkdir -p "$out/module"

targets="Image modules"
# Not watched: what walks the stack at each lock and interrupt (there is no faster way on RISC-V), lockdep itself, and
# what compares each event's format at boot. They would take most of the time.
if [ "$config" = debug ]; then
  for object in stacktrace return_address extable lockdep debugobjects trace_events; do
    targets+=" KASAN_SANITIZE_$object.o=n"
  done
fi
"$here/../kernel.sh" "$source" "$out/kernel" "$targets" "$here/../kernel.config" "$here/kernel.config" \
  ${config:+"$here/$config.config"}
cp -u "$out/kernel/arch/riscv/boot/Image" "$out/Image"

# Events of the unit: name, selector, whether the cause is known
{
  echo "/* SPDX-License-Identifier: GPL-2.0 */"
  echo "/* Events of the unit: sw/linux/drivers/build.sh has taken them from tally_events.h. */"
  echo "static const struct tally_event tally_event_list[] = {"
  sed -En \
    's|^ +/\* [0-9]+ \*/ \{("[^"]+", 0x[0-9A-Fa-f]+)ULL,.*, (true\|false)\},|\t{ \1, \2 },|p' \
    "$generated/tally_events.h"
  echo "};"
} >"$out/tally_event_list.h"

# The numbers of the specification under the kernel's licence; a module is built where its sources are.
{
  echo "/* SPDX-License-Identifier: GPL-2.0 */"
  echo "/* Registers of the unit and their bits: sw/linux/drivers/build.sh has taken them from tally_spec.h. */"
  echo "#ifndef _TALLY_CSR_H"
  echo "#define _TALLY_CSR_H"
  registers='CSR_(S|U|SHPM)|COUNTER_SELECT|MHPMEVENT_|SEBBCTL_|UBESCR_|SHPMSDATA_|SSTATEEN0_|SPDIS|PDIS'
  grep -E "^#define TALLY_($registers|TYPE_|DSRC_)" "$generated/tally_spec.h"
  echo "#endif"
} >"$out/tally_csr.h"
for file in "$here"/*.[ch] "$here/Kbuild" "$out/tally_csr.h" "$out/tally_event_list.h"; do
  cmp -s "$file" "$out/module/$(basename "$file")" || cp "$file" "$out/module/"
done
make -s -C "$source" ARCH=riscv CROSS_COMPILE=riscv64-linux-gnu- O="$out/kernel" M="$out/module" KBUILD_MODPOST_WARN= \
  W=1 modules
for module in "$out"/module/*.ko; do
  riscv64-linux-gnu-strip --strip-debug -o "$out/$(basename "$module")" "$module"
done

TALLY_ZIG=$("$python" -c 'import os, ziglang; print(os.path.join(os.path.dirname(ziglang.__file__), "zig"))')
export TALLY_ZIG ZIG_GLOBAL_CACHE_DIR=$build/zig
"$root/sw/linux/user/zig-cc" -std=gnu11 -D_GNU_SOURCE -O2 -Wall -Wextra -Werror -I"$generated" -I"$root/firmware" \
  -I"$root/firmware/sbi" -I"$root/sw/supervisor" "$root"/tests/linux/driver/*.c \
  "$root"/sw/supervisor/{ebb_user.c,ebb_frame.S,counter_read.S} -o "$out/tally-test"
"$root/sw/linux/user/zig-cc" -std=gnu11 -D_GNU_SOURCE -O2 -Wall -Wextra -Werror -I"$generated" -I"$root/sw/host" -I"$root/tb" \
  "$root/sw/linux/user/record.c" -o "$out/tally-record"
"$root/sw/linux/user/zig-cc" -std=gnu11 -D_GNU_SOURCE -O2 -Wall -Wextra -Werror -I"$generated" -I"$root/firmware" \
  -I"$root/firmware/sbi" -I"$root/sw/supervisor" "$root/sw/bench/linux.c" \
  "$root"/sw/supervisor/{ebb_user.c,ebb_frame.S} -o "$out/tally-costs"

# Behind the other archive: the kernel unpacks both.
for program in tally-test tally-record tally-costs; do
  riscv64-linux-gnu-strip -o "$out/$program.stripped" "$out/$program"
done
"$build/gen_init_cpio" - >"$out/drivers.cpio" <<LIST
dir /lib 755 0 0
file /lib/riscv_tally.ko $out/riscv_tally.ko 644 0 0
file /bin/tally-test $out/tally-test.stripped 755 0 0
file /bin/tally-record $out/tally-record.stripped 755 0 0
file /bin/tally-costs $out/tally-costs.stripped 755 0 0
LIST
cat "$build/user.cpio" "$out/drivers.cpio" >"$out/user.cpio"
