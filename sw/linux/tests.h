/* SPDX-License-Identifier: Apache-2.0 */
#ifndef TESTS_H
#define TESTS_H

/* Each prints what it measured and ends the run if it is wrong. `memory`: KNOWN_MEMORY bytes. */
void test_counting(void *memory);
void test_firmware_events(void *memory);
void test_scopes(void *memory);
void test_group(void *memory);
void test_multiplexing(void *memory);
void test_sampling(void *memory);

#endif
