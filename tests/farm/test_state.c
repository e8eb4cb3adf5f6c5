// SPDX-License-Identifier: Apache-2.0
/*
 * Is every member of the structures that hold a machine's state in its list of fields, once? The debug
 * information of this program says which bytes belong to members; each must be treated, or skipped by name.
 */
#include "hart_internal.h"
#include "iss_machine.h"
#include "pmu_internal.h"
#include "tally_state.h"

#include <dwarf.h>
#include <elfutils/libdw.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { RAM = 1 << 16, SIZE_MAX_OBJECT = 1 << 18, NAMES_MAX = 1 << 20 };

static struct object {
    const char *name; /* of its structure */
    const void *pointer;
    size_t size;
    const char *member[SIZE_MAX_OBJECT]; /* that has this byte; NULL: padding */
    uint8_t listed[SIZE_MAX_OBJECT];     /* how often */
} object[5];
static unsigned objects;

/* --- members ---------------------------------------------------------------------------------------------
 */

static bool type_of(Dwarf_Die *die, Dwarf_Die *type) {
    Dwarf_Attribute attribute;

    return dwarf_attr_integrate(die, DW_AT_type, &attribute) && dwarf_formref_die(&attribute, type) &&
           dwarf_peel_type(type, type) == 0;
}

static const char *keep(const char *name) {
    static char names[NAMES_MAX];
    static size_t used;
    char *const at = names + used;
    const size_t size = strlen(name) + 1;

    if (size > sizeof names - used)
        return "a member";
    used += size;
    return memcpy(at, name, size);
}

static void note(struct object *o, Dwarf_Die *type, size_t at, const char *path);

static void note_members(struct object *o, Dwarf_Die *structure, size_t at, const char *path) {
    Dwarf_Die member, type;

    for (int left = dwarf_child(structure, &member); left == 0; left = dwarf_siblingof(&member, &member)) {
        Dwarf_Attribute attribute;
        Dwarf_Word offset = 0;
        char name[256];

        if (dwarf_tag(&member) != DW_TAG_member || !type_of(&member, &type))
            continue;
        dwarf_formudata(dwarf_attr(&member, DW_AT_data_member_location, &attribute), &offset);
        snprintf(name, sizeof name, "%s.%s", path, dwarf_diename(&member));
        note(o, &type, at + offset, name);
    }
}

static void note(struct object *o, Dwarf_Die *type, size_t at, const char *path) {
    Dwarf_Word size = 0, part = 0;
    Dwarf_Die element;

    dwarf_aggregate_size(type, &size);
    if (dwarf_tag(type) == DW_TAG_structure_type) {
        note_members(o, type, at, path);
    } else if (dwarf_tag(type) == DW_TAG_array_type && type_of(type, &element)) {
        dwarf_aggregate_size(&element, &part);
        for (Dwarf_Word k = 0; part && k < size / part; k++)
            note(o, &element, at + k * part, path);
    } else {
        const char *const name = keep(path);

        for (size_t i = at; i < at + size && i < SIZE_MAX_OBJECT; i++)
            o->member[i] = name;
    }
}

/* The structure's members, by the debug information */
static bool find_members(struct object *o) {
    const int fd = open("/proc/self/exe", O_RDONLY);
    Dwarf *const debug = dwarf_begin(fd, DWARF_C_READ);
    Dwarf_Off at = 0, next;
    size_t header;
    bool found = false;

    for (; debug && !found && dwarf_nextcu(debug, at, &next, &header, NULL, NULL, NULL) == 0; at = next) {
        Dwarf_Die unit, die;

        if (!dwarf_offdie(debug, at + header, &unit) || dwarf_child(&unit, &die) != 0)
            continue;
        do {
            const char *name = dwarf_diename(&die);
            Dwarf_Word size;

            found = dwarf_tag(&die) == DW_TAG_structure_type && name && strcmp(name, o->name) == 0 &&
                    dwarf_aggregate_size(&die, &size) == 0 && size <= SIZE_MAX_OBJECT;
            if (found) {
                o->size = size;
                note_members(o, &die, 0, name);
            }
        } while (!found && dwarf_siblingof(&die, &die) == 0);
    }
    dwarf_end(debug);
    close(fd);
    return found;
}

/* --- lists -----------------------------------------------------------------------------------------------
 */

static void covers(struct tally_state *s, const void *at, size_t bytes) {
    (void)s;
    for (unsigned i = 0; i < objects; i++) {
        const uintptr_t from = (uintptr_t)at - (uintptr_t)object[i].pointer;

        for (size_t k = from; from < object[i].size && k < from + bytes && k < object[i].size; k++)
            object[i].listed[k]++;
    }
}

static void ignore(struct tally_state *s, const char *name, void *at, unsigned bytes, uint64_t n) {
    (void)s, (void)name, (void)at, (void)bytes, (void)n;
}

/* The first byte of a member that is not listed, or is twice; the size if there is none */
static size_t wrong(const struct object *o) {
    size_t i = 0;

    while (i < o->size && (o->member[i] ? o->listed[i] == 1 : o->listed[i] <= 1))
        i++;
    return i;
}

/* A member that were not listed would be found. */
static bool would_be_missed(struct object *o, size_t at) {
    const uint8_t listed = o->listed[at];

    o->listed[at] = 0;
    const bool missed = wrong(o) != (o->member[at] ? at : o->size);
    o->listed[at] = listed;
    return missed;
}

static bool check(struct object *o) {
    const size_t at = wrong(o);
    unsigned members = 0;

    if (at < o->size)
        printf("%s: %s is %s\n", o->name, o->member[at] ? o->member[at] : "padding",
               o->listed[at] ? "listed twice" : "not listed");
    for (size_t i = 0; i < o->size && at == o->size; i++) {
        members += i == 0 || o->member[i] != o->member[i - 1];
        if (i % 61 == 0 && would_be_missed(o, i)) {
            printf("%s: byte %zu would not be missed\n", o->name, i);
            return false;
        }
    }
    printf("struct %s: %zu bytes, %u members\n", o->name, o->size, members);
    return at == o->size && members > 10;
}

static bool add(const char *name, const void *pointer) {
    struct object *const o = &object[objects++];

    o->name = name;
    o->pointer = pointer;
    if (find_members(o))
        return true;
    printf("struct %s: no debug information\n", name);
    return false;
}

static bool print(void *ctx, uint8_t byte) {
    (void)ctx, (void)byte;
    return false;
}

int main(void) {
    static uint8_t ram[RAM];
    static uint64_t rom[SOC_ROM_WORDS];
    static struct iss iss;
    const struct host_config device = {.print = print};
    struct error error;
    const struct iss_config config = {.xlen = 64,
                                      .harts = SOC_HARTS_MAX,
                                      .time_ratio = 10,
                                      .ram = ram,
                                      .ram_size = RAM,
                                      .rom = rom,
                                      .host = host_new(&device, &error)};
    struct tally_state s = {.numbers = ignore, .covers = covers};
    bool ok = true;

    if (!config.host || !iss_open(&iss, &config) || !iss_keep_warm(&iss) || !add("iss", &iss) ||
        !add("host_device", config.host) || !add("gh", iss.hart[0].core) || !add("gp", iss.hart[0].pmu) ||
        !add("warm", iss.warm))
        return 1;
    iss_state(&iss, &s);
    for (unsigned i = 0; i < objects; i++)
        ok = check(&object[i]) && ok;
    return ok ? 0 : 1;
}
