/* SPDX-License-Identifier: Apache-2.0 */
static const int constant = 1;

int main(void) {
    *(volatile int *)&constant = 2;
    return 0;
}
