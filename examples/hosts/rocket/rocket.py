#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Rocket with the unit as its own counters: examples/hosts/rocket/rocket.py --build DIR [--linux] [--convert] [--speed]

Installs the core's package, writes its Verilog to DIR/hosts/rocket with the module CSRFile under another name, and a
CSRFile with the same ports that has it and rocket_tally.v; builds that with Verilator. Runs count.c, and the firmware
with a workload, whose counts must be those of tally-iss. --linux: boots Linux instead, and compares what its
`perf stat` counts of a program with the harness's own counts. --convert: only writes. --speed: simulated kHz without
the unit and with it.
"""

import argparse
import pathlib
import re
import struct
import subprocess
import sys
import sysconfig

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))
import run as hosts  # noqa: E402

ROOT = HERE.parent.parent.parent
FIRMWARE, WORKLOAD, KERNEL, INITRD, TREE = 0x80000000, 0x80020000, 0x80200000, 0x82000000, 0x83000000
CYCLES, LINUX_CYCLES, SPEED_CYCLES = 20_000_000, 400_000_000, 1_000_000
# What `perf stat` counts, and the harness's name of it
PERF = {"instructions:u": "INST.RET", "branches:u": "INST.BRJMP.RET"}
CONFIG = "freechips.rocketchip.system.LitexLinuxConfig"
# Signals that rocket_tally changes on their way from the CSR file, and to it, and its other ports
OURS = {"io_rw_rdata": ("rdata", 64), "io_decode_0_read_illegal": ("illegal", 1), "io_csr_stall": ("stall", 1),
        "io_interrupt": ("irq", 1), "io_interrupt_cause": ("irq_cause", 64), "io_cause": ("cause", 64)}
PORTS = {"clk": "clock", "rst": "reset", "rw_addr_i": "io_rw_addr", "rw_cmd_i": "io_rw_cmd",
         "rw_wdata_i": "io_rw_wdata", "retire_i": "io_retire", "decode_inst_i": "io_decode_0_inst",
         "trace_valid_i": "io_trace_0_valid", "trace_exception_i": "io_trace_0_exception",
         "trace_pc_i": "io_trace_0_iaddr", "trace_insn_i": "io_trace_0_insn", "prv_i": "io_status_prv",
         "mie_i": "io_status_mie", "sie_i": "io_status_sie", "debug_i": "io_status_debug", "wfi_i": "io_status_wfi"}


def convert(text):
    """The core's Verilog with its CSRFile renamed, and a CSRFile around it."""
    head = re.search(r"^module CSRFile\(.*?^\);\n", text, flags=re.M | re.S)
    if not head:
        raise hosts.Failure("no module CSRFile")
    names = re.findall(r"^ *(?:input|output) +(?:\[[\d:]+\] +)?(\w+)", head[0], flags=re.M)
    inside = [f".{name}({OURS[name][0] if name in OURS else name})" for name in names]
    ours = [f".{ours}({port})" for ours, port in PORTS.items()]
    for port, (name, _) in OURS.items():
        outer, inner = ("i", "o") if re.search(rf"^ *input .*\b{port},", head[0], flags=re.M) else ("o", "i")
        ours += [f".{name}_{outer}({port})", f".{name}_{inner}({name})"]
    wrapper = [head[0], *(f"  wire [{width - 1}:0] {name};\n" for name, width in OURS.values()),
               f"  CSRFileOfRocket u_rocket ({', '.join(inside)});\n", f"  rocket_tally u_tally ({', '.join(ours)});\n",
               "endmodule\n"]
    return text.replace("module CSRFile(", "module CSRFileOfRocket(", 1) + "\n" + "".join(wrapper)


def program(folder, build, name="count"):
    image = folder / f"{name}.bin"
    flags = ["-march=rv64imac_zicsr", "-mabi=lp64", "-mcmodel=medany", "-O2", "-g", "-std=gnu11", "-Wall", "-Wextra",
             "-Werror", "-ffreestanding", "-fno-tree-loop-distribute-patterns", "-nostdlib", "-static", "-nostartfiles",
             "-Wl,--build-id=none,--no-warn-rwx-segments", f"-I{build / 'generated'}"]
    linker = (HERE.parent / "host.ld").read_text(encoding="utf-8").replace(". = 0;", ". = 0x80000000;")
    (folder / "rocket.ld").write_text(linker, encoding="utf-8")
    hosts.run(["riscv64-unknown-elf-gcc", *flags, f"-T{folder / 'rocket.ld'}", HERE / "entry.S", HERE / f"{name}.c",
               HERE.parent / "works.c", "-lgcc", "-o", folder / f"{name}.elf"])
    hosts.run(["riscv64-unknown-elf-objcopy", "-O", "binary", folder / f"{name}.elf", image])
    return image


def simulator(source, core, build, out):
    includes = [f"-I{path}" for path in (build / "generated", ROOT / "rtl/pmu", ROOT / "rtl/prim")]
    # Without warnings: the generated sources are Rocket's, as they come; `make lint` shows the unit's own.
    flags = ["-DSYNTHESIS", "-O3", "--x-assign", "fast", "--noassert", "-Wno-fatal", "-Wno-lint", "-Wno-style"]
    sources = [source, core / "generated-src" / f"{CONFIG}.behav_srams.v", core / "vsrc/plusarg_reader.v",
               core / "vsrc/EICG_wrapper.v", HERE / "rocket_tally.v", HERE / "rocket.vlt",
               *(build / "generated/adapt_sim.f").read_text(encoding="utf-8").split()]
    verilator = ["verilator", "--cc", *flags, "--top", "ExampleRocketSystem", "--prefix", "Vrocket", "--Mdir", out,
                 *includes, *sources]
    hosts.run(verilator)
    csrs = re.search(r"(\w+__DOT__csr)__DOT__io_trace_0_valid", (out / "Vrocket___024root.h").read_text("utf-8"))
    cflags = f"-O1 -std=c++17 -DCSRFILE={csrs[1]} -I{HERE.parent} -I{build / 'generated'}"
    hosts.run([*verilator, "--exe", "--build", "-CFLAGS", cflags, HERE / "rocket.cpp", "-o", "rocket"])
    return out / "rocket"


def binary(elf, folder):
    image = folder / f"{elf.stem}.bin"
    hosts.run(["riscv64-unknown-elf-objcopy", "-O", "binary", elf, image])
    return image


def tree(folder, entry, **chosen):
    """The device tree, and for the firmware where to go (OpenSBI's fw_dynamic)."""
    blob, info = folder / "rocket.dtb", folder / "next.bin"
    hosts.run(["dtc", "-q", "-I", "dts", "-O", "dtb", "-o", blob, HERE / "rocket.dts"])
    for name, words in chosen.items():
        hosts.run(["fdtput", *words[:2], blob, "/chosen", name.replace("__", ",").replace("_", "-"), *words[2:]])
    info.write_bytes(struct.pack("<6Q", 0x4942534F, 2, entry, 1, 0, 0))
    return [f"{blob}@{TREE}", f"{info}@{TREE - 64}"]


def counts(text):
    """The rows of a workload's table that both machines have."""
    rows = dict(re.findall(r"^ +([\d,]+) +(instructions|branches)\b", text, flags=re.M))
    return {name: number for number, name in rows.items()}


def run_firmware(executable, folder, build):
    def supervised(name):
        image = binary(build / f"sw/{name}.elf", folder)
        said = hosts.run([executable, CYCLES, f"{binary(firmware, folder)}@{FIRMWARE}", f"{image}@{WORKLOAD}",
                          *tree(folder, WORKLOAD)])
        print(said, end="", flush=True)
        return said

    firmware = build / "sw/firmware.elf"
    supervised("adapt_rdtime")
    found = counts(supervised("workload_sort"))
    expected = counts(hosts.run([build / "tally-iss", "-bios", firmware, "-kernel", build / "sw/workload_sort.elf"]))
    if len(expected) != 2 or found != expected:
        raise hosts.Failure(f"the golden machine counts {expected}, Rocket {found}")


def archive(folder, build):
    """perf of `make linux`, tests of sw/linux, what starts them, and what perf counts."""
    linux = build / "linux"
    flags = ["-march=rv64imac", "-mabi=lp64", "-O2", "-Wall", "-Wextra", "-Werror", "-ffreestanding", "-nostdlib",
             "-static"]
    hosts.run(["riscv64-unknown-elf-gcc", *flags, "-nostartfiles", HERE / "marked.S", HERE.parent / "works.c", "-lgcc",
               "-o", folder / "marked"])
    include = hosts.run(["riscv64-linux-gnu-gcc", "-print-file-name=include"]).strip()
    source = next(linux.glob("linux-source-*/tools/include/nolibc"))
    hosts.run(["riscv64-linux-gnu-gcc", *flags, "-fno-stack-protector", "-nostdinc", "-isystem", include, "-isystem",
               source, "-isystem", linux / "headers/usr/include", HERE / "first.c", "-lgcc", "-o", folder / "first"])
    (folder / "list").write_text(
        "dir /dev 755 0 0\nnod /dev/console 600 0 0 c 5 1\ndir /proc 755 0 0\ndir /sys 755 0 0\ndir /bin 755 0 0\n"
        f"file /init {folder / 'first'} 755 0 0\nfile /bin/perf {linux / 'bin/perf'} 755 0 0\n"
        f"file /bin/tests {linux / 'init'} 755 0 0\nfile /bin/marked {folder / 'marked'} 755 0 0\n", encoding="utf-8")
    made = subprocess.run([linux / "gen_init_cpio", folder / "list"], check=True, capture_output=True)
    (folder / "rocket.cpio").write_bytes(made.stdout)
    return folder / "rocket.cpio"


def follow(command):
    """Run it; its output is printed as it comes, and returned."""
    said = []
    with subprocess.Popen([str(word) for word in command], text=True, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT) as process:
        for line in process.stdout:
            print(line, end="", flush=True)
            said.append(line)
    if process.returncode:
        raise hosts.Failure(f"status {process.returncode}")
    return "".join(said)


def run_linux(executable, folder, build):
    image, initrd = build / "linux/Image", archive(folder, build)
    line = f"console=ttyS0 quiet -- stat -x, -e {','.join(PERF)} /bin/marked"
    chosen = {"bootargs": ("-t", "s", line),
              "linux__initrd_start": ("-t", "x", "0", f"{INITRD:x}"),
              "linux__initrd_end": ("-t", "x", "0", f"{INITRD + initrd.stat().st_size:x}")}
    said = follow([executable, LINUX_CYCLES, f"{binary(build / 'sw/firmware.elf', folder)}@{FIRMWARE}",
                   f"{image}@{KERNEL}", f"{initrd}@{INITRD}", *tree(folder, KERNEL, **chosen)])
    if "PASS: Linux perf" not in said:
        raise hosts.Failure("the tests of sw/linux fail")
    for event, name in PERF.items():
        perf = re.search(rf"^(\d+),,{event},", said, flags=re.M)
        ours = re.search(rf"^marked: (\d+) {re.escape(name)}$", said, flags=re.M)
        if not perf or not ours or perf[1] != ours[1]:
            raise hosts.Failure(f"{event}: perf {perf and perf[1]}, the trace {ours and ours[1]}")


def package():
    hosts.run([ROOT / "scripts" / "setup", "--with", "rocket"])
    return pathlib.Path(sysconfig.get_paths()["purelib"]) / "pythondata_cpu_rocket" / "verilog"


def original(core):
    return core / "generated-src" / f"{CONFIG}.v"


def converted(core, folder):
    """The file of the core's Verilog with the unit."""
    source = folder / "rocket.v"
    text = convert(original(core).read_text("utf-8"))
    if not source.exists() or source.read_text("utf-8") != text:  # Verilator goes by the file's time
        source.write_text(text, encoding="utf-8")
    return source


def speeds(build):
    """Simulated kHz: without the unit, with it."""
    folder, core = build / "hosts" / "rocket", package()
    folder.mkdir(parents=True, exist_ok=True)
    image = program(folder, build, "speed")

    def speed(executable):
        done = subprocess.run([executable, str(SPEED_CYCLES), f"{image}@{FIRMWARE}"], text=True, capture_output=True,
                              check=False)
        return re.search(r"([\d.]+) kHz", done.stdout)[1]  # the program has no end, so the status is not 0

    return (speed(simulator(original(core), core, build, folder / "bare")),
            speed(simulator(converted(core, folder), core, build, folder / "model")))


def main(argv):
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--build", type=pathlib.Path, required=True)
    parser.add_argument("--linux", action="store_true")
    parser.add_argument("--convert", action="store_true")
    parser.add_argument("--speed", action="store_true")
    args = parser.parse_args(argv)
    build = args.build.resolve()
    if args.linux and not (build / "linux" / "Image").exists():
        print(f"rocket: {build / 'linux'} has no kernel: `cmake --build {build} --target linux_image` builds it",
              file=sys.stderr)
        return 2
    folder = build / "hosts" / "rocket"
    folder.mkdir(parents=True, exist_ok=True)
    try:
        core = package()
        source = converted(core, folder)
        if args.speed:
            print("kHz without the unit, with it:", *speeds(build))
            return 0
        if args.convert:
            return 0
        executable = simulator(source, core, build, folder / "model")
        if args.linux:
            run_linux(executable, folder, build)
        else:
            print(hosts.run([executable, CYCLES, f"{program(folder, build)}@{FIRMWARE}"]), end="")
            run_firmware(executable, folder, build)
    except hosts.Failure as failure:
        print(f"rocket: {failure}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
