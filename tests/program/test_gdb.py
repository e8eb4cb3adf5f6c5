#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""GDB on tally-sim: a script of commands, and GDB's answers.

    test_gdb.py BUILD
"""

import pathlib
import re
import socket
import subprocess
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))
from verdict import check, verdict  # noqa: E402

# GDB's commands, and patterns of its answer to each (regular expressions)
ONE_HART = [
    ('printf "at %lx in mode %d\\n", $pc, $priv', r"^at 1000 in mode 3$"),
    ("x/4xb 0x1000", r"0x1000:\t0x97\t0x02\t0x00\t0x00"),
    ("break leaf", r"Breakpoint 1 at 0x"),
    ("continue", r"Breakpoint 1, .*leaf \(n=.*1\) at .*debugged.c"),
    ("backtrace", r"#0 .*leaf .*\n#1 .* in middle .*\n#2 .* in main "),
    ("info threads", r"\* 1 .*hart 0, U-mode"),
    ("print counter", r"= 0$"),
    ("delete", r""),
    ("watch counter", r"Hardware watchpoint 2: counter"),
    ("continue", r"Old value = 0\nNew value = 1\n"),
    ("continue", r"Old value = 1\nNew value = 3\n"),
    ("finish", r"Value returned is .* = 4"),
    ("print table[1]", r'id = 8, text = 0x\w+ "eight"'),
    ("delete", r""),
    ("rwatch table[0].id", r"watchpoint 3: table\[0\].id"),
    ("continue", r"read watchpoint 3: .*\n\nValue = 7"),
    ("delete", r""),
    ("hbreak middle", r"breakpoint 4 at 0x"),
    ("continue", r"Breakpoint 4, middle \(n="),
    ("next", r"const int twice = leaf"),
    ("stepi", r""),
    ("x/i $pc", r"=> 0x\w+ <(middle|leaf)"),
    ("print ($satp >> 60) & 15", r"= 8$"),
    ("print/x $misa & 0xffff", r"= 0x1105$"),
    ("print $mcycle > 1000", r"= 1$"),
    ("print $mcountinhibit", r"= \d+$"),
    ("print/x $marchid", r"= 0x0$"),
    ("monitor cycle", r"^cycle \d+$"),
    ("print *(char *)0x10000000", r"Cannot access memory"),
    ("delete", r""),
    ("continue", r"exited normally"),
]
# Writes reach registers, caches and RAM of the RTL and the golden models: lockstep goes on without a difference.
WRITES = [
    ("set var $s5 = 77", r""),
    ("stepi", r""),
    ("print $s5", r"= 77$"),
    ("break middle if n == 1", r"Breakpoint 1 at 0x"),
    ("continue", r"Breakpoint 1, .*middle \(n=.*1\) at .*debugged.c"),
    ("delete", r""),
    ("print leaf(20)", r"= 40$"),               # a call: all registers, the stack, pc
    ("print counter", r"= 21$"),
    ("set var counter = 5", r""),
    ("print counter", r"= 5$"),
    ("set var table[1].id = 1000", r""),
    ("set var n = 3", r""),                     # an argument: leaf gets 4
    ("set var *(unsigned *)&patched = 0x06400513", r""),  # li a0, 100
    ("x/i &patched", r"li\ta0,100"),
    ("set var $mhpmcounter9 = 0x123456789abc", r""),
    ("print/x $mhpmcounter9", r"= 0x123456789abc$"),
    ("set var $stval = -2", r""),
    ("print $stval", r"= -2$"),
    ("set var $mtval = 3", r""),
    ("print $mtval", r"= 3$"),
    ("print $priv", r"= 0$"),
    ("set var $mhartid = 3", r"can't be written"),
    ("set var $pc = $pc + 1", r"the pc is even"),
    ("set var $priv = 2", r"the mode is"),
    ("monitor why", r"^the mode is 0 \(U\), 1 \(S\) or 3 \(M\)$"),
    ("set var *(char *)0x10000000 = 1", r"Cannot access memory"),
    ("break leaf", r"Breakpoint 2"),
    ("continue", r"leaf \(n=4"),
    ("jump leaf", r"Breakpoint 2, leaf"),       # where it is already
    ("delete", r""),
    ("continue", r"exited with code 01"),
]
TWO_HARTS = [
    ("break leaf", r"Breakpoint 1"),
    ("continue", r"leaf \(n="),
    ("info threads", r"1 +Thread 1 \(hart 0, U-mode\)(.*\n)+? *2 +Thread 2 \(hart 1, M-mode\)"),
    ("print $mhartid", r"= 0$"),
    ("thread 2", r"Switching to thread 2"),
    ("print $mhartid", r"= 1$"),
    ("set var $t6 = 1234", r""),
    ("print $t6", r"= 1234$"),
    ("detach", r"detached"),
]


def start(build, elf, address, *options):
    """The simulator; it listens when this returns."""
    process = subprocess.Popen([build / "tally-sim", "-bios", build / "sw/firmware.elf", "-kernel",
                                build / "sw/program.elf", "--program", elf, "--set", "program_mode=0", "--quiet",
                                "--gdb", address, "-S", *options], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                               stderr=subprocess.STDOUT, text=True)
    while process.poll() is None and not pathlib.Path(address).exists():
        time.sleep(0.01)
    return process


def session(build, elf, folder, commands, status, *options):
    address = folder / "gdb.socket"
    sim = start(build, elf, str(address), *options)
    script = folder / "commands"
    text = "set confirm off\nset pagination off\nset width 0\n"
    for number, (command, _) in enumerate(commands):
        guarded = f"python\ntry: gdb.execute({command!r})\nexcept gdb.error as e: print(e)\nend\n"
        text += f"echo \\n--- {number}\\n\n{guarded}"
    script.write_text(f"file {elf}\ntarget remote {address}\n{text}", encoding="utf-8")
    done = subprocess.run(["gdb-multiarch", "-nx", "-batch", "-x", script], stdin=subprocess.DEVNULL,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=200, check=False)
    try:
        out, _ = sim.communicate(timeout=100)
    except subprocess.TimeoutExpired:
        sim.kill()
        out, _ = sim.communicate()
    check(sim.returncode == status, f"the simulator's status is {sim.returncode}", out + done.stdout)
    said = re.split(r"^--- \d+$", done.stdout, flags=re.M)[1:]
    check(len(said) == len(commands), f"{len(said)} answers to {len(commands)} commands", done.stdout)
    for (command, expected), answer in zip(commands, said):
        check(re.search(expected, answer.strip(), re.M), f"{command}: {expected}", answer)
    return out


def packets(build, elf, folder):
    """Packets that GDB would not send: damaged, unknown, with numbers out of range; and a debugger that vanishes."""
    address = folder / "raw.socket"
    sim = start(build, elf, str(address), "--max-cycles", "100000")
    with socket.socket(socket.AF_UNIX) as link:
        link.connect(str(address))
        link.settimeout(20)

        def ask(body, check_sum=None):
            total = sum(body) & 255 if check_sum is None else check_sum
            link.sendall(b"$" + body + b"#%02x" % total)
            answer = b""
            while not re.search(rb"#..$", answer) and answer != b"-":
                answer += link.recv(4096)
            return answer

        check(ask(b"?", 0) == b"-", "a damaged packet is refused")
        check(ask(b"?").startswith(b"+$T05thread:1;#"), "?")
        for body, expected in [(b"qNothing", b""), (b"p9999", b"E01"), (b"m0,10", b"E01"), (b"Hg5", b"E01"),
                               (b"Z9,0,0", b""), (b"Z2,80000000,0", b"E01"), (b"z0,1234,2", b"E01"),
                               (b"vCont;s:7", b"E01"), (b"m1000,4", b"97020000")]:
            answer = ask(body)
            check(answer[:2] == b"+$" and answer[2:-3] == expected, body, answer)
    out, _ = sim.communicate(timeout=100)
    check(sim.returncode == 4, "without its debugger the machine runs on, to --max-cycles", out)


def another_debugger(build, elf, folder, main):
    """One that vanishes while the machine runs leaves nothing to the next: no breakpoint, and no answer before a
    question."""
    address = folder / "again.socket"
    sim = start(build, elf, str(address))

    def ask(link, body):
        link.sendall(b"$" + body + b"#%02x" % (sum(body) & 255))
        answer = b""
        while not re.search(rb"\$[^#]*#..$", answer):
            answer += link.recv(4096)
        return answer

    for first in True, False:
        with socket.socket(socket.AF_UNIX) as link:
            link.connect(str(address))
            link.settimeout(20)
            said = ask(link, b"?")
            check(re.fullmatch(rb"\+\$T0[25]thread:1;#..", said), "the answer to the first question", said)
            if first:
                check(b"OK" in ask(link, b"Z0,%x,2" % main), "a breakpoint")
            link.sendall(b"$c#63")
            if not first:
                said = link.recv(4096) + link.recv(4096)
                check(re.fullmatch(rb"\+\$W00#..", said), "no breakpoint of the one before", said)
    out, _ = sim.communicate(timeout=100)
    check(sim.returncode == 0, "the program has ended", out)


def same_values(build, elf, folder, main):
    """Writes that change nothing, behind each of many instructions: output is right, lockstep finds nothing."""
    address = folder / "same.socket"
    sim = start(build, elf, str(address))
    PC, SP, MODE, CSR = 32, 2, 33, 34
    refused = 0
    with socket.socket(socket.AF_UNIX) as link:
        link.connect(str(address))
        link.settimeout(20)

        def ask(body):
            link.sendall(b"$" + body + b"#%02x" % (sum(body) & 255))
            answer = b""
            while not re.search(rb"\$[^#]*#..$", answer):
                answer += link.recv(4096)
            link.sendall(b"+")
            return re.search(rb"\$([^#]*)#..$", answer).group(1)

        def write(number, value):
            nonlocal refused
            answer = ask(b"P%x=%s" % (number, value))
            refused += answer.startswith(b"E.hart")
            check(answer == b"OK" or answer.startswith(b"E.hart"), f"register {number}", answer)

        for place in (0, main):
            if place:
                ask(b"Z0,%x,4" % place)
                check(ask(b"vCont;c").startswith(b"T05"), "main is reached")
                ask(b"z0,%x,4" % place)
            for n in range(120):
                stop = ask(b"vCont;s")
                check(stop.startswith(b"T05"), "a step", stop)
                for number in (PC, 5 + n % 16, MODE, CSR + 0xB00 + 5 + n % 8):
                    write(number, ask(b"p%x" % number))
                sp = int.from_bytes(bytes.fromhex(ask(b"p%x" % SP).decode()), "little")
                memory = ask(b"m%x,40" % sp)
                if n % 2 and len(memory) == 128:
                    check(ask(b"M%x,40:%s" % (sp, memory)) == b"OK", "memory")
        link.sendall(b"$D#44")
        while link.recv(4096):  # to the end: it closes the connection
            pass
    out, _ = sim.communicate(timeout=200)
    check(sim.returncode == 0 and "sum 50, counter 10" in out, "the run is right after it", out)
    check(refused == 0, f"{refused} writes were refused behind an instruction")


def options(build, elf):
    for words, line in [(["-S"], "-S waits for a debugger"), (["--gdb", "70000"], "neither a port nor the path"),
                        (["--gdb", "/nonexistent/gdb"], "No such file")]:
        done = subprocess.run([build / "tally-sim", "-bios", build / "sw/firmware.elf", *words],
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
        check(done.returncode == 2 and line in done.stdout and done.stdout.count("\n") == 1, words, done.stdout)


def main(argv):
    build = pathlib.Path(argv[0]).resolve()
    with tempfile.TemporaryDirectory(prefix="tally-gdb-") as name:
        folder = pathlib.Path(name)
        elf = folder / "debugged.elf"
        subprocess.run([build / "tally-cc", "-O1", "-g", HERE / "debugged.c", "-o", elf], check=True)
        out = session(build, elf, folder, ONE_HART, 0)
        check("sum 50, counter 10" in out, "the program's output", out)
        out = session(build, elf, folder, WRITES, 1)
        # middle(0): 2 + 7; middle(1): leaf(4), 8 + 1000 + 100; middle(2): 6 + 7 + 100; middle(3): 8 + 1000 + 100
        check("sum 2338, counter 16" in out, "the program's output after the writes", out)
        symbols = subprocess.run(["nm", elf], stdout=subprocess.PIPE, text=True, check=True).stdout
        main_at = int(re.search(r"^(\w+) T main$", symbols, re.M).group(1), 16)
        same_values(build, elf, folder, main_at)
        session(build, elf, folder, TWO_HARTS, 0, "-smp", "2")
        packets(build, elf, folder)
        another_debugger(build, elf, folder, main_at)
        options(build, elf)
    return verdict()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
