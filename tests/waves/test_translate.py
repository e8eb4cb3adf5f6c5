#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""tally-translate answers every line with a line, by the names of spec/: test_translate.py TALLY_TRANSLATE ELF"""

import subprocess
import sys

TOOL, ELF = sys.argv[1:]

# arguments, value, answer
CASES = [
    (["insn"], "30200073", "mret"),
    (["insn"], "00008082", "ret"),
    (["insn"], "00000000", ".short 0x0000"),
    (["insn"], "ffffffff", ".word 0xffffffff"),
    (["insn"], "xxxxxxxx", "xxxxxxxx"),
    (["insn"], "", ""),
    (["irqs"], "0000000000002080", "MTI LCOFI"),
    (["irqs"], "0", "-"),
    (["cause"], "800000000000000d", "irq LCOFI"),
    (["cause"], "0000000000000008", "ECALL_U"),
    (["event"], "c000000000000002", "INST.RET !M OF"),
    (["event"], "0", "none"),
    (["retire"], "3", "INST LOAD"),
    (["cycle"], "1", "CYCLE"),
    (["fields", "mpdisctl"], "a000000100000001", "SEL=1 MEM S OF"),
    (["fields mpdisctl"], "a000000100000001", "SEL=1 MEM S OF"),  # as GTKWave hands it over
    (["fields", "pdishdrev"], "0000008100000001", "TYPE=1 FLUSHED L1MISS"),
    (["fields", "pdishdrev"], "0000008000000004", "TYPE=4 TRET"),
    (["pc", ELF], "80000000", "_start"),
    ([f"pc {ELF}"], "80000004", "_start+0x4"),
    (["pc"], "80000000", "80000000"),
]
REFUSED = [[], ["nothing"], ["fields"], ["fields", "no_such_register"], ["insn", "more"], ["pc", "/no/such/file"]]


def main():
    wrong = 0
    for arguments, value, answer in CASES:
        done = subprocess.run([TOOL, *arguments], input=value + "\n", capture_output=True, text=True, check=False)
        if done.returncode or done.stdout != answer + "\n":
            wrong += 1
            print(f"{arguments} {value}: {done.stdout!r} instead of {answer!r} {done.stderr}")
    for arguments in REFUSED:
        done = subprocess.run([TOOL, *arguments], input="0\n", capture_output=True, text=True, check=False)
        if done.returncode != 2 or not done.stderr:
            wrong += 1
            print(f"{arguments}: status {done.returncode} instead of 2")
    print(f"{wrong} answers are wrong")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
