/* SPDX-License-Identifier: Apache-2.0 */
static int deeper(int n) {
    volatile char frame[4096];

    frame[0] = (char)n;
    return deeper(n + 1) + frame[0];
}

int main(void) { return deeper(0); }
