# SPDX-License-Identifier: Apache-2.0
"""A program that copies a file, by lines, and says `here` after the first one: a place for a checkpoint."""
import subprocess

PROGRAM = r"""
#include <stdio.h>
#include <string.h>
int main(void) {
    char line[64];
    FILE *in = fopen("in", "r"), *out = fopen("sub/out", "w");
    if (!in || !out || !fgets(line, sizeof line, in)) return 1;
    fputs(line, out);
    fflush(out);
    puts("here");
    fflush(stdout);
    while (fgets(line, sizeof line, in)) fputs(line, out);
    if (fclose(out) != 0) return 3;
    puts("there");
    return strcmp(line, "last\n") == 0 ? 7 : 2;
}
"""
TEXT = "first\nsecond\nlast\n"
AT = "text:here\n"    # the condition of the checkpoint
COPIED = "first\n"    # by then
REST = "there\n"      # of the console
STATUS = 7


class OpenFiles:
    """The program, and its files in folder/files."""

    def __init__(self, build, folder):
        (folder / "files/sub").mkdir(parents=True)
        self.input, self.output = folder / "files/in", folder / "files/sub/out"
        (folder / "host.c").write_text(PROGRAM, encoding="utf-8")
        subprocess.run([build / "tally-cc", "-O2", folder / "host.c", "-o", folder / "host.elf"], check=True)
        self.input.write_text(TEXT, encoding="utf-8")
        self.start = ["-bios", build / "sw/firmware.elf", "-kernel", build / "sw/program.elf", "--program",
                      folder / "host.elf", "--set", "program_mode=0", "--files", folder / "files", "--quiet"]

    def rewind(self):
        """The output as it was at the checkpoint."""
        self.output.write_text(COPIED, encoding="utf-8")

    def is_copied(self):
        return self.output.read_text(encoding="utf-8") == TEXT
