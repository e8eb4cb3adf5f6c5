/* SPDX-License-Identifier: Apache-2.0 */
#include "progress.h"

#include <stdio.h>
#include <unistd.h>

void progress_step(void *name, size_t done, size_t all) {
    enum { WIDTH = 40 };
    static const char bar[] = "########################################";
    if (!isatty(STDERR_FILENO))
        return;
    const int width = (int)((double)done * WIDTH / (double)all);
    fprintf(stderr, "\r\033[K[%.*s%*s] %3d %% of %zu records of %.40s", width, bar, WIDTH - width, "",
            (int)(100.0 * (double)done / (double)all), all, (const char *)name);
    if (done == all)
        progress_clear();
}

void progress_clear(void) {
    if (isatty(STDERR_FILENO))
        fputs("\r\033[K", stderr);
}
