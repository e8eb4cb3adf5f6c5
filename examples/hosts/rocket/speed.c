// SPDX-License-Identifier: Apache-2.0
// Work without an end, for the speed of the simulation: nothing of it asks for a counter.
#include "../works.h"

int main(void) {
    for (volatile uint32_t seed = 1;;)
        seed = crc(seed) + matrix(seed) + sort(seed) + string(seed) + machine(seed);
}
