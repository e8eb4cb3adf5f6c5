/* SPDX-License-Identifier: Apache-2.0 */
/* Integer sort: quicksort with a median of three, insertion sort for short pieces. */
#include "input.h"
#include "workload.h"

static int32_t numbers[SORT_N];

static void setup(void) {
    uint64_t state = SORT_SEED;

    for (int i = 0; i < SORT_N; i++)
        numbers[i] = (int32_t)input_next(&state);
}

static void swap(int32_t *a, int32_t *b) {
    int32_t t = *a;

    *a = *b;
    *b = t;
}

static void insertion_sort(int32_t *first, int32_t *last) {
    for (int32_t *p = first + 1; p <= last; p++) {
        int32_t value = *p, *q = p;

        for (; q > first && q[-1] > value; q--)
            *q = q[-1];
        *q = value;
    }
}

static void quicksort(int32_t *first, int32_t *last) {
    while (last - first > 12) {
        int32_t *middle = first + (last - first) / 2, *low = first, *high = last;
        int32_t pivot;

        if (*middle < *first)
            swap(middle, first);
        if (*last < *middle)
            swap(last, middle);
        if (*middle < *first)
            swap(middle, first);
        pivot = *middle;
        while (low <= high) {
            while (*low < pivot)
                low++;
            while (pivot < *high)
                high--;
            if (low <= high)
                swap(low++, high--);
        }
        quicksort(first, high);
        first = low;
    }
    insertion_sort(first, last);
}

static uint64_t work(void) {
    uint64_t sum = 0;

    quicksort(numbers, numbers + SORT_N - 1);
    for (int i = 0; i < SORT_N; i++)
        sum = mix(sum, (uint32_t)numbers[i]);
    return sum;
}

WORKLOAD("sort", setup, work, EXPECTED_SORT)
