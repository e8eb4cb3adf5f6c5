// SPDX-License-Identifier: Apache-2.0
/* Labels of several groups */
#include "cover_group.h"

#include <stddef.h>

const char *const cover_no_yes[] = {"no", "yes", NULL};
const char *const cover_zero_one[] = {"0", "1", NULL};
const char *const cover_modes[] = {"M", "S", "U", "VS", "VU", NULL};
const char *const cover_access_kinds[] = {"read", "write", NULL};

const char cover_no_hyp[] = "V=1 does not exist (HYP=0)";
const char cover_no_counter[] = "there is no programmable counter (HPM_N=0)";
const char cover_no_andes[] = "the Andes view is not built (ANDES=0)";
const char cover_no_stateen[] = "without Smstateen every bit counts as 1";
