/* SPDX-License-Identifier: Apache-2.0 */
#ifndef TESTS_H
#define TESTS_H

/* Each prints its measurements and ends the run if they are wrong. `memory`: KNOWN_MEMORY bytes. */
void test_counting(void *memory);
void test_firmware_events(void *memory);
void test_scopes(void *memory);
void test_group(void *memory);
void test_multiplexing(void *memory);
void test_sampling(void *memory);

#endif
