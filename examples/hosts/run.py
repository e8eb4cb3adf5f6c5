#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Build and run an example host: examples/hosts/run.py --build DIR HOST... [--speed]

For each host (hosts.yaml): installs the core's package, compiles the program, builds the host with Verilator and
the golden unit, runs it in lockstep, and reads its samples with tally-profile, which must find the store in the loop.
--speed: also the simulated kHz, with the golden unit, without it, and without the unit. Results: DIR/hosts/HOST.
"""

import argparse
import pathlib
import re
import subprocess
import sys
import sysconfig

import yaml

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent


class Failure(Exception):
    """One line says why."""


def run(command, **options):
    done = subprocess.run([str(word) for word in command], text=True, check=False, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, **options)
    if done.returncode:
        raise Failure(f"status {done.returncode}: {' '.join(map(str, command))[:200]}\n{done.stdout[-3000:]}")
    return done.stdout


def program(host, name, folder, build, *defines):
    """The program as ELF, and as words for $readmemh."""
    elf, words = (folder / f"{'-'.join(('demo', *defines))}.{kind}" for kind in ("elf", "hex"))
    run(["riscv64-unknown-elf-gcc", f"-march={host['march']}", "-misa-spec=2.2", "-mabi=ilp32", "-O2", "-g",
         "-std=gnu11", "-Wall", "-Wextra", "-Werror", "-ffreestanding", "-fno-tree-loop-distribute-patterns",
         "-nostdlib", "-static", "-nostartfiles", "-Wl,--build-id,--no-warn-rwx-segments",
         f"-I{build / 'generated'}", f"-I{HERE}", f"-T{HERE / 'host.ld'}", *(f"-D{define}" for define in defines),
         HERE / name / "entry.S", HERE / "demo.c", "-lgcc", "-o", elf])
    run(["riscv64-unknown-elf-objcopy", "-O", "verilog", "--verilog-data-width=4", "-R", ".note.gnu.build-id", elf,
         words])
    return elf, words


def simulator(host, folder, build, tally=1):
    """The host under Verilator, with the golden unit."""
    core = pathlib.Path(sysconfig.get_paths()["purelib"]) / host["package"] / host["under"]
    sources = [path for pattern in host["sources"] for path in sorted(core.glob(pattern))]
    if not sources:
        raise Failure(f"no sources below {core}")
    includes = [build / "generated", ROOT / "rtl/pmu", ROOT / "rtl/prim"]
    includes += [core / path for path in host.get("includes", [])]
    out = folder / f"model{tally}"
    top = pathlib.Path(host["top"]).stem
    flags = f"-O1 -std=c++17 -DHOST_TALLY={tally} -DHOST={top} -I{ROOT / 'tb/golden'} -I{build / 'generated'}"
    golden = build / "tb/golden/libtally_golden_pmu.a"
    # Warnings in the core's sources, which are not ours and stay as they are, do not stop the build.
    run(["verilator", "--cc", "--exe", "--build", "-O3", "--x-assign", "fast", "--noassert", "-Wno-fatal", "-Wno-lint",
         "-Wno-COMBDLY", *host["options"], *(f"-I{path}" for path in includes), "--top", top,
         "--prefix", "Vhost", f"-GTALLY={tally}", "--Mdir", out, "-CFLAGS", flags, "-LDFLAGS", golden,
         HERE / "hosts.vlt", *sources, HERE / host["top"], HERE / "host_soc.v",
         *(build / "generated/adapt_sim.f").read_text(encoding="utf-8").split(), HERE / "host.cpp", "-o", "host"])
    return out / "host"


def check_profile(build, records, elf):
    """tally-profile finds the store of the loop."""
    text = run([build / "tally-profile", "--interrupts", records, elf])
    (records.parent / "profile.txt").write_text(text, encoding="utf-8")
    share = re.search(r"(\d+)\s+([\d.]+) %\s+one_store", text)
    if not share or float(share[2]) < 50:
        raise Failure(f"the profile does not have the loop:\n{text}")
    exact = re.search(r"Hottest instructions\n.*\n\s+(\d+)\s+[\d.]+ %\s+0x\w+\s+one_store\+0x4 ", text)
    if not exact or exact[1] != share[1]:
        raise Failure(f"samples of the loop are not all at its store:\n{text}")


def speed(executable, words, *options):
    return re.search(r"([\d.]+) kHz", run([executable, words, "--speed", "--cycles", "2000000", *options]))[1]


def run_host(name, host, args):
    build = args.build.resolve()
    folder = build / "hosts" / name
    folder.mkdir(parents=True, exist_ok=True)
    run([ROOT / "scripts" / "setup", "--with", name])
    elf, words = program(host, name, folder, build)
    executable = simulator(host, folder, build)
    records = folder / "records"
    records.unlink(missing_ok=True)
    said = run([executable, words, "--records", records, "--rules", host.get("rules", 0)])
    print(f"-- {name}\n{said}", end="", flush=True)
    check_profile(build, records, elf)
    if args.speed:
        bare = simulator(host, folder, build, tally=0)
        _, words = program(host, name, folder, build, "ONLY_WORK")
        print(f"kHz: in lockstep {speed(executable, words)}, alone {speed(executable, words, '--alone')}, "
              f"without the unit {speed(bare, words)}")


def main(argv):
    hosts = yaml.safe_load((HERE / "hosts.yaml").read_text(encoding="utf-8"))
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--build", type=pathlib.Path, required=True)
    parser.add_argument("--speed", action="store_true")
    parser.add_argument("host", nargs="+", choices=list(hosts))
    args = parser.parse_args(argv)
    try:
        for name in args.host:
            run_host(name, hosts[name], args)
    except Failure as failure:
        print(f"{name}: {failure}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
