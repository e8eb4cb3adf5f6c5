// SPDX-License-Identifier: Apache-2.0
/* What a run has to hit: every cell that can be reached, but for seldom ones in a short run; any may be
 * missed where runs are added up; and none that is impossible, ever. */
#include "cross.h"

#include <stdio.h>

enum { CELLS = 4 };

static const char *const MODES[] = {"M", "U", NULL};
static const char *const RIGHTS[] = {"given", "refused", NULL};

static const char *m_is_never_refused(const struct gp_config *cfg, const unsigned at[CROSS_DIMS]) {
    (void)cfg;
    return at[0] == 0 && at[1] == 1 ? "M-mode is never refused" : NULL;
}

static unsigned reported(const char *hit, bool every_cell, bool short_run) {
    struct cross x = {.name = "modes and rights",
                      .dim = {{"mode", MODES}, {"right", RIGHTS}},
                      .impossible = m_is_never_refused,
                      .seldom = 34}; /* one of the three that can be reached */
    unsigned wrong;

    cross_init(&x, NULL);
    for (unsigned cell = 0; cell < CELLS; cell++)
        if (hit[cell] == 'x')
            cross_hit(&x, (const unsigned[CROSS_DIMS]){cell / 2, cell % 2});
    wrong = cross_report(&x, every_cell, short_run);
    cross_done(&x);
    return wrong;
}

int main(void) {
    static const struct {
        const char *hit; /* M given, M refused, U given, U refused */
        unsigned of_long, of_short, of_merged;
    } cases[] = {
        {"x.xx", 0, 0, 0}, {"x.x.", 1, 0, 0}, {"x...", 2, 2, 0},
        {"....", 3, 3, 0}, {"xxxx", 1, 1, 1}, {".x..", 4, 4, 1},
    };
    unsigned wrong = 0;

    for (size_t n = 0; n < sizeof(cases) / sizeof(*cases); n++) {
        unsigned of_long = reported(cases[n].hit, false, false);
        unsigned of_short = reported(cases[n].hit, false, true);
        unsigned of_merged = reported(cases[n].hit, true, false);

        if (of_long == cases[n].of_long && of_short == cases[n].of_short && of_merged == cases[n].of_merged)
            continue;
        printf("%s: wrong %u, %u, %u; must be %u, %u, %u\n", cases[n].hit, of_long, of_short, of_merged,
               cases[n].of_long, cases[n].of_short, cases[n].of_merged);
        wrong++;
    }
    return wrong ? 1 : 0;
}
