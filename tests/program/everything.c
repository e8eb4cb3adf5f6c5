/* SPDX-License-Identifier: Apache-2.0 */
/* Services for a program of one's own: arguments, environment, files, heap, clock, input, exit status. */
#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

static int on_exit_seen;

static void at_end(void) { printf("at exit: %d\n", on_exit_seen); }

__attribute__((constructor)) static void early(void) { on_exit_seen = 1; }

static void files(void) {
    char line[64];
    struct stat st;
    FILE *f = fopen("out.txt", "w");

    fprintf(f, "%s %d\n", "written", 42);
    fclose(f);
    printf("size %ld\n", stat("out.txt", &st) == 0 ? (long)st.st_size : -1);
    f = fopen("out.txt", "a+");
    fputs("more\n", f);
    rewind(f);
    while (fgets(line, sizeof line, f))
        printf("read: %s", line);
    fclose(f);
    rename("out.txt", "kept.txt");
    errno = 0;
    printf("gone: %s\n", fopen("out.txt", "r") ? "no" : strerror(errno));
    printf("outside: %s\n", fopen("../outside", "r") ? "open" : "refused");
}

/* Every length and offset up to two words and a bit, against loops */
static int strings(void) {
    static unsigned char a[96], b[96], want[96];
    int wrong = 0;

    for (unsigned from = 0; from < 9; from++) {
        for (unsigned to = 0; to < 9; to++) {
            for (unsigned n = 0; n < 70; n++) {
                for (unsigned i = 0; i < 96; i++) {
                    a[i] = (unsigned char)(i * 7 + n);
                    b[i] = want[i] = (unsigned char)(200 - i);
                }
                for (unsigned i = 0; i < n; i++)
                    want[to + i] = a[from + i];
                wrong += memcpy(b + to, a + from, n) != b + to || memcmp(b, want, 96) != 0;
                for (unsigned i = 0; i < n; i++)
                    want[to + i] = 0x5a;
                wrong += memset(b + to, 0x15a, n) != b + to || memcmp(b, want, 96) != 0;
            }
        }
    }
    return wrong;
}

int main(int argc, char **argv, char **envp) {
    char line[64];
    uint64_t sum = 0;

    atexit(at_end);
    for (int i = 0; i < argc; i++)
        printf("argument %d: %s\n", i, argv[i]);
    printf("environment: %s, %s\n", getenv("COLOUR"), envp[0]);
    files();
    while (fgets(line, sizeof line, stdin))
        printf("input: %s", line);
    char *big = malloc(1 << 18);
    for (size_t i = 0; i < 1 << 18; i += 1 << 10)
        big[i] = 7;
    for (size_t i = 0; i < 1 << 18; i += 1 << 10)
        sum += (uint64_t)big[i];
    printf("heap: %llu\n", (unsigned long long)sum);
    printf("floating point in software: %.3f\n", (double)argc / 7);
    printf("clock goes on: %d\n", clock() > 0);
    if (argc > 3)
        printf("wrong copies: %d\n", strings());
    fprintf(stderr, "to the error stream\n");
    write(1, "direct\n", 7);
    return 42;
}
