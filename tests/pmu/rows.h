// SPDX-License-Identifier: Apache-2.0
/* First numbers of rows of 32 CSRs, of which the first three are other registers or none. */
#ifndef PMU_ROWS_H
#define PMU_ROWS_H

#include "tally_spec.h"

enum { ROW_EVENTH = TALLY_CSR_MHPMEVENT3H - 3 };

#endif
