/* SPDX-License-Identifier: Apache-2.0 */
/* An instruction of D, as assembler written for another hart has it */
int main(void) {
    __asm__ volatile(".word 0x02007053");
    return 0;
}
