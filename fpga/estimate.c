// SPDX-License-Identifier: Apache-2.0
#include "estimate.h"

#include <math.h>
#include <stdlib.h>

/* ns: a wire of n steps takes STEP * (BASE + n) */
static const double STEP = 0.085;
enum { BASE = 6, NEAR = 5 };

static double *numbers(int n) {
    double *list = calloc(n ? (size_t)n : 1, sizeof *list);
    if (!list)
        abort();
    return list;
}

void estimate_new(struct estimate *e, const struct placement *p) {
    *e = (struct estimate){.before = numbers(p->nets_n),
                           .behind = numbers(p->nets_n),
                           .weight = numbers(p->arcs_n),
                           .then = numbers(p->arcs_n),
                           .now = numbers(p->arcs_n)};
}

void estimate_free(struct estimate *e) {
    free(e->before);
    free(e->behind);
    free(e->weight);
    free(e->then);
    free(e->now);
}

static int steps(int distance) { return distance < NEAR ? 2 * distance : NEAR + distance; }

double estimate_wire(const struct placement *p, const struct arc *arc) {
    if (arc->dedicated)
        return 0;
    const struct cell *from = &p->cells[p->nets[arc->net].driver], *to = &p->cells[arc->sink];
    return STEP * (BASE + steps(abs(from->x - to->x)) + steps(abs(from->y - to->y)));
}

void estimate_all(struct estimate *e, const struct placement *p) {
    const double t = e->temperature;
    for (int i = 0; i < p->arcs_n; i++)
        e->then[i] = e->now[i] = estimate_wire(p, &p->arcs[i]);
    for (int i = 0; i < p->nets_n; i++)
        e->before[i] = p->nets[i].start < 0 ? 0 : exp(p->nets[i].start / t);
    for (int i = 0; i < p->nets_n; i++) {
        const struct net *net = &p->nets[p->order[i]];
        for (int j = 0; j < net->arcs_n && e->before[p->order[i]] > 0; j++) {
            const struct arc *arc = &p->arcs[net->arcs[j]];
            const double arrives = e->before[p->order[i]] * exp(e->now[net->arcs[j]] / t);
            for (int k = 0; k < arc->n; k++)
                e->before[arc->to[k]] += arrives * exp(arc->way[k] / t);
        }
    }
    e->sum = 0;
    for (int i = p->nets_n - 1; i >= 0; i--) {
        const int n = p->order[i];
        e->behind[n] = 0;
        for (int j = 0; j < p->nets[n].arcs_n; j++) {
            const int a = p->nets[n].arcs[j];
            const struct arc *arc = &p->arcs[a];
            const double wire = exp(e->now[a] / t);
            const double ends = arc->end < 0 ? 0 : wire * exp(arc->end / t);
            double leaves = ends;
            for (int k = 0; k < arc->n; k++)
                leaves += wire * exp(arc->way[k] / t) * e->behind[arc->to[k]];
            e->sum += e->before[n] * ends;
            e->behind[n] += leaves;
            e->weight[a] = e->before[n] * leaves;
        }
    }
}

double estimate_change(const struct estimate *e, int arc, double wire) {
    /* Most arcs are far from any long path, and exp() takes time. */
    static const double NOTHING = 1e-12, FAR = 3;
    const double weight = e->weight[arc] / e->sum;
    if (wire == e->now[arc] || (weight < NOTHING && wire - e->then[arc] < FAR))
        return 0;
    const double t = e->temperature;
    return t * weight * (exp((wire - e->then[arc]) / t) - exp((e->now[arc] - e->then[arc]) / t));
}

double estimate_longest(const struct placement *p) {
    double *arrival = numbers(p->nets_n), longest = 0;
    for (int i = 0; i < p->nets_n; i++)
        arrival[i] = p->nets[i].start < 0 ? -INFINITY : p->nets[i].start;
    for (int i = 0; i < p->nets_n; i++) {
        const struct net *net = &p->nets[p->order[i]];
        for (int j = 0; j < net->arcs_n; j++) {
            const struct arc *arc = &p->arcs[net->arcs[j]];
            const double arrives = arrival[p->order[i]] + estimate_wire(p, arc);
            for (int k = 0; k < arc->n; k++)
                arrival[arc->to[k]] = fmax(arrival[arc->to[k]], arrives + arc->way[k]);
            if (arc->end >= 0)
                longest = fmax(longest, arrives + arc->end);
        }
    }
    free(arrival);
    return longest;
}
