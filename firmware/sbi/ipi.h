/* SPDX-License-Identifier: Apache-2.0 */
/* Software interrupts for supervisors (SBI IPI extension, and its legacy call). */
#ifndef FW_IPI_H
#define FW_IPI_H

#include "sbi.h"

/* Make the supervisor's software interrupt pending on the harts that an SBI hart mask names. */
enum sbi_error ipi_send(unsigned long mask, unsigned long base);

#endif
