/* SPDX-License-Identifier: Apache-2.0 */
/* The extension FWFT (ext_fwft.c). */
#ifndef FW_FWFT_H
#define FW_FWFT_H

/* Before the supervisor runs: no feature locked, which ones there are. Features have the values that the
 * registers have. */
void fwft_setup_hart(void);

#endif
