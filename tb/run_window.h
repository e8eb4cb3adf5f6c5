// SPDX-License-Identifier: Apache-2.0
/* The window of a run in which waves are written, and the conditions on which it opens and closes. */
#ifndef TALLY_RUN_WINDOW_H
#define TALLY_RUN_WINDOW_H

#include "run_state.h"

enum { WATCH_WINDOW, WATCH_STOP, WATCHES }; /* conditions: indices of sim.watch_pc */

/* Says that the output file is not whole; the run's status tells it, too. */
void run_unwritten(struct run *run, const char *path);

bool run_open_waves(struct run *run); /* false: `errno` says why */
void run_close_waves(struct run *run);
/* ... and none are opened again. */
void run_close_window(struct run *run);
/* The state of the golden models of a hart, for the waves of this cycle */
void run_show_golden(struct run *run, unsigned hart);

/* The next condition; NULL: none. */
struct condition *run_condition(struct run *run, unsigned watch);
bool run_condition_holds(struct run *run, unsigned watch);
/* Opens or closes the window if its condition holds. */
bool run_move_window(struct run *run, struct error *error);

unsigned run_flags(struct run *run); /* enum sim_flags that the run needs now */

#endif
