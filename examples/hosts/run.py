#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Build and run an example host: examples/hosts/run.py --build DIR HOST...

For each host (hosts.yaml): installs the core's package, compiles the program, builds the host with Verilator and
the golden unit, runs it in lockstep, and reads its samples with tally-profile, which must find the store in the loop.
Then judge.c counts each event over small programs and demos of the package, against a tally of the trace. In both
programs interrupts and accesses are as fast as hosts.yaml says. Our files of a host have at most LINES lines, its entry
at most ENTRY_LINES. Results: DIR/hosts/HOST. Cost of the unit: table.py.
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
LINES, ENTRY_LINES = 150, 60


class Failure(Exception):
    """One line says why."""


def run(command, **options):
    done = subprocess.run([str(word) for word in command], text=True, check=False, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, **options)
    if done.returncode:
        raise Failure(f"status {done.returncode}: {' '.join(map(str, command))[:200]}\n{done.stdout[-3000:]}")
    return done.stdout


def compiler(host, build):
    return ["riscv64-unknown-elf-gcc", f"-march={host['march']}", "-misa-spec=2.2", "-mabi=ilp32", "-O2", "-g",
            "-ffreestanding", "-fno-tree-loop-distribute-patterns", "-nostdlib", "-static", "-nostartfiles",
            f"-I{build / 'generated'}", f"-I{HERE}"]


def program(host, name, folder, build, sources, *defines, objects=()):
    """A program as ELF, and as words for $readmemh."""
    stem = "-".join((pathlib.Path(sources[0]).stem, *(define for define in defines if "=" not in define)))
    elf, words = (folder / f"{stem}.{kind}" for kind in ("elf", "hex"))
    run([*compiler(host, build), "-std=gnu11", "-Wall", "-Wextra", "-Werror",
         "-Wl,--build-id,--no-warn-rwx-segments", f"-T{HERE / 'host.ld'}", *(f"-D{define}" for define in defines),
         HERE / name / "entry.S", *(HERE / source for source in sources), *objects, "-lgcc", "-o", elf])
    run(["riscv64-unknown-elf-objcopy", "-O", "verilog", "--verilog-data-width=4", "-R", ".note.gnu.build-id", elf,
         words])
    return elf, words


def demos(host, folder, build):
    """Demos of the core's package, compiled as they are, and judge.c's list of them."""
    objects, names = [], []
    for demo, words in host.get("demos", {}).items():
        names.append(f"DEMO({demo})")
        for word in words:
            if word.startswith("-"):
                continue
            objects.append(folder / f"{demo}-{pathlib.Path(word).stem}.o")
            run([*compiler(host, build), "-std=gnu89", "-w", *(flag for flag in words if flag.startswith("-")), "-c",
                 package(host) / word, "-o", objects[-1]])
    return objects, " ".join(names)


def package(host):
    return pathlib.Path(sysconfig.get_paths()["purelib"]) / host["package"] / host["under"]


def simulator(host, folder, build, tally=1):
    """The host under Verilator, with the golden unit."""
    core = package(host)
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
         HERE / "hosts.vlt", *sources, HERE / host["top"], HERE / "host_soc.v", HERE / "host_ram.v",
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


def speeds(build, name, host):
    """Simulated kHz: without the unit, with it, in lockstep."""
    folder = build / "hosts" / name
    folder.mkdir(parents=True, exist_ok=True)
    _, words = program(host, name, folder, build, ["demo.c"], "ONLY_WORK")
    bare, full = simulator(host, folder, build, tally=0), simulator(host, folder, build)

    def speed(executable, *options):
        said = run([executable, words, "--speed", "--cycles", "2000000", *options])
        return re.search(r"([\d.]+) kHz", said)[1]

    return speed(bare), speed(full, "--alone"), speed(full)


def lines(host, name):
    """Of our files: the one around the core, and the entry."""
    core, entry = (len(path.read_text(encoding="utf-8").splitlines())
                   for path in (HERE / host["top"], HERE / name / "entry.S"))
    if core + entry > LINES or entry > ENTRY_LINES:
        raise Failure(f"{core} lines around the core and {entry} of its entry: the limits are {LINES} for both and "
                      f"{ENTRY_LINES} for the entry")
    return core, entry


def limits(host):
    """The harness's options: rules that this host may break, and its limits of skid and access."""
    words = ["--skid", ",".join(map(str, host["skid"])), "--access", host["access"]]
    return words + (["--rules", host["rules"]] if "rules" in host else [])


def run_host(name, host, args):
    lines(host, name)
    build = args.build.resolve()
    folder = build / "hosts" / name
    folder.mkdir(parents=True, exist_ok=True)
    run([ROOT / "scripts" / "setup", "--with", name])
    elf, words = program(host, name, folder, build, ["demo.c"])
    executable = simulator(host, folder, build)
    records = folder / "records"
    records.unlink(missing_ok=True)
    said = run([executable, words, "--records", records, *limits(host)])
    print(f"-- {name}\n{said}", end="", flush=True)
    check_profile(build, records, elf)
    objects, names = demos(host, folder, build)
    sources = ["judge.c", "works.c", "tutorial.c"]
    _, words = program(host, name, folder, build, sources, f"DEMOS={names}", objects=objects)
    said = run([executable, words, "--cycles", "100000000", *limits(host)])
    told = re.findall(r"^  \w+: \d+ instructions.*|^\d+ cycles in lockstep.*", said, flags=re.M)
    print("\n".join(told), flush=True)


def main(argv):
    hosts = yaml.safe_load((HERE / "hosts.yaml").read_text(encoding="utf-8"))
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--build", type=pathlib.Path, required=True)
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
