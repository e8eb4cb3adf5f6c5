#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""tally-translate insn disassembles every instruction of the programs as binutils' objdump does.

    test_disassemble.py TALLY_TRANSLATE ELF...
"""

import re
import subprocess
import sys

OBJDUMP = "riscv64-unknown-elf-objdump"
# Instructions that objdump names by the register form although the last operand is a number
IMMEDIATE = ("add", "addw", "and", "or", "xor", "sll", "srl", "sra", "sllw", "srlw", "sraw", "slt", "sltu", "ror",
             "rorw")
TRANSFERS = ("j", "jal", "beq", "bne", "blt", "bge", "bltu", "bgeu", "beqz", "bnez", "blez", "bgez", "bltz", "bgtz")


def lines_of(command):
    done = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    return re.findall(r"^ *([0-9a-f]+):\t([0-9a-f]+) *\t(\S+)\t?(.*)$", done, re.M)


def translate(tool, words):
    done = subprocess.run([tool, "insn"], input="\n".join(words) + "\n", capture_output=True, text=True, check=True)
    return done.stdout.splitlines()


def expected(address, word, name, operands):
    """objdump's line in the form of ours: targets relative to the pc, no symbols, no comments."""
    operands = re.sub(r"\s*(#.*|<.*>)?$", "", operands)
    if name in ("unimp", ".2byte", ".4byte"):
        return f".short 0x{word}" if len(word) == 4 else f".word 0x{word}" if word != "c0001073" else "csrw cycle,zero"
    if name in TRANSFERS:
        before, target = re.fullmatch(r"(.*,)?(?:0x)?([0-9a-f]+)", operands).groups()
        return f"{name} {before or ''}.{int(target, 16) - address:+d}"
    number = re.search(r",(-?[0-9]+|0x[0-9a-f]+)$", operands)
    if number and name in IMMEDIATE:
        name = "sltiu" if name == "sltu" else name[:-1] + "iw" if name.endswith("w") else name + "i"
    if number and re.fullmatch("csrr?[wsc]", name):  # objdump drops the i of unknown registers
        name += "i"
    return f"{name} {operands}".strip()


def same(want, found):
    """Registers that spec/ does not have, or calls otherwise, may have another name, or a number."""
    apart = [(w, f) for w, f in zip(re.split("[ ,]", want), re.split("[ ,]", found)) if w != f]
    unknown = want.startswith(".word") and found.startswith("csr")
    return want == found or unknown or (want.startswith("csr") and len(apart) == 1)


def compare(tool, dump):
    wrong = 0
    for (address, word, name, operands), found in zip(dump, translate(tool, [word for _, word, _, _ in dump])):
        want = expected(int(address, 16), word, name, operands)
        if not same(want, found):
            wrong += 1
            if wrong <= 20:
                print(f"{word}: objdump: {want}; tally-translate: {found}")
    return wrong


def main(argv):
    tool, programs = argv[0], argv[1:]
    wrong = seen = 0
    for elf in programs:
        dump = lines_of([OBJDUMP, "-d", elf])
        seen += len(dump)
        wrong += compare(tool, dump)
    print(f"{seen} instructions compared, {wrong} differ")
    return 1 if wrong or not seen else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
