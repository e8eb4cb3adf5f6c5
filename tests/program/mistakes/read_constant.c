/* SPDX-License-Identifier: Apache-2.0 */
/* A file is read to where the program may not write. */
#include <fcntl.h>
#include <unistd.h>

static const char text[64] = "constant";

int main(void) {
    const int file = open("everything.txt", O_RDONLY);

    return file < 0 ? 1 : (int)read(file, (void *)text, 4) - 4;
}
