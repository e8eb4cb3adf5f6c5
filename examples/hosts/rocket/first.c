/* SPDX-License-Identifier: Apache-2.0 */
/* Linux' first program on Rocket: perf, with the arguments that the kernel's command line has behind " -- ",
 * then tests of sw/linux, which power off. */
#include "nolibc.h"

int main(int argc, char **argv) {
    char *none[] = {NULL}, *tests[] = {"tests", "scopes", "groups", "sampling", NULL};
    int status = 0;
    pid_t child;

    (void)argc;
    mount("proc", "/proc", "proc", 0, NULL);
    mount("sys", "/sys", "sysfs", 0, NULL);
    child = fork();
    if (child == 0) {
        argv[0] = "perf";
        execve("/bin/perf", argv, none);
        exit(127);
    }
    waitpid(child, &status, 0);
    printf("perf: status %x\n", (unsigned)status);
    execve("/bin/tests", tests, none);
    return 1;
}
