// SPDX-License-Identifier: Apache-2.0
// Coverage and failures of the bench's runs
#include "bench.h"

uint64_t cover[C_N];
FaultyWire faulty;

void Bench::fail(const char *format, ...) {
    va_list args;
    va_start(args, format);
    if (!failed && faulty.wire < 0) {
        printf("seed %" PRIu64 ", cycle %" PRIu64 ": ", seed_, cycle);
        vprintf(format, args);
        printf("\n");
    }
    failed = true;
    va_end(args);
}
