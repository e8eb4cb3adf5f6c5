#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Rocket with the unit as its own counters: examples/hosts/rocket/rocket.py --build DIR

Installs the core's package, writes its Verilog to DIR/hosts/rocket with the module CSRFile under another name, and a
CSRFile with the same ports that has it and rocket_tally.v; builds that with Verilator and runs count.c. --convert:
only writes.
"""

import argparse
import pathlib
import re
import sys
import sysconfig

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))
import run as hosts  # noqa: E402

ROOT = HERE.parent.parent.parent
CONFIG = "freechips.rocketchip.system.LitexLinuxConfig"
# What rocket_tally changes on its way from the CSR file, and to it, and its other ports
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


def program(folder, build):
    image = folder / "count.bin"
    flags = ["-march=rv64imac_zicsr", "-mabi=lp64", "-mcmodel=medany", "-O2", "-g", "-std=gnu11", "-Wall", "-Wextra",
             "-Werror", "-ffreestanding", "-fno-tree-loop-distribute-patterns", "-nostdlib", "-static", "-nostartfiles",
             "-Wl,--build-id=none,--no-warn-rwx-segments", f"-I{build / 'generated'}"]
    linker = (HERE.parent / "host.ld").read_text(encoding="utf-8").replace(". = 0;", ". = 0x80000000;")
    (folder / "rocket.ld").write_text(linker, encoding="utf-8")
    hosts.run(["riscv64-unknown-elf-gcc", *flags, f"-T{folder / 'rocket.ld'}", HERE / "entry.S", HERE / "count.c",
               HERE.parent / "works.c", "-lgcc", "-o", folder / "count.elf"])
    hosts.run(["riscv64-unknown-elf-objcopy", "-O", "binary", folder / "count.elf", image])
    return image


def simulator(source, core, folder, build):
    includes = [f"-I{path}" for path in (build / "generated", ROOT / "rtl/pmu", ROOT / "rtl/prim")]
    # Without warnings: the generated sources are Rocket's, as they come; `make lint` shows the unit's own.
    flags = ["-DSYNTHESIS", "-O3", "--x-assign", "fast", "--noassert", "-Wno-fatal", "-Wno-lint", "-Wno-style"]
    sources = [source, core / "generated-src" / f"{CONFIG}.behav_srams.v", core / "vsrc/plusarg_reader.v",
               core / "vsrc/EICG_wrapper.v", HERE / "rocket_tally.v", HERE / "rocket.vlt",
               *(build / "generated/adapt_sim.f").read_text(encoding="utf-8").split()]
    out = folder / "model"
    verilator = ["verilator", "--cc", *flags, "--top", "ExampleRocketSystem", "--prefix", "Vrocket", "--Mdir", out,
                 *includes, *sources]
    hosts.run(verilator)
    tally = re.search(r"(\w+__DOT__u_tally)__DOT__trace_valid_i", (out / "Vrocket___024root.h").read_text("utf-8"))
    cflags = f"-O1 -std=c++17 -DCSRS={tally[1]} -I{HERE.parent} -I{build / 'generated'}"
    hosts.run([*verilator, "--exe", "--build", "-CFLAGS", cflags, HERE / "rocket.cpp", "-o", "rocket"])
    return out / "rocket"


def main(argv):
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--build", type=pathlib.Path, required=True)
    parser.add_argument("--convert", action="store_true")
    args = parser.parse_args(argv)
    build = args.build.resolve()
    folder = build / "hosts" / "rocket"
    folder.mkdir(parents=True, exist_ok=True)
    try:
        hosts.run([ROOT / "scripts" / "setup", "--with", "rocket"])
        core = pathlib.Path(sysconfig.get_paths()["purelib"]) / "pythondata_cpu_rocket" / "verilog"
        source = folder / "rocket.v"
        source.write_text(convert((core / "generated-src" / f"{CONFIG}.v").read_text("utf-8")), encoding="utf-8")
        if not args.convert:
            image = program(folder, build)
            print(hosts.run([simulator(source, core, folder, build), image]), end="")
    except hosts.Failure as failure:
        print(f"rocket: {failure}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
