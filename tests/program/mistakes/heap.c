/* SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>
#include <stdlib.h>

int main(void) {
    unsigned n = 0;

    while (malloc(1 << 20))
        n++;
    printf("%u MiB\n", n);
    return n < 3;
}
