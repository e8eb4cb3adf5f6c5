// SPDX-License-Identifier: Apache-2.0
/*
 * The UART's other end: standard input and output, and a progress line on standard error between them.
 *
 * A terminal on standard input is switched to single characters without echo, and restored by
 * terminal_close(), at exit and by signals that end the program. Ctrl-C remains a signal.
 */
#ifndef TALLY_TERMINAL_H
#define TALLY_TERMINAL_H

#include <stdbool.h>
#include <stdint.h>

/* Without `input` standard input is left alone: a program reads it by the host device. */
void terminal_open(bool input);
void terminal_close(void);

/* Has a signal requested the end? */
bool terminal_interrupted(void);

void terminal_put(uint8_t byte);
void terminal_flush(void);

/* Read the input that is available, at most `room` bytes; never waits. */
unsigned terminal_read(uint8_t *bytes, unsigned room);

/* Show a line of progress if standard error is a terminal; NULL removes it. */
void terminal_progress(const char *text);
bool terminal_shows_progress(void);

#endif
