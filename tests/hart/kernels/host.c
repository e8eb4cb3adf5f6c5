/* SPDX-License-Identifier: Apache-2.0 */
/* A kernel on the host: exit status 1 if its result is not what the file says. */
#include <inttypes.h>
#include <stdio.h>

#include "kernel.h"

int main(void) {
    for (int run = 0; run < 2; run++) {
        const uint64_t result = the_kernel.work();

        if (result != the_kernel.result) {
            printf("%s: result 0x%016" PRIx64 " in run %d\n", the_kernel.name, result, run + 1);
            return 1;
        }
    }
    return 0;
}
