// SPDX-License-Identifier: Apache-2.0
/* tally-refine: shorten the wires and the longest paths of a placement. Used by scripts/placement.py between
 * nextpnr's placement and its routes. */
#include "refine.h"

#include <getopt.h>
#include <stdlib.h>
#include <string.h>

enum { STATUS_USAGE = 2 };

static void usage(FILE *out) {
    fputs("usage: tally-refine [options] PLACED REFINED\n\n"
          "  --settle N   rounds that make wires shorter, of four moves a cell each (150)\n"
          "  --rounds N   rounds that make the longest paths shorter, of 20,000 moves each (150)\n"
          "  --enough F   MHz: no more of the latter when so much is expected\n"
          "  --seed N     of the moves (1)\n"
          "  --quiet      no progress\n\n"
          "PLACED is what scripts/placement.py writes (placement.h); REFINED has a line \"X Y SLOT\" for "
          "each cell.\n"
          "Exit status: 0 done, 2 bad input.\n",
          out);
}

static void report(const char *what, unsigned rounds, const struct refine_result *now) {
    printf("  %u rounds for %s: %.2f MHz expected, %ld tiles of wire, %lu of %lu moves kept\n", rounds, what,
           1e3 / now->longest, now->wire, now->kept, now->tried);
    fflush(stdout);
}

static bool parse_number(const char *option, const char *text, uint64_t most, uint64_t *value) {
    char *end;
    *value = strtoull(text, &end, 10);
    if (text[0] >= '0' && text[0] <= '9' && !*end && *value <= most)
        return true;
    fprintf(stderr, "tally-refine: --%s %s: must be a number up to %llu\n", option, text,
            (unsigned long long)most);
    return false;
}

/* Of a frequency */
static bool parse_period(const char *option, const char *text, double *ns) {
    char *end;
    const double mhz = strtod(text, &end);
    if (text[0] >= '0' && text[0] <= '9' && !*end && mhz >= 1 && mhz <= 1e4) {
        *ns = 1e3 / mhz;
        return true;
    }
    fprintf(stderr, "tally-refine: --%s %s: must be a frequency of 1 to 10000 MHz\n", option, text);
    return false;
}

static bool check_paths(const char *path, double longest) {
    if (longest > 0 && longest <= LONGEST_MOST)
        return true;
    if (longest > 0)
        fprintf(stderr, "tally-refine: %s: a path of %.1f ns: at most %d are accepted\n", path, longest,
                LONGEST_MOST);
    else
        fprintf(stderr, "tally-refine: %s: no path begins at a register and ends at one\n", path);
    return false;
}

int main(int argc, char **argv) {
    static const struct option known[] = {{"rounds", required_argument, NULL, 'r'},
                                          {"enough", required_argument, NULL, 'e'},
                                          {"settle", required_argument, NULL, 'w'},
                                          {"seed", required_argument, NULL, 's'},
                                          {"quiet", no_argument, NULL, 'q'},
                                          {"help", no_argument, NULL, 'h'},
                                          {0}};
    struct refine_options options = {.settle = 150,
                                     .heat = 2,
                                     .rounds = 150,
                                     .seed = 1,
                                     .first = 0.2,
                                     .last = 0.15,
                                     .wire_cost = 3e-4,
                                     .crowd_cost = 1e-5};
    bool quiet = false;
    uint64_t value;
    for (int c; (c = getopt_long(argc, argv, "", known, NULL)) != -1;) {
        switch (c) {
        case 'w':
            if (!parse_number("settle", optarg, 1000000, &value))
                return STATUS_USAGE;
            options.settle = (unsigned)value;
            break;
        case 'r':
            if (!parse_number("rounds", optarg, 1000000, &value))
                return STATUS_USAGE;
            options.rounds = (unsigned)value;
            break;
        case 'e':
            if (!parse_period("enough", optarg, &options.enough))
                return STATUS_USAGE;
            break;
        case 's':
            if (!parse_number("seed", optarg, UINT32_MAX, &options.seed))
                return STATUS_USAGE;
            break;
        case 'q':
            quiet = true;
            break;
        case 'h':
            usage(stdout);
            return EXIT_SUCCESS;
        default:
            usage(stderr);
            return STATUS_USAGE;
        }
    }
    if (argc - optind != 2) {
        usage(stderr);
        return STATUS_USAGE;
    }
    struct placement placement;
    struct error error;
    if (!placement_read(&placement, argv[optind], &error)) {
        fprintf(stderr, "tally-refine: %s\n", error.text);
        return STATUS_USAGE;
    }
    const struct refine_result before = refine_measure(&placement);
    if (!check_paths(argv[optind], before.longest)) {
        placement_free(&placement);
        return STATUS_USAGE;
    }
    const struct refine_result after = refine(&placement, &options, quiet ? NULL : report);
    printf("refined: %.2f MHz expected, before %.2f; %ld tiles of wire, before %ld\n", 1e3 / after.longest,
           1e3 / before.longest, after.wire, before.wire);
    const bool written = placement_write(&placement, argv[optind + 1], &error);
    if (!written)
        fprintf(stderr, "tally-refine: %s\n", error.text);
    placement_free(&placement);
    return written ? EXIT_SUCCESS : STATUS_USAGE;
}
