#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The drivers of the unit under Linux (sw/linux/drivers): rules by tests/linux/driver, each a process on the
machine.

    test_drivers.py BUILD [CLASS...]
"""

import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

from bindings import Bindings
from machine import ROOT, HostPerf, Machine, main
sys.path.insert(0, str(ROOT / "scripts"))
import linux  # noqa: E402

# The kernel's messages of errors
COMPLAINTS = ("WARNING", "BUG", "Oops", "Unable to handle", "INFO:", "nobody cared", "possible circular",
              "inconsistent lock", "suspected memory leak", "unreferenced object")

# The module, under load
COMES_AND_GOES = (
    "while :; do ls / >/dev/null; done & i=0; while [ $i -lt {times} ]; do i=$((i + 1)); "
    "rmmod riscv_tally && insmod /lib/riscv_tally.ko && "
    "tally-test fork-begins-without a-sample-says-what-it-was what-has-no-room-is-counted >/dev/null || exit 1; done; "
    "kill $!; echo loaded $i times")


class Style(unittest.TestCase):
    """The kernel's own rules for its sources, its static checker, and RV32"""

    HERE = ROOT / "sw/linux/drivers"
    # Debian's sparse does not know these parts of -march.
    SPARSE = '#!/bin/bash\nexec sparse "${@/_zicsr_zifencei/}"\n'

    def setUp(self):
        self.linux = Machine.build / "linux"
        self.source = next(self.linux.glob("linux-source-*/"))

    def run_quietly(self, *command):
        done = subprocess.run(list(map(str, command)), check=False, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                              text=True)
        self.assertEqual(done.returncode, 0, done.stdout)
        return done.stdout

    def module(self, kernel, *options):
        """Build a copy of the module, with sparse beside the compiler: what they say, and the object's symbols."""
        with tempfile.TemporaryDirectory(prefix="tally-module-") as name:
            folder = pathlib.Path(name)
            for file in (*self.HERE.glob("*.[ch]"), self.HERE / "Kbuild", *self.linux.glob("drivers/tally_*.h")):
                shutil.copy(file, folder)
            sparse = folder / "sparse"
            sparse.write_text(self.SPARSE, encoding="utf-8")
            sparse.chmod(0o755)
            out = self.run_quietly("make", "-s", "-C", self.source, "ARCH=riscv", "CROSS_COMPILE=riscv64-linux-gnu-",
                                   f"O={kernel}", f"M={folder}", "W=1", "C=2", f"CHECK={sparse}",
                                   "CF=-D__CHECK_ENDIAN__", *options, "modules")
            return out, self.run_quietly("riscv64-linux-gnu-nm", "-u", folder / "riscv_tally.o")

    def test_checkpatch(self):
        sources = sorted([*self.HERE.glob("*.[ch]"), *self.HERE.glob("*.rst"), *self.HERE.glob("bindings/*/*.yaml")])
        self.assertEqual(self.run_quietly("perl", self.source / "scripts/checkpatch.pl", "--strict", "--no-tree",
                                          "--quiet", "-f", *sources), "")

    def test_compiler_and_sparse_say_nothing(self):
        self.assertEqual(self.module(self.linux / "drivers/kernel", "KBUILD_MODPOST_WARN=")[0], "")

    def test_rv32_compiles(self):
        """There is no kernel to load it: what modpost says of missing symbols does not count, but the kernel of
        RV32 has no division of 64 bits by an operator."""
        kernel = self.linux / "drivers-rv32/kernel"
        self.run_quietly(ROOT / "sw/linux/kernel.sh", self.source, kernel, "modules_prepare",
                         ROOT / "sw/linux/kernel.config", self.HERE / "kernel.config", self.HERE / "rv32.config")
        out, symbols = self.module(kernel, "KBUILD_MODPOST_WARN=1")
        self.assertNotRegex(out, r"\.[ch]:\d+")
        self.assertNotRegex(symbols, r"__u?(div|mod)")


class Drivers(HostPerf):
    """The driver is loaded by the machine's first program."""

    def run_drivers(self, command, *options, drivers="split"):
        return self.without_complaints(self.run_linux(command + " && dmesg", "--drivers", drivers, *options))

    def without_complaints(self, out):
        for complaint in COMPLAINTS:
            self.assertNotIn(complaint, out)
        return out

    def run_whole(self, command, *options):
        return self.run_drivers(command, "--iss", *options, drivers="whole")

    def check_tree(self):
        """Of `host put /sys/firmware/fdt tree.dtb`: the firmware's version of the simulator's tree is valid too."""
        with tempfile.TemporaryDirectory(prefix="tally-bindings-") as folder:
            self.assertEqual(Bindings(self.build, folder).complaints(self.files / "tree.dtb"), "")

    def check_rules(self, out, names):
        self.assertEqual([line[3:] for line in out.splitlines() if line.startswith("ok ")], names)

    def rules(self, *files):
        """Names of the tests, in their order."""
        names = []
        for file in files:
            for line in (ROOT / "tests/linux/driver" / file).read_text(encoding="utf-8").splitlines():
                if line.startswith('    {"'):
                    names.append(line.split('"')[1])
        return names

    def all_rules(self, *more):
        return self.rules(*Debug.BRANCHES, *Debug.SAMPLED, *Debug.TOGETHER, *more)


class Branches(Drivers):
    """Event-based branches by perf_event_open, on the golden machine"""

    def test_every_rule_holds(self):
        out = self.run_drivers("EBB_DELIVERIES=10000 tally-test", "--iss")
        self.check_rules(out, self.all_rules())

    def test_attributes_and_what_is_missing(self):
        out = self.run_drivers(
            "cd /sys/bus/event_source/devices/tally && cat format/event format/ebb format/counter caps/counters "
            "caps/branches caps/branch_cause && rmmod riscv_tally && ! tally-test --registers && "
            "perf stat -e instructions:u true && insmod /lib/riscv_tally.ko && tally-test --registers && "
            "perf stat -e tally/event=0x31,counter=4/u true && host put /sys/firmware/fdt tree.dtb", "--iss")
        self.assertIn("config:0-55\nconfig:63\nconfig1:0-4\n0x78\n1\n1\n", out)
        self.assertIn("Illegal instruction", out)
        self.assertIn("split delegation, counters 0x00000078 of 64 bits, event-based branches", out)
        self.assertRegex(out, r"\d+ +instructions:u")
        self.assertRegex(out, r"[1-9]\d+ +tally/event=0x31,counter=4/u")
        self.check_tree()


class Sampled(Drivers):
    """Sampled instructions by the kernel's own perf, read by Debian's"""

    def test_perf_records_and_reports(self):
        self.check("--iss")

    def check(self, *options):
        out = self.run_drivers(
            "perf record -q -e tally_pdis/type=3,jitter=4/u -c 200 -d -W --phys-data -o data "
            "sh -c 'i=0; while [ $i -lt 200 ]; do i=$((i + 1)); done' && host put data perf.data && "
            "perf report -i data --stdio --sort comm,dso 2>/dev/null | grep % && cat /proc/interrupts && "
            "cat /sys/bus/event_source/devices/tally_pdis/format/latency && "
            "tally-record -c 200 -j 4 -t 3 -m 8 -o records "
            "sh -c 'i=0; while [ $i -lt 200 ]; do i=$((i + 1)); done; exit 3'; echo status $? && host put records && "
            "for wrong in '-m 12' '-m 4' '-c 15' '-t 5' '-j x'; do "
            "tally-record $wrong -o none true; echo status $?; done; tally-record -o none nothing; echo status $?; "
            "! ls none*", *options)
        self.assertRegex(out, r"9\d\.\d\d% +sh +busybox|100\.00% +sh +busybox")
        self.assertIn("config:29-31", out)
        # Batches have an interrupt of their own; the stock driver has seen none of its.
        self.assertRegex(out, r"\d+: +[1-9]\d* +RISC-V INTC +14 Edge +tally-pdis")
        self.assertRegex(out, r"\d+: +0 +RISC-V INTC +13 Edge +riscv-pmu")
        self.convert("perf.data")
        report = self.host_perf("mem", "report", "-i", "perf.data", "--stdio")
        self.assertIn("Total Lost Samples: 0", report)
        self.assertRegex(report, r"L1 hit .* busybox .* \[stack\] ")
        script = self.host_perf("script", "-i", "perf.data", "-F", "ip,addr,phys_addr")
        self.assertGreater(len(script.splitlines()), 100)
        # The hottest function's samples are at its loads and stores.
        lines = self.host_perf("annotate", "-i", "perf.data", "--stdio", "--symfs", self.build / "linux/symbols",
                               "--objdump", "riscv64-linux-gnu-objdump")
        hot = re.findall(r"(?m)^ +(\d+\.\d\d) :\s+[0-9a-f]+: +(\S+)", lines)
        self.assertGreater(sum(float(share) for share, _ in hot), 90)
        for share, insn in hot:
            if float(share):
                self.assertRegex(insn, r"^(l|s)[bhwd]u?$|^(lr|sc|amo\w+)\.")
        shared = self.host_perf("c2c", "report", "-i", "perf.data", "--stdio")
        self.assertRegex(shared, r"Total records +: +[1-9]\d*")
        self.assertRegex(shared, r"Load Operations +: +[1-9]\d*")
        self.check_raw(out)

    def check_raw(self, out):
        """The file that tally-record has written, for tally-profile"""
        counts = re.search(r"tally-record: records: (\d+) records, (\d+) lost\nstatus 3\n", out)
        self.assertTrue(counts, out)
        self.assertGreater(int(counts[1]), 300)
        for wrong in ("-m 12: not a power of two", "-m 4: a number of 8 to", "-c 15: a number of 16 to",
                      "-t 5: a number of 0 to 4", "-j x: a number of 0 to 31"):
            self.assertRegex(out, rf"tally-record: {wrong}.*\nstatus 2\n")
        self.assertRegex(out, "tally-record: nothing: No such file or directory\n(.*\n)?status 127\n")
        self.assertIn("ls: none*: No such file or directory", out)
        done = subprocess.run([str(self.build / "tally-profile"), str(self.files / "records"),
                               str(self.build / "linux/symbols/bin/busybox")], stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, text=True, check=False)
        self.assertEqual(done.returncode, 0, done.stdout)
        self.assertRegex(done.stdout, rf"\b{counts[1]} samples")
        self.assertRegex(done.stdout, r"(?m)^ *\d+ .*(evaluate_string|expandarg|evalcommand|argstr)")


class Missing(Drivers):
    """The driver names what it leaves out, and the rest works."""

    def run_without(self, run, drivers, *words, machine="tally-iss"):
        args, _ = linux.parse(["--build", str(self.build), "--iss", "--drivers", drivers, "--files", str(self.files),
                               "--run", run + " && dmesg"])
        line = [word for word in linux.command(args, []) if word not in words]
        line[0] = str(self.build / machine)
        done = subprocess.run(line, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                              text=True, errors="replace", check=False)
        self.assertEqual(done.returncode, 0, done.stdout)
        return self.without_complaints(done.stdout.replace("\r", ""))

    def test_without_event_based_branches(self):
        for drivers in ("split", "whole"):
            out = self.run_without(
                "cat /sys/bus/event_source/devices/tally/caps/branches && ! tally-test must-be-pinned && "
                "perf stat -e tally/event=0x31/u true && tally-test each-period-has-a-sample", drivers, "--ebb")
            self.assertIn("riscv_tally: no event-based branches (xtallyebb, tally,event-based-branches)", out)
            self.assertRegex(out, rf"riscv_tally: {drivers} delegation, counters 0x\w+ of 64 bits"
                                  r"(, precise events)?, sampled instructions\n")
            self.assertRegex(out, r"[1-9]\d+ +tally/event=0x31/u")
            self.check_rules(out, ["each-period-has-a-sample"])

    def test_without_sampling(self):
        # Handlers do without uebbspc.
        branches = [*self.rules("delivery.c"), "of-two-the-first-stays", "times-are-right", "exec-begins-without",
                    "registers-are-a-task-s-without-events", "two-processes-have-their-own",
                    "a-branch-in-a-restartable-sequence-comes-back-right"]
        for drivers, rules in (("split", branches),
                               ("whole", [*branches, "counts-are-exact", "each-period-has-one-sample"])):
            out = self.run_without(
                "! ls /sys/bus/event_source/devices/tally_pdis && "
                "! perf record -o /tmp/d -c 1000 -e tally/event=0x31/upp true && "
                "grep -q 0 /sys/bus/event_source/devices/tally/caps/branch_cause && "
                f"perf stat -e tally/event=0x31/u true && tally-test {' '.join(rules)}", drivers,
                machine="tb/iss/tally-iss-without-sampling")
            self.assertIn("riscv_tally: no sampled instructions (spdisctl, spdisambcs)", out)
            self.assertEqual("riscv_tally: no precise events (shpmspc)" in out, drivers == "whole")
            self.assertRegex(out, rf"riscv_tally: {drivers} delegation, counters 0x\w+ of 64 bits, "
                                  r"event-based branches\n")
            self.assertRegex(out, r"[1-9]\d+ +tally/event=0x31/u")
            self.check_rules(out, rules)

    def test_without_delegated_counters(self):
        out = self.run_without("! ls /sys/bus/event_source/devices/tally && perf stat -e instructions:u true",
                               "split", "--delegate", linux.DELEGATED["split"], "--ebb")
        self.assertIn("riscv_tally: the device tree delegates no counters (tally,delegated-counters)", out)
        self.assertRegex(out, r"[1-9]\d+ +instructions:u")


class Whole(Drivers):
    """All counters and the overflow interrupt are the driver's: the SBI has no PMU"""

    # Call graphs from a system call's kernel functions, by their names, to user code; and of user code alone
    CHAINS = ('NF { n++; last = $1; if ($2 == "do_trap_ecall_u") k = 1 } '
              '!NF && n { if (length(last) < 12 && k) both++; if (length(last) < 12 && !k && n > 1) user++; '
              'n = k = 0 } '
              'END { print "chains:", both, user }')

    def test_every_rule_holds(self):
        out = self.run_whole("EBB_DELIVERIES=1000 tally-test")
        self.check_rules(out, self.all_rules("counters.c", "periods.c"))

    def test_perf_finds_the_drivers_pmu(self):
        out = self.run_whole(
            "ls /sys/bus/event_source/devices && cd /sys/bus/event_source/devices/tally && cat type "
            "events/INST.LOAD.RET caps/counters caps/max_precise cpus /proc/sys/kernel/perf_user_access && "
            "cat /proc/interrupts && cd && "
            "perf stat -e '{instructions:u,INST.LOAD.RET:u,tally/INST.STORE.RET/u}' -e cycles ls / && "
            "perf record -q -e INST.LOAD.RET:upp -c 100 -o data sh -c 'i=0; while [ $i -lt 200 ]; do i=$((i + 1)); "
            "done' && host put data perf.data && ! perf record -q -e cycles:uppp -o no true && "
            "perf record -q -g -F 2000 -o graph ls -lR /sys/bus >/dev/null && perf script -i graph -F ip,sym "
            f"2>/dev/null | awk '{self.CHAINS}' && "
            "perf record -q -e tally_pdis/type=3,jitter=4/u -c 200 -d -W -o memory "
            "sh -c 'i=0; while [ $i -lt 200 ]; do i=$((i + 1)); done' && host put memory && "
            "tally-record -t 4 -c 100 -o records ls / && cat /proc/interrupts && rmmod riscv_tally && "
            "! ls /sys/bus/event_source/devices/tally && "
            "insmod /lib/riscv_tally.ko && perf stat -e instructions:u true && host put /sys/firmware/fdt tree.dtb",
            "--smp", "2")
        # The stock driver has not come up, nor its substitute.
        self.assertNotRegex(out, "(?i)SBI PMU|legacy PMU|riscv-pmu")
        self.assertNotRegex(out, r"(?m)^cpu\b")
        self.assertIn("4\nevent=0x30\n0xfffffffd\n3\n0-1\n1\n", out)
        self.assertRegex(out, r"\d+: +\d+ +\d+ +RISC-V INTC +13 Edge +tally")
        self.assertIn("whole delegation, counters 0xfffffffd of 64 bits, precise events, event-based branches, "
                      "sampled instructions", out)
        for event in ("instructions:u", "INST.LOAD.RET:u", "tally/INST.STORE.RET/u", "cycles"):
            self.assertRegex(out, r"(?m)^ +[1-9]\d+ +" + event)
        chains = re.search(r"chains: (\d+) (\d+)", out)
        self.assertGreater(int(chains[1]), 50)
        self.assertGreater(int(chains[2]), 50)
        self.assertNotIn("not supported", out)
        self.assertNotIn("not counted", out)
        self.convert("perf.data")
        lines = self.host_perf("script", "-i", "perf.data", "-F", "ip,sym").splitlines()
        self.assertGreater(len(lines), 100)
        self.assertRegex(out, r"\d+: .*[1-9]\d* .*RISC-V INTC +14 Edge +tally-pdis")
        self.assertRegex(out, r"tally-record: records: [1-9]\d+ records, 0 lost")
        self.convert("memory")
        report = self.host_perf("mem", "report", "-i", "memory", "--stdio")
        self.assertRegex(report, r"L1 hit .* busybox .* \[stack\] ")
        self.check_tree()


class Harts(Drivers):
    """Two of them, all counters the driver's"""

    def test_branches_on_two_harts(self):
        names = self.rules("delivery.c", "tasks.c")
        self.check_rules(self.run_whole("EBB_DELIVERIES=1000 tally-test " + " ".join(names), "--smp", "2"), names)

    def test_a_cpu_goes_and_comes_back(self):
        """... under events of all CPUs, and everything works on it"""
        names = ["samples-of-a-cpu-name-their-task", "branches-move-with-their-task", "each-period-has-one-sample"]
        out = self.run_whole(
            "cd /sys/devices/system/cpu/cpu1 && "
            "for event in instructions:u tally_pdis/type=3/u tally/INST.STORE.RET/u; "
            "do perf record -q -a -e $event -c 500 -o /data sh -c "
            "'for i in 1 2; do echo 0 >online && ls / >/dev/null && echo 1 >online && ls / >/dev/null || exit 1; done' "
            "|| exit 1; perf script -i /data -F cpu | sort | uniq -c; done; cat online; "
            "tally-test " + " ".join(names), "--smp", "2")
        self.check_rules(out, names)
        self.assertEqual(out.count("CPU1: off"), 6)


class Long(Drivers):
    """On the golden machine too: a million deliveries, a hundred thousand random calls; the module comes and goes
    under load."""

    def test_no_delivery_of_a_million_is_lost(self):
        out = self.run_drivers("EBB_DELIVERIES=1000000 tally-test no-delivery-is-lost", "--iss")
        self.check_rules(out, ["no-delivery-is-lost"])

    def check_fuzz(self, seed, *options, drivers="split"):
        """The module can go afterwards, with the memory of its tasks, and the second run takes nothing more: free
        memory varies by 600 KiB between runs, and 1 MiB is a page in two hundred calls."""
        out = self.run_drivers(
            f"for seed in {seed} {seed + 1}; do FUZZ_CALLS=50000 FUZZ_SEED=$seed tally-test any-call-leaves-it-well && "
            "grep MemFree /proc/meminfo || exit 1; done; rmmod riscv_tally", "--iss", *options, drivers=drivers)
        self.check_rules(out, ["any-call-leaves-it-well"] * 2)
        free = [int(kib) for kib in re.findall(r"MemFree: +(\d+) kB", out)]
        self.assertGreater(free[1], free[0] - 1024)

    def test_any_of_100000_calls_leaves_it_well(self):
        self.check_fuzz(2)

    def test_any_of_100000_calls_leaves_it_well_in_whole_delegation(self):
        self.check_fuzz(4, "--smp", "2", drivers="whole")

    def test_the_module_comes_and_goes_under_load(self):
        self.assertIn("loaded 100 times", self.run_drivers(COMES_AND_GOES.format(times=100), "--iss"))


class Debug(Drivers):
    """On a kernel that watches its locks, its memory, and where a task may be preempted; several times slower"""

    # A batch of samples takes longer there than this rule allows a task's switch.
    SLOW = {"switches-give-it-no-more-time"}
    # Memory that nothing points to is reported once it is five seconds old.
    LEAKS = ("{ rmmod riscv_tally; mount -t debugfs none /sys/kernel/debug && cd /sys/kernel/debug && sleep 6 && "
             "echo scan >kmemleak && sleep 1 && echo scan >kmemleak && cat kmemleak && cat /proc/lockdep_stats; }")

    def run_debug(self, command, *options, drivers="split"):
        out = self.run_drivers(f"{command} && {self.LEAKS}", "--iss", "--debug", "--memory", "256M", *options,
                               drivers=drivers)
        # Behind an error, lockdep looks no more.
        self.assertRegex(out, r"(?m)^ debug_locks: +1$")
        return out

    def check_debug(self, names, *options, drivers="split"):
        names = [name for name in names if name not in self.SLOW]
        out = self.run_debug("EBB_DELIVERIES=1000 FUZZ_CALLS=300 tally-test " + " ".join(names), *options,
                             drivers=drivers)
        self.check_rules(out, names)

    BRANCHES = ("rules.c", "delivery.c", "tasks.c")
    SAMPLED = ("samples.c", "aux.c")
    TOGETHER = ("together.c", "fuzz.c", "system.c")

    def test_rules_of_branches(self):
        self.check_debug(self.rules(*self.BRANCHES))

    def test_rules_of_sampled_instructions(self):
        self.check_debug(self.rules(*self.SAMPLED))

    def test_rules_of_all_together(self):
        self.check_debug(self.rules(*self.TOGETHER))

    def test_rules_of_whole_delegation_on_two_harts(self):
        self.check_debug(self.rules("counters.c", "periods.c"), "--smp", "2", drivers="whole")

    def test_the_module_comes_and_goes_under_load(self):
        self.assertIn("loaded 10 times", self.run_debug(COMES_AND_GOES.format(times=10)))


class Rtl(Drivers):
    """On the RTL in lockstep, from a boot on the golden machine on: what is short, and does not compare two runs sample
    by sample, nor counts with periods. Decode shows wrong paths, too, which are samples."""

    BRANCHES = ["must-be-pinned", "the-last-close-shuts-the-window", "each-counter-has-its-own-overflows",
                "an-overflow-in-the-handler-comes-behind-it", "fork-begins-without", "exec-begins-without",
                "two-processes-have-their-own", "a-pending-event-waits-for-its-counter"]
    SAMPLES = ["each-period-has-a-sample", "a-sample-says-what-it-was", "only-what-was-asked-for",
               "what-has-no-room-is-counted", "who-has-read-goes-on", "the-watermark-wakes",
               "batches-raise-no-overflow", "branches-beside-sampled-instructions"]
    PRECISE = ["counts-are-exact", "each-period-has-one-sample", "a-precise-sample-is-at-its-cause",
               "each-of-two-has-its-own-cause", "a-cause-is-noted-once"]

    def check_lockstep(self, names, *options, drivers="split"):
        out = self.without_complaints(self.run_from_boot("tally-test " + " ".join(names) + " && dmesg", "--drivers",
                                                         drivers, *options))
        self.check_rules(out, names)

    def test_one_hart(self):
        self.check_lockstep(self.BRANCHES + self.SAMPLES)

    def test_precise_events(self):
        self.check_lockstep(self.PRECISE, drivers="whole")

    def test_two_harts(self):
        self.check_lockstep(self.BRANCHES, "--smp", "2")


if __name__ == "__main__":
    main(sys.argv)
