/* SPDX-License-Identifier: Apache-2.0 */
/*
 * tally-rand: writes a random program for the hart. The program ends by itself and depends on the seed and
 * length alone.
 */
#include "random.h"
#include "tally_spec.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <libelf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))
#define PAGE 4096u
#define IMAGE_SIZE (DATA_BASE + DATA_SIZE - RUNTIME_BASE)

/* The memory image of runtime.S, put into this program by runtime_image.S */
extern const uint8_t runtime_image[], runtime_image_end[];

enum { PTE_V = 1, PTE_R = 2, PTE_W = 4, PTE_X = 8, PTE_U = 0x10, PTE_G = 0x20, PTE_A = 0x40, PTE_D = 0x80 };
enum { PTE_RWAD = PTE_V | PTE_R | PTE_W | PTE_A | PTE_D, PTE_ALL = PTE_RWAD | PTE_X };

struct program {
    struct rng rng;
    uint8_t *image; /* memory from RUNTIME_BASE */
    uint64_t end;   /* of the code */
    bool smepmp;    /* the hart has mseccfg */
    bool mml;       /* ... and it is set up with MML */
    bool branches;  /* event-based branches */
};

static void store64(struct program *p, uint64_t address, uint64_t value) {
    for (unsigned i = 0; i < 8; i++)
        p->image[address - RUNTIME_BASE + i] = (uint8_t)(value >> 8 * i);
}

static uint64_t pte(uint64_t physical, uint64_t flags) { return physical >> 12 << 10 | flags; }

/* Good at `ease` percent; else any flags, and at times a reserved bit. */
static uint64_t random_flags(struct rng *r, unsigned good, unsigned ease) {
    uint64_t flags = good | (rng_chance(r, 40) ? PTE_U : 0) | (rng_chance(r, 5) ? PTE_G : 0);

    if (rng_chance(r, ease))
        return flags;
    if (rng_chance(r, 40))
        return flags & ~(rng_chance(r, 50) ? PTE_D : PTE_A | PTE_D);
    flags = rng_below(r, 256);
    return rng_chance(r, 10) ? flags | 1ull << (54 + rng_below(r, 10)) : flags;
}

static uint64_t random_sample_page(struct rng *r) {
    return SAMPLES_BASE + rng_below(r, SAMPLES_SIZE / PAGE) * PAGE;
}

static uint64_t random_data_page(struct rng *r) { return DATA_BASE + rng_below(r, DATA_SIZE / PAGE) * PAGE; }

enum table { ROOT, MIDDLE, LEAF, ALIAS_MIDDLE, ALIAS_LEAF };

static uint64_t table_entry(enum table table, unsigned index) {
    return TABLES_BASE + (unsigned)table * PAGE + index * 8;
}

static uint64_t leaf_of(uint64_t address) {
    return table_entry(LEAF, (unsigned)((address - RUNTIME_BASE) / PAGE));
}

/* Addresses and flags are such that software cannot tell memory's pages apart: synonyms are welcome. */
static void make_tables(struct program *p) {
    struct rng *r = &p->rng;

    store64(p, table_entry(ROOT, 0), pte(0, PTE_RWAD));
    store64(p, table_entry(ROOT, 1), pte(TABLES_BASE + ALIAS_MIDDLE * PAGE, PTE_V));
    store64(p, table_entry(ROOT, 2), pte(TABLES_BASE + MIDDLE * PAGE, PTE_V));
    store64(p, table_entry(ROOT, 3), pte(0xc0000000, rng_below(r, 256)));
    /* The runtime, once more: never executed, for it would not end */
    store64(p, table_entry(ROOT, 256), pte(0x80000000, rng_below(r, 256) & ~(unsigned)PTE_X));
    store64(p, table_entry(MIDDLE, 0), pte(TABLES_BASE + LEAF * PAGE, PTE_V));
    store64(p, table_entry(MIDDLE, 1), pte(BIG_BASE, random_flags(r, PTE_RWAD, 60)));
    store64(p, table_entry(MIDDLE, 2), pte(BIG_BASE, PTE_RWAD)); /* unmapped, misaligned or not */
    store64(p, table_entry(ALIAS_MIDDLE, 0), pte(TABLES_BASE + ALIAS_LEAF * PAGE, PTE_V));
    for (uint64_t at = RUNTIME_BASE; at < REGION_END; at += PAGE) {
        uint64_t entry = pte(at, PTE_RWAD);

        if (at < CODE_BASE)
            entry = pte(at, at < RUNTIME_BASE + 2 * PAGE ? PTE_ALL & ~PTE_W : PTE_RWAD);
        else if (at < CODE_BASE + CODE_SIZE)
            entry = pte(at, random_flags(r, PTE_ALL, 75));
        else if (at >= DATA_BASE && at < DATA_BASE + DATA_SIZE)
            entry = pte(rng_chance(r, 70) ? at : random_data_page(r), random_flags(r, PTE_RWAD, 75));
        else if (at >= SAMPLES_BASE && at < SAMPLES_BASE + SAMPLES_SIZE)
            entry = pte(random_sample_page(r), rng_chance(r, 80) ? PTE_RWAD : random_flags(r, PTE_RWAD, 50));
        store64(p, leaf_of(at), entry);
    }
    for (unsigned i = 0; i < DATA_SIZE / PAGE; i++)
        store64(p, table_entry(ALIAS_LEAF, i), pte(random_data_page(r), random_flags(r, PTE_RWAD, 75)));
}

/* --- services --- */

struct service {
    uint64_t operation, a, b;
};

static void random_pte(struct program *p, struct service *s) {
    struct rng *r = &p->rng;
    uint64_t data = random_data_page(r), code = CODE_BASE + rng_below(r, CODE_SIZE / PAGE) * PAGE;

    switch (rng_below(r, 5)) {
    case 4:
        *s = (struct service){
            SERVICE_PTE, leaf_of(random_sample_page(r)),
            pte(random_sample_page(r), rng_chance(r, 60) ? PTE_RWAD & ~rng_below(r, 256) : PTE_RWAD)};
        break;
    case 0:
        *s = (struct service){SERVICE_PTE, leaf_of(code), pte(code, random_flags(r, PTE_ALL, 50))};
        break;
    case 1:
        *s = (struct service){SERVICE_PTE, table_entry(ALIAS_LEAF, rng_below(r, DATA_SIZE / PAGE)),
                              pte(data, random_flags(r, PTE_RWAD, 50))};
        break;
    case 2:
        *s = (struct service){SERVICE_PTE, table_entry(MIDDLE, 1),
                              pte(BIG_BASE, random_flags(r, PTE_RWAD, 50))};
        break;
    default:
        *s = (struct service){SERVICE_PTE, leaf_of(data),
                              pte(random_data_page(r), random_flags(r, PTE_RWAD, 50))};
    }
}

/* R, W, X without the reserved combination; never locked, for M-mode could not be helped then. With MML
 * anything: RLB is set in most programs, and nothing of the runtime's is covered. */
static uint64_t random_pmp_config(const struct program *p, struct rng *r) {
    uint64_t permissions = rng_below(r, 8), mode = rng_below(r, 4);

    if (p->mml)
        return permissions | mode << 3 | (rng_chance(r, 40) ? 0x80 : 0);
    return ((permissions & 3) == 2 ? permissions | 1 : permissions) | mode << 3;
}

static uint64_t random_pmp_address(struct rng *r) {
    uint64_t at = rng_chance(r, 80)   ? DATA_BASE + rng_below(r, DATA_SIZE / 4) * 4
                  : rng_chance(r, 50) ? SAMPLES_BASE + rng_below(r, SAMPLES_SIZE / 4) * 4
                                      : CODE_BASE + rng_below(r, CODE_SIZE / 4) * 4;

    return at >> 2 | ((1ull << rng_below(r, 12)) - 1);
}

/* Two services: the second one's operands belong to the first. */
static void random_pmp(struct program *p, struct service two[2]) {
    struct rng *r = &p->rng;
    uint64_t config =
        random_pmp_config(p, r) << 32 | random_pmp_config(p, r) << 40 | random_pmp_config(p, r) << 48;

    two[0] = (struct service){SERVICE_PMP, random_pmp_address(r), random_pmp_address(r)};
    two[1] = (struct service){SERVICE_MSIP, random_pmp_address(r), config};
}

/* Without MML never MML, for M-mode would have no code then; with it RLB stays mostly, so that the runtime
 * can open memory again. */
static uint64_t random_mseccfg(const struct program *p, struct rng *r) {
    uint64_t value = rng_below(r, 8);

    if (!p->mml)
        return value & ~TALLY_MSECCFG_MML_MASK;
    return rng_chance(r, 90) ? value | TALLY_MSECCFG_RLB_MASK : value;
}

static void random_service(struct program *p, struct service *s) {
    static const uint8_t modes[] = {0, 1, 1, 3, 3, 3};
    struct rng *r = &p->rng;
    /* SUM MXR TVM TW TSR; MPRV would change the runtime's own loads */
    uint64_t status = 1ull << 18 | 1ull << 19 | 1ull << 20 | 1ull << 21 | 1ull << 22;

    switch (rng_below(r, 16)) {
    case 0:
    case 1:
        *s = (struct service){
            SERVICE_SATP,
            rng_chance(r, 75) ? 8ull << 60 | (uint64_t)rng_below(r, 4) << 44 | TABLES_BASE >> 12 : 0, 0};
        break;
    case 2:
    case 3:
        random_pte(p, s);
        break;
    case 4:
        *s = (struct service){SERVICE_STATUS, status & rng_next(r), status & rng_next(r)};
        break;
    case 5:
        *s = (struct service){SERVICE_TIMER, rng_below(r, 60), 0};
        break;
    case 6:
        *s = (struct service){rng_chance(r, 50) ? SERVICE_MSIP : SERVICE_UART, rng_below(r, 2), 0};
        break;
    case 7:
        *s = (struct service){SERVICE_DELEGATE, 0xb1ff & rng_next(r), 0x46222 & rng_next(r)};
        break;
    case 8:
        *s = (struct service){SERVICE_MIE, 0x46aaa & rng_dense(r), 0};
        break;
    case 9:
        if (p->smepmp) {
            *s = (struct service){SERVICE_MSECCFG, random_mseccfg(p, r), 0};
            break;
        } /* fallthrough */
    default:
        *s = (struct service){SERVICE_MODE,
                              p->branches && rng_chance(r, 60) ? 0 : modes[rng_below(r, COUNT(modes))], 0};
    }
}

static void make_services(struct program *p) {
    struct service services[SERVICES_N];

    for (size_t i = 0; i < SERVICES_N; i++) {
        if (i + 1 < SERVICES_N && rng_chance(&p->rng, 5)) {
            random_pmp(p, &services[i]);
            i++;
        } else {
            random_service(p, &services[i]);
        }
    }
    for (size_t i = 0; i < SERVICES_N; i++) {
        uint64_t at = SERVICES_BASE + (i << SERVICE_SHIFT);

        store64(p, at, services[i].operation);
        store64(p, at + 8, services[i].a);
        store64(p, at + 16, services[i].b);
    }
}

/* --- the program --- */

static bool make_code(struct program *p, unsigned length, unsigned passes, bool sampling, bool branches,
                      uint64_t *body) {
    uint16_t *half = calloc(CODE_SIZE, 1);
    struct code c = {
        .rng = &p->rng, .half = half, .room = CODE_SIZE / 2, .sampling = sampling, .branches = branches};

    if (!half)
        return false;
    *body = generate_code(&c, length, passes);
    p->end = code_address(&c);
    for (size_t i = 0; *body && i < c.used; i++) {
        p->image[CODE_BASE - RUNTIME_BASE + 2 * i] = (uint8_t)half[i];
        p->image[CODE_BASE - RUNTIME_BASE + 2 * i + 1] = (uint8_t)(half[i] >> 8);
    }
    free(half);
    return *body != 0;
}

/* In M-mode, to memory; the rest is left to chance. */
static void make_second(struct program *p, uint64_t at) {
    uint64_t control =
        TALLY_MPDISCTL_M_MASK | TALLY_MPDISCTL_MEM_MASK | TALLY_MPDISCTL_OF_MASK | rng_below(&p->rng, 5);
    uint64_t period = 1 + rng_below(&p->rng, 60);

    control |=
        rng_next(&p->rng) & (TALLY_MPDISCTL_ACC_MASK | TALLY_MPDISCTL_PA_MASK | TALLY_MPDISCTL_EPT_MASK);
    store64(p, at + P_SECOND_CONTROL, control);
    store64(p, at + P_SECOND_COUNTER,
            (0 - period) << TALLY_SPDISCOUNTER_INITVAL_LSB | (uint32_t)(0 - period));
    store64(p, at + P_SECOND_BUFFER,
            TALLY_SPDISAMBCS_EN_MASK | (uint64_t)rng_below(&p->rng, 3) << TALLY_SPDISAMBCS_SIZE_LSB |
                (rng_next(&p->rng) &
                 (TALLY_SPDISAMBCS_SOF_MASK | TALLY_SPDISAMBCS_BMIEN_MASK | TALLY_SPDISAMBCS_BMITH_MASK)));
}

static void make_parameters(struct program *p, uint64_t body, unsigned length, unsigned passes,
                            bool sampling) {
    const uint64_t at = RUNTIME_BASE + PARAMETERS, registers = at + P_REGISTERS;
    static const uint16_t timer_masks[] = {0xff, 0x3ff, 0x7ff, 0xfff};

    store64(p, at + P_BODY, body);
    store64(p, at + P_CODE_END, p->end);
    /* Handlers are run often: with them shorter */
    store64(p, at + P_TRAP_LIMIT, p->branches ? 200 + length / 2 : 500 + 3 * (uint64_t)length * passes);
    store64(p, at + P_TIMER_MASK, timer_masks[rng_below(&p->rng, COUNT(timer_masks))]);
    if (p->mml)
        store64(p, at + P_MSECCFG,
                TALLY_MSECCFG_MML_MASK | TALLY_MSECCFG_RLB_MASK |
                    (rng_chance(&p->rng, 50) ? TALLY_MSECCFG_MMWP_MASK : 0));
    store64(p, at + P_PMPCFG, p->mml ? PMP_OPEN_MML : PMP_OPEN);
    store64(p, at + P_BRANCHES, p->branches);
    for (unsigned i = 1; i < 32; i++)
        store64(p, registers + 8 * i, rng_value(&p->rng));
    if (sampling)
        make_second(p, at);
    store64(p, registers + 8 * 2, DATA_BASE + 0x8000);
    store64(p, registers + 8 * 3, DATA_BASE + 0x8010);
    store64(p, registers + 8 * 4, body);
    store64(p, registers + 8 * 8, DATA_BASE + 0x8000);
    store64(p, registers + 8 * 9, DATA_BASE + 0x9000 - 16);
    store64(p, registers + 8 * 24, SAMPLES_BASE);
    store64(p, registers + 8 * 25, DATA_BASE + 0x8000);
    store64(p, registers + 8 * 26, DATA_BASE + 0x8000);
}

static bool make_program(struct program *p, uint64_t seed, unsigned length, bool smepmp) {
    size_t runtime_size = (size_t)(runtime_image_end - runtime_image);
    unsigned passes;
    uint64_t body;

    rng_seed(&p->rng, seed);
    p->smepmp = smepmp;
    p->mml = smepmp && rng_chance(&p->rng, 30);
    passes = 1 + rng_below(&p->rng, 4);
    p->image = calloc(IMAGE_SIZE, 1);
    if (!p->image)
        return false;
    memcpy(p->image, runtime_image, runtime_size);
    p->branches = RANDOM_EBB && seed / 2 % 2;
    if (!make_code(p, length, passes, seed % 2, p->branches, &body))
        return false;
    make_parameters(p, body, length, passes, seed % 2);
    make_tables(p);
    make_services(p);
    for (uint64_t at = DATA_BASE; at < DATA_BASE + DATA_SIZE; at += 8)
        store64(p, at, rng_value(&p->rng));
    return true;
}

/* --- ELF --- */

static bool add_data(Elf_Scn *section, void *data, size_t size) {
    Elf_Data *d = elf_newdata(section);

    if (!d)
        return false;
    d->d_buf = data;
    d->d_size = size;
    d->d_align = 1;
    d->d_type = ELF_T_BYTE;
    d->d_version = EV_CURRENT;
    return true;
}

/* One segment with everything; sections and symbols so that tools can name the parts. */
static bool write_sections(Elf *elf, const struct program *p, uint64_t entry) {
    static char names[] = "\0.text\0.shstrtab";
    Elf64_Ehdr *header = elf64_newehdr(elf);
    Elf64_Phdr *segment = header ? elf64_newphdr(elf, 1) : NULL;
    Elf_Scn *image = segment ? elf_newscn(elf) : NULL;
    Elf_Scn *strings = image ? elf_newscn(elf) : NULL;
    Elf64_Shdr *h;

    if (!strings || !add_data(image, p->image, IMAGE_SIZE) || !add_data(strings, names, sizeof(names)))
        return false;
    header->e_ident[EI_DATA] = ELFDATA2LSB;
    header->e_type = ET_EXEC;
    header->e_machine = EM_RISCV;
    header->e_version = EV_CURRENT;
    header->e_entry = entry;
    header->e_flags = 1; /* EF_RISCV_RVC */
    header->e_shstrndx = (Elf64_Half)elf_ndxscn(strings);
    h = elf64_getshdr(image);
    h->sh_name = 1;
    h->sh_type = SHT_PROGBITS;
    h->sh_flags = SHF_ALLOC | SHF_EXECINSTR | SHF_WRITE;
    h->sh_addr = RUNTIME_BASE;
    h->sh_addralign = PAGE;
    elf64_getshdr(strings)->sh_name = 7;
    elf64_getshdr(strings)->sh_type = SHT_STRTAB;
    if (elf_update(elf, ELF_C_NULL) < 0)
        return false;
    segment->p_type = PT_LOAD;
    segment->p_flags = PF_R | PF_W | PF_X;
    segment->p_offset = elf64_getshdr(image)->sh_offset;
    segment->p_vaddr = segment->p_paddr = RUNTIME_BASE;
    segment->p_filesz = segment->p_memsz = IMAGE_SIZE;
    segment->p_align = PAGE;
    elf_flagphdr(elf, ELF_C_SET, ELF_F_DIRTY);
    return elf_update(elf, ELF_C_WRITE) >= 0;
}

static bool write_elf(const struct program *p, const char *path) {
    int fd = open(path, O_RDWR | O_CREAT | O_TRUNC, 0666);
    Elf *elf = NULL;
    bool ok = false;

    if (fd < 0) {
        fprintf(stderr, "tally-rand: %s: %s\n", path, strerror(errno));
        return false;
    }
    if (elf_version(EV_CURRENT) != EV_NONE && (elf = elf_begin(fd, ELF_C_WRITE, NULL)))
        ok = write_sections(elf, p, RUNTIME_BASE);
    if (!ok)
        fprintf(stderr, "tally-rand: %s: %s\n", path, elf_errmsg(-1));
    if (elf)
        elf_end(elf);
    return close(fd) == 0 && ok;
}

static bool parse_number(const char *text, uint64_t *value) {
    char *end;

    errno = 0;
    *value = strtoull(text, &end, 0);
    return errno == 0 && end != text && *end == 0;
}

int main(int argc, char **argv) {
    uint64_t seed = 1, length = 1500;
    const char *path = NULL;
    struct program program = {0};
    bool ok = true, smepmp = true;

    if (argc > 1 && strcmp(argv[1], "--no-smepmp") == 0) {
        smepmp = false;
        argv++;
        argc--;
    }
    for (int i = 1; i < argc && ok; i += 2) {
        if (i + 1 == argc)
            ok = false;
        else if (strcmp(argv[i], "--seed") == 0)
            ok = parse_number(argv[i + 1], &seed);
        else if (strcmp(argv[i], "--length") == 0)
            ok = parse_number(argv[i + 1], &length) && length > 0 && length <= 10000;
        else if (strcmp(argv[i], "-o") == 0)
            path = argv[i + 1];
        else
            ok = false;
    }
    if (!ok || !path) {
        fputs("usage: tally-rand [--no-smepmp] [--seed N] [--length UNITS (1..10000)] -o FILE\n", stderr);
        return 2;
    }
    if (!make_program(&program, seed, (unsigned)length, smepmp)) {
        fprintf(stderr, "tally-rand: seed %" PRIu64 ", length %" PRIu64 ": too long for its memory\n", seed,
                length);
        free(program.image);
        return 2;
    }
    ok = write_elf(&program, path);
    free(program.image);
    return ok ? 0 : 2;
}
