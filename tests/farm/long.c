/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Long programs for sampled simulation (docs/farm.md): `long NAME ROUNDS`, above sw/program. Each has phases
 * that differ in their cycles per instruction. Each prints a sum in which every value and its place matter.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static uint64_t state = 1;

static uint32_t dice(void) {
    state = state * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(state >> 32);
}

static uint64_t mix(uint64_t sum, uint64_t value) { return (sum ^ value) * 0x9e3779b97f4a7c15u + 1; }

/* --- records are made, sorted by heap sort, and looked up by bisection ------------------------------ */

enum { RECORDS = 20000 };
struct record {
    uint32_t key, value;
};

static void sift(struct record *a, size_t at, size_t n) {
    const struct record moved = a[at];
    for (size_t child; (child = 2 * at + 1) < n; at = child) {
        if (child + 1 < n && a[child].key < a[child + 1].key)
            child++;
        if (a[child].key <= moved.key)
            break;
        a[at] = a[child];
    }
    a[at] = moved;
}

static uint64_t records(uint64_t sum) {
    static struct record a[RECORDS];
    for (size_t i = 0; i < RECORDS; i++)
        a[i] = (struct record){dice(), (uint32_t)i};
    for (size_t i = RECORDS / 2; i-- > 0;)
        sift(a, i, RECORDS);
    for (size_t i = RECORDS; i-- > 1;) {
        const struct record last = a[i];
        a[i] = a[0];
        a[0] = last;
        sift(a, 0, i);
    }
    for (size_t i = 0; i < RECORDS; i++) {
        const uint32_t key = dice();
        size_t low = 0, high = RECORDS;
        while (low < high) {
            const size_t middle = (low + high) / 2;
            if (a[middle].key < key)
                low = middle + 1;
            else
                high = middle;
        }
        sum = mix(sum, low < RECORDS ? a[low].value : 0);
    }
    return sum;
}

/* --- a graph with nodes all over memory: breadth first, then relaxation until nothing changes -------- */

enum { NODES = 8192, EDGES = 4 };

static uint64_t graph(uint64_t sum) {
    static uint16_t to[NODES][EDGES], queue[NODES];
    static uint8_t weight[NODES][EDGES];
    static uint32_t hops[NODES], far[NODES];
    size_t head = 0, tail = 0;
    for (size_t i = 0; i < NODES; i++) {
        hops[i] = far[i] = UINT32_MAX;
        for (size_t e = 0; e < EDGES; e++) {
            to[i][e] = (uint16_t)(dice() % NODES);
            weight[i][e] = (uint8_t)(1 + dice() % 9);
        }
    }
    hops[0] = far[0] = 0;
    queue[tail++] = 0;
    while (head < tail) {
        const uint16_t at = queue[head++];
        for (size_t e = 0; e < EDGES; e++)
            if (hops[to[at][e]] == UINT32_MAX) {
                hops[to[at][e]] = hops[at] + 1;
                queue[tail++] = to[at][e];
            }
    }
    for (int changed = 1; changed;) {
        changed = 0;
        for (size_t i = 0; i < NODES; i++)
            for (size_t e = 0; e < EDGES && far[i] != UINT32_MAX; e++)
                if (far[i] + weight[i][e] < far[to[i][e]]) {
                    far[to[i][e]] = far[i] + weight[i][e];
                    changed = 1;
                }
    }
    for (size_t i = 0; i < NODES; i++)
        sum = mix(sum, (uint64_t)hops[i] << 32 | far[i]);
    return sum;
}

/* --- text: words are made, counted in a hash table of lists, and printed into a buffer --------------- */

enum { WORDS = 12000, BUCKETS = 4096 };
struct word {
    struct word *next;
    unsigned count;
    char text[12];
};

static uint64_t text(uint64_t sum) {
    static struct word *bucket[BUCKETS];
    static struct word pool[WORDS];
    size_t used = 0;
    char line[64];
    memset(bucket, 0, sizeof bucket);
    for (size_t i = 0; i < WORDS; i++) {
        char made[12];
        const size_t length = 2 + dice() % 4;
        uint32_t hash = 2166136261u;
        for (size_t k = 0; k < length; k++)
            made[k] = (char)('a' + dice() % 7);
        made[length] = 0;
        for (const char *c = made; *c; c++)
            hash = (hash ^ (uint8_t)*c) * 16777619u;
        struct word **w = &bucket[hash % BUCKETS];
        while (*w && strcmp((*w)->text, made) != 0)
            w = &(*w)->next;
        if (!*w) {
            *w = &pool[used++];
            **w = (struct word){NULL, 0, ""};
            memcpy((*w)->text, made, length + 1);
        }
        (*w)->count++;
    }
    for (size_t i = 0; i < used; i += 8) {
        const int n = snprintf(line, sizeof line, "%s %u", pool[i].text, pool[i].count);
        for (int k = 0; k < n; k++)
            sum = mix(sum, (uint8_t)line[k]);
    }
    return sum;
}

/* --- numbers: products of matrices, Mandelbrot in fixed point, digits of e by division -------------- */

enum { SIDE = 64, DIGITS = 400 };

static uint64_t numbers(uint64_t sum) {
    static int32_t a[SIDE][SIDE], b[SIDE][SIDE];
    static uint32_t rest[DIGITS];
    for (int i = 0; i < SIDE; i++)
        for (int j = 0; j < SIDE; j++) {
            a[i][j] = (int32_t)(dice() >> 8);
            b[i][j] = (int32_t)(dice() >> 8);
        }
    for (int i = 0; i < SIDE; i++)
        for (int j = 0; j < SIDE; j++) {
            int64_t total = 0;
            for (int k = 0; k < SIDE; k++)
                total += (int64_t)a[i][k] * b[k][j];
            sum = mix(sum, (uint64_t)total);
        }
    for (int y = -24; y < 24; y++)
        for (int x = -40; x < 20; x++) {
            int64_t re = 0, im = 0;
            unsigned n = 0;
            for (; n < 60 && re * re + im * im < (int64_t)4 << 40; n++) {
                const int64_t next = ((re * re - im * im) >> 20) + x * 50000;
                im = (2 * re * im >> 20) + y * 50000;
                re = next;
            }
            sum = mix(sum, n);
        }
    for (int i = 0; i < DIGITS; i++)
        rest[i] = 1;
    for (int d = 0; d < 60; d++) {
        uint32_t carry = 0;
        for (uint32_t i = DIGITS - 1; i > 0; i--) {
            const uint32_t value = rest[i] * 10 + carry;
            carry = value / (i + 1);
            rest[i] = value % (i + 1);
        }
        sum = mix(sum, carry);
    }
    return sum;
}

/* --- an interpreter: a virtual machine executes programs that are made at random -------------------- */

enum { CODE = 512, CELLS = 65536, STEPS = 150000 };

static uint64_t interpreter(uint64_t sum) {
    static uint32_t code[CODE], cell[CELLS];
    uint32_t acc = 1, other = 2, at = 0;
    for (size_t i = 0; i < CODE; i++)
        code[i] = dice();
    for (unsigned step = 0; step < STEPS; step++) {
        const uint32_t insn = code[at], operand = insn >> 8;
        at = (at + 1) % CODE;
        switch (insn & 15) {
        case 0:
            acc += operand;
            break;
        case 1:
            acc ^= other;
            break;
        case 2:
            other = acc >> 3;
            break;
        case 3:
            acc *= other | 1;
            break;
        case 4:
        case 5:
            acc += cell[(acc ^ operand) % CELLS];
            break;
        case 6:
        case 7:
            cell[(other + operand) % CELLS] = acc;
            break;
        case 8:
            if (acc & 1)
                at = operand % CODE;
            break;
        case 9:
            if ((acc & 6) == 0)
                at = (at + operand) % CODE;
            break;
        case 10:
            acc = acc % (operand | 1);
            break;
        case 11:
            acc = acc << 7 | acc >> 25;
            break;
        case 12:
            other ^= acc * 2654435761u;
            break;
        case 13:
            code[operand % CODE] += 16;
            break;
        default:
            acc -= other;
            break;
        }
    }
    return mix(mix(sum, acc), other);
}

static const struct {
    const char *name;
    uint64_t (*work)(uint64_t sum);
} works[] = {{"records", records},
             {"graph", graph},
             {"text", text},
             {"numbers", numbers},
             {"interpreter", interpreter}};

int main(int argc, char **argv) {
    const long rounds = argc == 3 ? strtol(argv[2], NULL, 10) : 0;
    for (size_t i = 0; i < sizeof works / sizeof *works && rounds > 0; i++)
        if (strcmp(argv[1], works[i].name) == 0) {
            uint64_t sum = 0;
            for (long k = 0; k < rounds; k++)
                sum = works[i].work(sum);
            printf("%s: %016llx\n", argv[1], (unsigned long long)sum);
            return 0;
        }
    fputs("long NAME ROUNDS\n", stderr);
    return 2;
}
