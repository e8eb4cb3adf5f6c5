#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Random bare-metal programs on tally-iss and on QEMU: registers, memory and every trap must be the same at the end.

A program runs in M, S or U, with or without Sv39 (Sv32): arithmetic, compressed code, loads and stores to pages of
all permissions, atomics, branches, CSRs, calls and illegal instructions. Traps go to an M-mode handler that logs cause,
tval and epc and skips the instruction. At the end it prints x1-x31, the log and a sum of its data to the UART.

Left out, because the two machines differ by choice: misaligned accesses (QEMU performs them), A and D bits (this QEMU
always sets them), floating point, and encodings of Zba and Zbb.
"""

import argparse
import difflib
import pathlib
import random
import shutil
import subprocess
import sys

SKIP = 77  # CTest's "not run"
INSTRUCTIONS = 1500
DATA_PAGES = 16
DATA = 0x80100000
DATA_VA = 0x40000000

R_OPS = "add sub sll slt sltu xor srl sra or and mul mulh mulhsu mulhu div divu rem remu".split()
R_OPS64 = "addw subw sllw srlw sraw mulw divw divuw remw remuw".split()
I_OPS = "addi slti sltiu xori ori andi".split()
BRANCHES = "beq bne blt bge bltu bgeu".split()
AMOS = "amoadd amoswap amoxor amoor amoand amomin amomax amominu amomaxu".split()
ILLEGAL = [0xFFFFFFFF, 0x0000000B, 0x0000002B, 0x00000057 | 7 << 12 | 1 << 31, 0x00004073]
CORNERS = [0, 1, 2, 0x7F, 0x80, 0xFF, 0x7FFF, 0x8000, 0xFFFF, 0x7FFFFFFF, 0x80000000, 0xFFFFFFFF]


class Program:
    """Writes one random program as assembly."""

    def __init__(self, rng, xlen, mode, paging):
        self.rng, self.xlen, self.mode, self.paging = rng, xlen, mode, paging
        self.word = ".quad" if xlen == 64 else ".word"
        self.load, self.store = ("ld", "sd") if xlen == 64 else ("lw", "sw")
        self.size = xlen // 8
        self.lines = []
        self.labels = 0
        self.user = 0x10 if mode == "U" else 0
        self.leaves = [self.leaf_flags() for _ in range(DATA_PAGES)]
        # QEMU reports an AMO that may not even read as a load: so these go where this mode can read.
        self.readable = [p for p, f in enumerate(self.leaves) if f & 2 and f & 0x10 == self.user] if paging else \
            list(range(DATA_PAGES))
        # ... and does not look at the page of an SC that must fail.
        self.writable = [p for p in self.readable if not paging or self.leaves[p] & 4]

    def out(self, *lines):
        self.lines += lines

    def reg(self):
        """Any register but gp (base of the data) and tp (address of an access)."""
        return f"x{self.rng.choice([r for r in range(32) if r not in (3, 4)])}"

    def value(self):
        v = self.rng.choice(CORNERS + [self.rng.getrandbits(64)] * 6)
        v = v ^ (self.rng.getrandbits(1) * (2**64 - 1))
        return v & (2**self.xlen - 1)

    def leaf_flags(self):
        rwx = self.rng.choice([3, 3, 3, 3, 1, 5, 7, 4, 2, 0])
        if rwx == 0:
            return self.rng.choice([0, 1])  # nothing, or a pointer in the last level
        return 0xC1 | rwx << 1 | (self.user if self.rng.random() < 0.8 else self.user ^ 0x10)

    # --- one random instruction each

    def arithmetic(self):
        op = self.rng.choice(R_OPS + (R_OPS64 if self.xlen == 64 else []))
        self.out(f"{op} {self.reg()}, {self.reg()}, {self.reg()}")

    def immediate(self):
        if self.rng.random() < 0.7:
            self.out(f"{self.rng.choice(I_OPS)} {self.reg()}, {self.reg()}, {self.rng.randint(-2048, 2047)}")
            return
        wide = self.xlen == 64 and self.rng.random() < 0.5
        op = self.rng.choice(["slli", "srli", "srai"]) + ("w" if wide else "")
        self.out(f"{op} {self.reg()}, {self.reg()}, {self.rng.randrange(32 if wide else self.xlen)}")

    def short(self):
        """An instruction that the assembler compresses."""
        r = f"x{self.rng.randint(8, 15)}"
        s = f"x{self.rng.randint(8, 15)}"
        self.out(self.rng.choice([
            f"addi {r}, {r}, {self.rng.randint(-32, 31)}", f"li {r}, {self.rng.randint(-32, 31)}", f"mv {r}, {s}",
            f"add {r}, {r}, {s}", f"sub {r}, {r}, {s}", f"and {r}, {r}, {s}", f"or {r}, {r}, {s}", f"xor {r}, {r}, {s}",
            f"andi {r}, {r}, {self.rng.randint(-32, 31)}", f"slli {r}, {r}, {self.rng.randint(1, self.xlen - 1)}",
            f"srli {r}, {r}, {self.rng.randint(1, self.xlen - 1)}",
            f"srai {r}, {r}, {self.rng.randint(1, self.xlen - 1)}", f"lui {r}, {self.rng.randint(1, 31)}"]))

    def constant(self):
        self.out(self.rng.choice([f"lui {self.reg()}, {self.rng.getrandbits(20)}",
                                  f"auipc {self.reg()}, {self.rng.getrandbits(20)}",
                                  f"li {self.reg()}, {self.value():#x}"]))

    def address(self, align, pages=range(DATA_PAGES)):
        """tp = somewhere in the data; the offset that is left for the instruction."""
        page = self.rng.choice(pages)
        self.out(f"lui tp, {page}", "add tp, tp, gp")
        return self.rng.randrange(0, 2048, align)

    def memory(self):
        n = self.rng.randrange(4 if self.xlen == 64 else 3)
        offset = self.address(1 << n)
        if self.rng.random() < 0.5:
            self.out(f"s{'bhwd'[n]} {self.reg()}, {offset}(tp)")
        else:
            unsigned = self.rng.random() < 0.5 and n < (3 if self.xlen == 64 else 2)
            self.out(f"l{'bhwd'[n]}{'u' if unsigned else ''} {self.reg()}, {offset}(tp)")

    def atomic(self):
        kind = self.rng.random()
        pages = self.readable if kind < 0.9 else self.writable
        if not pages:
            return
        width = self.rng.choice("wd" if self.xlen == 64 else "w")
        self.out(f"addi tp, tp, {self.address(8, pages)}")
        if kind < 0.7:
            self.out(f"{self.rng.choice(AMOS)}.{width} {self.reg()}, {self.reg()}, (tp)")
        elif kind < 0.9:
            self.out(f"lr.{width} {self.reg()}, (tp)", f"sc.{width} {self.reg()}, {self.reg()}, (tp)")
        else:
            self.out(f"sc.{width} {self.reg()}, {self.reg()}, (tp)")

    def branch(self):
        self.labels += 1
        label = f"l{self.labels}"
        kind = self.rng.random()
        if kind < 0.7:
            self.out(f"{self.rng.choice(BRANCHES)} {self.reg()}, {self.reg()}, {label}")
        elif kind < 0.85:
            self.out(f"jal {self.reg()}, {label}")
        else:
            self.out(f"la tp, {label}", f"jalr {self.reg()}, {self.rng.choice(['0', '1'])}(tp)")
        for _ in range(self.rng.randint(0, 3)):
            self.immediate()
        self.out(f"{label}:")

    def csr(self):
        number = self.rng.choice([0x140, 0x143, 0x341, 0x342, 0x343, 0xF11, 0xF14, 0x7FF, 0x000, 0x5A0, 0x9C0])
        op = self.rng.choice(["csrrw", "csrrs", "csrrc", "csrrwi", "csrrsi", "csrrci"])
        source = str(self.rng.randrange(32)) if op.endswith("i") else self.reg()
        if number in (0xF11, 0xF14):  # QEMU takes setting and clearing by a register that holds 0 for a read
            self.out(f"csrrw {self.reg()}, {number}, {self.reg()}")
        else:
            self.out(f"{op} {self.reg()}, {number}, {source}")

    def system(self):
        choice = self.rng.randrange(7)
        if choice == 0:
            self.out("li a7, 0", "ecall")
        elif choice == 1:
            self.out("fence")
        elif choice == 2:
            self.out("fence.i")
        elif choice == 3:
            self.out("ebreak")
        elif choice == 4 and self.mode != "M":
            self.out("mret")
        elif choice == 5 and self.mode == "U":
            self.out(self.rng.choice(["sret", "wfi", "sfence.vma"]))
        else:
            self.out(f".word {self.rng.choice(ILLEGAL):#x}")

    def body(self):
        kinds = [self.arithmetic] * 6 + [self.immediate] * 4 + [self.short] * 5 + [self.constant] * 2 + \
                [self.memory] * 6 + [self.atomic] * 2 + [self.branch] * 4 + [self.csr, self.system]
        for _ in range(INSTRUCTIONS):
            self.rng.choice(kinds)()

    # --- the rest of the program

    def tables(self):
        """Root: the code by a superpage, the data through tables, a page of each kind of permission."""
        code = 0x80000000 >> 2 | 0xCF | self.user
        leaves = [DATA + page * 4096 >> 2 | flags for page, flags in enumerate(self.leaves)]
        root, n = DATA + DATA_PAGES * 4096, 4096 // self.size
        middle, last = root + 4096 >> 2 | 1, root + 8192 >> 2 | 1
        levels = [("root", {2: code, 1: middle}), ("middle", {0: last})]
        if self.xlen == 32:
            levels = [("root", {512: code, 256: last}), ("unused", {})]
        for name, entries in levels + [("last", dict(enumerate(leaves)))]:
            self.out(".balign 4096", f"{name}:")
            at = 0
            for index, entry in sorted(entries.items()):
                if index > at:
                    self.out(f".zero {(index - at) * self.size}")
                self.out(f"{self.word} {entry:#x}")
                at = index + 1
            self.out(f".zero {(n - at) * self.size}")

    def start(self):
        status = {"M": 3, "S": 1, "U": 0}[self.mode] << 11 | (1 << 18) * self.rng.getrandbits(1) | \
                 (1 << 19) * self.rng.getrandbits(1)
        satp = 8 << 60 if self.xlen == 64 else 1 << 31
        self.out(".globl _start", "_start:", "la t0, handler", "csrw mtvec, t0", "la t0, save", "csrw mscratch, t0",
                 "li t0, -1", "csrw pmpaddr0, t0", "li t0, 0x1f", "csrw pmpcfg0, t0", "csrw medeleg, zero",
                 "csrw sscratch, zero", "csrw stval, zero")
        if self.paging:
            self.out("la t0, root", "srli t0, t0, 12", f"li t1, {satp:#x}", "or t0, t0, t1", "csrw satp, t0",
                     "sfence.vma")
        self.out(f"li t0, {status}", "csrw mstatus, t0", "la t0, body", "csrw mepc, t0")
        self.out(f"li gp, {DATA_VA:#x}" if self.paging else "la gp, data")
        for r in range(1, 32):
            if r != 3:
                self.out(f"li x{r}, {self.value():#x}")
        self.out("mret", ".balign 4", "body:")

    def handler(self):
        """mscratch: where registers go; the word behind them points into the log."""
        s, ld, st = self.size, self.load, self.store
        self.out("finish:", "li a7, 0x600d", "ecall", ".balign 4", "handler:", "csrrw x2, mscratch, x2")
        self.out(*[f"{st} x{r}, {r * s}(x2)" for r in range(1, 32) if r != 2])
        self.out("csrr t0, mscratch", f"{st} t0, {2 * s}(x2)", f"{ld} t1, {32 * s}(x2)")
        # mtval of a breakpoint is implementation's choice: 0 here
        self.out("csrr t0, mcause", f"{st} t0, 0(t1)", "csrr t2, mtval", "li t3, 3", "bne t0, t3, 1f", "li t2, 0",
                 f"1: {st} t2, {s}(t1)", "csrw mtval, t2", "csrr t2, mepc", f"{st} t2, {2 * s}(t1)")
        self.out("la t3, log_end", "bgeu t1, t3, 1f", f"addi t1, t1, {3 * s}", f"{st} t1, {32 * s}(x2)", "1:")
        self.out("addi t0, t0, -8", "sltiu t0, t0, 4", "beqz t0, 2f", "li t0, 0x600d", "beq a7, t0, print", "2:")
        self.out("lhu t0, 0(t2)", "andi t0, t0, 3", "addi t0, t0, -3", "seqz t0, t0", "slli t0, t0, 1",
                 "add t2, t2, t0", "addi t2, t2, 2", "csrw mepc, t2", "csrw mscratch, x2")
        self.out(*[f"{ld} x{r}, {r * s}(x2)" for r in range(1, 32) if r != 2], f"{ld} x2, {2 * s}(x2)", "mret")

    def printer(self):
        s, ld = self.size, self.load
        self.out("print:", "la s0, save", "la s1, log_end", f"addi s1, s1, {3 * s}", "call dump", "call newline",
                 "la s0, data", f"li t0, {DATA_PAGES * 4096}", "add s1, s0, t0", "li a0, 0", f"1: {ld} t0, 0(s0)",
                 "slli t1, a0, 5", "add a0, a0, t1", "xor a0, a0, t0", f"addi s0, s0, {s}", "bltu s0, s1, 1b",
                 "call word", "call newline", "li t0, 0x100000", "li t1, 0x5555", "sw t1, 0(t0)", "j .")
        self.out("dump:", "mv s2, ra", f"3: {ld} a0, 0(s0)", "call word", f"addi s0, s0, {s}", "bltu s0, s1, 3b",
                 "mv ra, s2", "ret")
        self.out("word:", f"li t0, {self.xlen - 4}", "li t3, 0x10000000", "4: srl t1, a0, t0", "andi t1, t1, 15",
                 "addi t1, t1, 48", "li t2, 58", "blt t1, t2, 5f", "addi t1, t1, 39", "5:", "lbu t2, 5(t3)",
                 "andi t2, t2, 0x20", "beqz t2, 5b", "sb t1, 0(t3)", "addi t0, t0, -4", "bgez t0, 4b", "newline:",
                 "li t1, 10", "li t3, 0x10000000", "sb t1, 0(t3)", "ret")

    def data(self):
        self.out(".data", ".balign 4096", "data:")
        for _ in range(DATA_PAGES * 4096 // 8 // 8):
            self.out(".quad " + ", ".join(f"{self.rng.getrandbits(64):#x}" for _ in range(8)))
        if self.paging:
            self.tables()
        self.out(".balign 64", "save:", f".zero {32 * self.size}", f"{self.word} log", "log:",
                 f".zero {3 * 1000 * self.size}", "log_end:", f".zero {8 * self.size}")

    def text(self):
        self.out(".option rvc", ".text")
        self.start()
        self.body()
        self.handler()
        self.printer()
        self.data()
        return "\n".join(self.lines) + "\n"


LINKER = f"SECTIONS {{ . = 0x80000000; .text : {{ *(.text) }} . = {DATA:#x}; .data : {{ *(.data) }} }}\n"


def build(work, name, xlen, source):
    asm, script, elf = work / f"{name}.S", work / "link.ld", work / f"{name}.elf"
    asm.write_text(source)
    script.write_text(LINKER)
    subprocess.run(["riscv64-unknown-elf-gcc", f"-march=rv{xlen}imac_zicsr_zifencei",
                    "-mabi=" + ("lp64" if xlen == 64 else "ilp32"), "-nostdlib", "-static", "-mcmodel=medany",
                    "-Wl,--no-relax", "-Wl,--no-warn-rwx-segments", "-T", script, asm, "-o", elf], check=True)
    return elf


def output(command):
    done = subprocess.run(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, timeout=60, check=False)
    return done.returncode, done.stdout.decode(errors="replace").split()


def compare(iss, work, seed, xlen, mode, paging):
    name = f"{seed}-rv{xlen}-{mode}{'-paging' if paging else ''}"
    program = Program(random.Random(name), xlen, mode, paging)
    elf = build(work, name, xlen, program.text())
    qemu = [f"qemu-system-riscv{xlen}", "-machine", "virt", "-display", "none", "-serial", "stdio", "-monitor", "none",
            "-bios", "none", "-m", "128", "-kernel", elf]
    theirs = output(qemu)
    ours = output([iss, "-kernel", elf, "--quiet", "--max-instructions", "10000000"])
    traps = sum(1 for w in ours[1][33:-1:3] if int(w, 16)) if len(ours[1]) > 33 else 0
    if ours == theirs and ours[0] == 0:
        print(f"{name}: same, {traps} traps")
        return True
    print(f"{name}: exit status {ours[0]}, QEMU's {theirs[0]}; {elf}")
    for line in list(difflib.unified_diff(theirs[1], ours[1], "qemu", "tally-iss", lineterm="", n=1))[:20]:
        print("  ", line)
    return False


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--iss", required=True, type=pathlib.Path)
    parser.add_argument("--work", required=True, type=pathlib.Path, help="directory for programs")
    parser.add_argument("--seeds", type=int, default=4)
    parser.add_argument("--first", type=int, default=1)
    args = parser.parse_args()
    for tool in ("qemu-system-riscv64", "qemu-system-riscv32", "riscv64-unknown-elf-gcc"):
        if not shutil.which(tool):
            print(f"{tool} is not installed")
            return SKIP
    args.work.mkdir(parents=True, exist_ok=True)
    bad = 0
    for seed in range(args.first, args.first + args.seeds):
        for xlen in (64, 32):
            for mode, paging in (("M", False), ("S", False), ("S", True), ("U", True)):
                bad += not compare(args.iss.resolve(), args.work, seed, xlen, mode, paging)
    print(f"{bad} differ")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
