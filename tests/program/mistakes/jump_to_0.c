/* SPDX-License-Identifier: Apache-2.0 */
int main(void) {
    void (*volatile nowhere)(void) = 0;

    nowhere();
    return 0;
}
