/* SPDX-License-Identifier: Apache-2.0 */
/* One multiplication a turn, all of them in one function. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

__attribute__((noipa)) static uint64_t mix(uint64_t state, uint64_t n) {
    for (; n; n--) {
        state ^= state >> 29;
        state *= 0x9e3779b97f4a7c15;
        state ^= state << 7;
    }
    return state;
}

int main(int argc, char **argv) {
    const uint64_t n = argc > 1 ? strtoul(argv[1], NULL, 10) : 100000;

    printf("%llx\n", (unsigned long long)mix(1, n));
    return 0;
}
