/* SPDX-License-Identifier: Apache-2.0 */
/* How the run went. */
#ifndef VERDICT_H
#define VERDICT_H

/* Something is wrong: say so and go on; the run ends with FAIL. */
void wrong(const char *format, ...);
/* Nothing can go on. */
void fail(const char *format, ...);
/* The end of the run: PASS or FAIL, then off. */
void finish(void);

#endif
