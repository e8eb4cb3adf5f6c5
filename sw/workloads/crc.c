/* SPDX-License-Identifier: Apache-2.0 */
/* CRC-32 (IEEE 802.3, reflected), a byte a step with a table that it makes itself. */
#include "input.h"
#include "workload.h"

static uint32_t table[256];
static uint8_t data[CRC_N];

static void setup(void) {
    uint64_t state = CRC_SEED;

    for (int i = 0; i < CRC_N; i++)
        data[i] = (uint8_t)input_next(&state);
}

static void make_table(void) {
    for (uint32_t i = 0; i < 256; i++) {
        uint32_t c = i;

        for (int k = 0; k < 8; k++)
            c = c & 1 ? 0xedb88320u ^ c >> 1 : c >> 1;
        table[i] = c;
    }
}

static uint64_t work(void) {
    uint32_t crc = UINT32_MAX;

    make_table();
    for (int i = 0; i < CRC_N; i++)
        crc = table[(crc ^ data[i]) & 0xff] ^ crc >> 8;
    return ~crc;
}

WORKLOAD("crc", setup, work, EXPECTED_CRC)
