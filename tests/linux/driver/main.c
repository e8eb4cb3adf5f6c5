/* SPDX-License-Identifier: Apache-2.0 */
/* The list of the tests: tally-test [NAME...], tally-test -l */
#include "test.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static const struct test *const lists[] = {rule_tests, delivery_tests, task_tests, sample_tests, aux_tests,
                                           together_tests, fuzz_tests, system_tests,
                                           /* of whole delegation, from here on */
                                           counter_tests, period_tests};
enum { ALL = sizeof lists / sizeof *lists, SPLIT = ALL - 2 };

static void run(void *test) { ((const struct test *)test)->run(); }

static const struct test *find(const char *name) {
    for (unsigned i = 0; i < ALL; i++) {
        for (const struct test *test = lists[i]; test->name; test++) {
            if (!strcmp(test->name, name))
                return test;
        }
    }
    return NULL;
}

static unsigned run_test(const struct test *test) {
    const int status = finish(start(run, (void *)(uintptr_t)test));

    printf("%s %s", status ? "wrong:" : "ok", test->name);
    printf(status < 0 ? ": signal %d\n" : "\n", -status);
    fflush(stdout);
    return status != 0;
}

/* tally-test --registers: what a program finds after exec (tasks.c) */
static int exec_registers(void) {
    return csr_read(TALLY_CSR_UBESCR) || csr_read(TALLY_CSR_UEBBHR) || csr_read(TALLY_CSR_UEBBRR);
}

int main(int argc, char **argv) {
    unsigned wrong = 0;

    if (argc == 2 && !strcmp(argv[1], "--registers"))
        return exec_registers();
    program.without_cause = !device_number("tally/caps/branch_cause", "%" SCNu64);
    if (argc > 1 && strcmp(argv[1], "-l")) {
        for (int i = 1; i < argc; i++) {
            const struct test *test = find(argv[i]);

            EXPECT(test);
            wrong += run_test(test);
        }
        return wrong != 0;
    }
    for (unsigned i = 0; i < (whole() ? ALL : SPLIT); i++) {
        for (const struct test *test = lists[i]; test->name; test++) {
            if (argc > 1)
                puts(test->name);
            else
                wrong += run_test(test);
        }
    }
    return wrong != 0;
}
