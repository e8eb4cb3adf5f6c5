/* SPDX-License-Identifier: Apache-2.0 */
/* The first and only program: tests the kernel's perf events on this machine, says how it went, and powers
 * off. Its arguments, which the kernel's command line has behind " -- ", name the tests; without any it is
 * all. */
#include "nolibc.h"

#include "known.h"
#include "tests.h"
#include "verdict.h"

static const struct test {
    const char *name;
    void (*run)(void *memory);
} tests[] = {
    {"counting", test_counting}, {"firmware-events", test_firmware_events}, {"scopes", test_scopes},
    {"groups", test_group},      {"multiplexing", test_multiplexing},       {"sampling", test_sampling},
};

enum { TESTS = sizeof tests / sizeof *tests };

static const struct test *find(const char *name) {
    for (int i = 0; i < TESTS; i++)
        if (!strcmp(tests[i].name, name))
            return &tests[i];
    fail("there is no test \"%s\"", name);
    return NULL;
}

int main(int argc, char **argv) {
    void *memory = mmap(NULL, KNOWN_MEMORY, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

    printf("init: started\n");
    if (memory == MAP_FAILED)
        fail("no memory");
    memset(memory, 1, KNOWN_MEMORY);
    for (int i = 0; i < TESTS && argc < 2; i++)
        tests[i].run(memory);
    for (int i = 1; i < argc; i++)
        find(argv[i])->run(memory);
    finish();
    return 0;
}
