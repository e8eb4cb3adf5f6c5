/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Calls of a program in U-mode to the supervisor of sw/program: ecall with the number in a7, arguments in
 * a0 to a2; the result in a0, -errno (of picolibc, below 35) if it failed.
 */
#ifndef USER_CALLS_H
#define USER_CALLS_H

#define CALL_EXIT 1   /* status, 0 to 255 */
#define CALL_OPEN 2   /* path, enum host_open of tb/host_device.h -> file */
#define CALL_CLOSE 3  /* file */
#define CALL_READ 4   /* file, buffer, bytes -> bytes */
#define CALL_WRITE 5  /* file, buffer, bytes -> bytes */
#define CALL_SEEK 6   /* file, offset, 0 start, 1 here, 2 end -> position */
#define CALL_SIZE 7   /* file -> bytes, -ESPIPE for the console */
#define CALL_REMOVE 8 /* path */
#define CALL_RENAME 9 /* old path, new path */
#define CALL_BREAK                                                                                           \
    10 /* new end of the heap, or 0 -> end of the heap; it does not change if there is no room */
#define CALL_CLOCK 11 /* -> nanoseconds since the machine's start, by the time CSR */

#endif
