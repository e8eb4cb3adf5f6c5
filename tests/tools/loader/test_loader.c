// SPDX-License-Identifier: Apache-2.0
/*
 * Loaders: files that tally-sim accepts; any other ends with one line that names the file and the
 * reason, with RAM unchanged. Built with address and undefined-behaviour sanitizers.
 */
#include "condition.h"
#include "devicetree.h"
#include "elf_maker.h"
#include "machine.h"

#include <errno.h>
#include <libfdt.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

static int failures;
static char directory[] = "/tmp/tally-loader-XXXXXX";

#define CHECK(x)                                                                                             \
    do {                                                                                                     \
        if (!(x)) {                                                                                          \
            fprintf(stderr, "FAIL %s:%d: %s\n", __FILE__, __LINE__, #x);                                     \
            failures++;                                                                                      \
        }                                                                                                    \
    } while (0)

static const char *path_of(const char *name) {
    static char path[8][128];
    static unsigned next;
    char *p = path[next++ % 8];
    snprintf(p, sizeof path[0], "%s/%s", directory, name);
    return p;
}

static const char *write_bytes(const char *name, const void *bytes, size_t size) {
    const char *path = path_of(name);
    FILE *f = fopen(path, "wb");
    if (!f || fwrite(bytes, 1, size, f) != size || fclose(f) != 0) {
        perror(path);
        exit(1);
    }
    return path;
}

static bool load(struct machine *m, struct error *error, char *const *arguments, int n) {
    struct options o;
    char *argv[24] = {"tally-sim"};
    for (int i = 0; i < n; i++)
        argv[i + 1] = arguments[i];
    *error->text = '\0';
    return options_parse(&o, n + 1, argv, error) && machine_load(m, &o, 10, error);
}

#define LOAD(m, e, ...)                                                                                      \
    load(m, e, (char *const[]){__VA_ARGS__}, sizeof((char *const[]){__VA_ARGS__}) / sizeof(char *))

/* `path` must be refused: one line with its name and `reason`. */
static void refused(const char *path, const char *reason) {
    struct machine m;
    struct error e;
    const bool ok = LOAD(&m, &e, "-m", "1M", "-bios", (char *)path);
    CHECK(!ok);
    if (ok)
        machine_free(&m);
    if (!strstr(e.text, path) || !strstr(e.text, reason) || strchr(e.text, '\n')) {
        fprintf(stderr, "FAIL: '%s' should say '%s'\n", e.text, reason);
        failures++;
    }
}

static void refused_maker(const char *name, const struct maker *m, const char *reason) {
    refused(write_bytes(name, m->bytes, m->size), reason);
}

/* --- Files that are no programs --------------------------------------------------------------- */

static void bad_files(void) {
    refused(path_of("absent.elf"), "No such file");
    refused(directory, "is a directory");
    refused(write_bytes("empty.elf", "", 0), "empty file");
    refused(write_bytes("empty.bin", "", 0), "empty file");
    refused(write_bytes("text.txt", "Not an ELF file\n", 16), "not an ELF file");
    refused(write_bytes("magic.elf", "\177ELF", 4), "cut short in the ELF header");
    CHECK(mkfifo(path_of("fifo"), 0600) == 0);
    refused(path_of("fifo"), "not a regular file");

    const char *locked = write_bytes("locked.elf", "x", 1);
    CHECK(chmod(locked, 0) == 0);
    if (geteuid() != 0) /* root reads everything */
        refused(locked, "Permission denied");

    const char *large = write_bytes("large.bin", "x", 1);
    CHECK(truncate(large, (1 << 20) + 4096) == 0);
    refused(large, "outside RAM");
    CHECK(truncate(large, (off_t)1 << 40) == 0);
    refused(large, "too large");
}

/* --- Damaged ELF files ------------------------------------------------------------------------ */

static void bad_headers(void) {
    struct maker m;
    maker_good(&m, 2);
    maker_header(&m)->e_machine = EM_X86_64;
    refused_maker("x86.elf", &m, "for another machine");
    maker_good(&m, 2);
    maker_header(&m)->e_ident[EI_CLASS] = ELFCLASS32;
    refused_maker("32.elf", &m, "not a 64-bit");
    maker_good(&m, 2);
    maker_header(&m)->e_ident[EI_DATA] = ELFDATA2MSB;
    refused_maker("big.elf", &m, "not a little-endian");
    maker_good(&m, 2);
    maker_header(&m)->e_type = ET_REL;
    refused_maker("object.elf", &m, "not an executable");
    maker_good(&m, 2);
    maker_header(&m)->e_phnum = 0;
    refused_maker("nothing.elf", &m, "no program headers");
    maker_good(&m, 2);
    maker_header(&m)->e_phoff = UINT64_MAX - 8;
    refused_maker("phoff.elf", &m, "cut short");
    maker_good(&m, 2);
    maker_header(&m)->e_entry = 0x80005000;
    refused_maker("entry.elf", &m, "entry point");
    maker_good(&m, 2);
    maker_header(&m)->e_entry = 0x80000011;
    refused_maker("odd.elf", &m, "odd entry");
}

static void bad_segments(void) {
    struct maker m;
    static const struct {
        const char *reason;
        uint64_t paddr, offset, filesz, memsz;
    } cases[] = {
        {"outside RAM", 0x7FFFF000, 0, 16, 16},
        {"outside RAM", 0x1000, 0, 16, 16},
        {"outside RAM", 0x800FFFF8, 0, 16, 16},
        {"outside RAM", 0x80000000, 0, 16, UINT64_MAX},
        {"outside RAM", UINT64_MAX - 7, 0, 16, 16},
        {"outside RAM", 0x80001000, 0, 0, 1 << 20},
        {"larger in the file", 0x80001000, 0, 32, 16},
        {"cut short", 0x80001000, 1 << 20, 16, 16},
        {"cut short", 0x80001000, UINT64_MAX - 4, 16, 16},
        {"cut short", 0x80001000, 8, 1 << 16, 1 << 16},
        {"segments overlap", 0x80000000, 0, 16, 16},
        {"segments overlap", 0x800001FF, 0, 16, 16},
    };
    for (unsigned i = 0; i < sizeof cases / sizeof *cases; i++) {
        maker_good(&m, 2);
        Elf64_Phdr *p = maker_segment(&m, 1);
        p->p_paddr = cases[i].paddr;
        p->p_offset = cases[i].offset;
        p->p_filesz = cases[i].filesz;
        p->p_memsz = cases[i].memsz;
        refused_maker("segment.elf", &m, cases[i].reason);
    }
    maker_good(&m, 2);
    maker_segment(&m, 1)->p_type = PT_INTERP;
    refused_maker("dynamic.elf", &m, "dynamically linked");
    maker_good(&m, 2);
    maker_segment(&m, 0)->p_type = maker_segment(&m, 1)->p_type = PT_NOTE;
    refused_maker("notes.elf", &m, "nothing to load");
}

/* Cut at every length: refused, or (with all loaded parts) accepted. */
static void cut_short(void) {
    struct maker whole;
    maker_good(&whole, 2);
    const size_t loaded = maker_segment(&whole, 1)->p_offset + MAKER_DATA;
    for (size_t size = 1; size < loaded; size++)
        refused(write_bytes("cut.elf", whole.bytes, size), size < 4 ? "not an ELF file" : "cut short");
}

/* A refused image leaves RAM as it was, also if its first segments are good. */
static void nothing_half_done(void) {
    struct maker maker;
    struct error e;
    struct image image;
    struct memory memory = {.bytes = calloc(1, 1 << 20), .base = SOC_RAM_BASE, .size = 1 << 20};
    uint8_t *zero = calloc(1, 1 << 20);
    maker_good(&maker, 3);
    maker_segment(&maker, 2)->p_paddr = 0x10;
    struct file file = {"half.elf", maker.bytes, maker.size};
    CHECK(!image_load_elf(&memory, &file, &image, &e));
    CHECK(memcmp(memory.bytes, zero, 1 << 20) == 0);
    CHECK(memory.used_n == 0);
    free(memory.bytes);
    free(zero);
}

/* --- Good ones -------------------------------------------------------------------------------- */

static void good_elf(void) {
    struct maker maker;
    struct machine m;
    struct error e;
    char name[64];
    uint64_t address = 0;
    maker_good(&maker, 3);
    /* bss must be cleared, and an image's neighbours left alone */
    const char *path = write_bytes("good.elf", maker.bytes, maker.size);
    CHECK(LOAD(&m, &e, "-m", "1M", "-bios", (char *)path));
    for (unsigned i = 0; i < 3; i++) {
        for (unsigned k = 0; k < MAKER_DATA; k++) {
            CHECK(m.memory.bytes[i * 0x1000 + k] == (uint8_t)(i * 16 + k));
            CHECK(m.memory.bytes[i * 0x1000 + MAKER_DATA + k] == 0);
        }
    }
    CHECK(m.rom[3] == 0x80000010);
    CHECK(m.rom[7] == 0); /* no next stage */
    CHECK(symbols_find(&m.symbols, "start", &address) && address == 0x80000010);
    CHECK(strcmp(symbols_name(&m.symbols, 0x80000014, name, sizeof name), "start+0x4") == 0);
    CHECK(strcmp(symbols_name(&m.symbols, 0x80000010, name, sizeof name), "start") == 0);
    CHECK(*symbols_name(&m.symbols, 0x80000050, name, sizeof name) == '\0');
    CHECK(*symbols_name(&m.symbols, 0x8000000F, name, sizeof name) == '\0');
    machine_free(&m);

    /* a kernel linked high: entered at its physical address */
    maker_good(&maker, 1);
    maker_segment(&maker, 0)->p_vaddr = 0xFFFFFFFF80000000;
    maker_header(&maker)->e_entry = 0xFFFFFFFF80000010;
    path = write_bytes("high.elf", maker.bytes, maker.size);
    CHECK(LOAD(&m, &e, "-m", "1M", "-kernel", (char *)path));
    CHECK(m.rom[3] == 0x80000010);
    machine_free(&m);
}

static void good_raw(void) {
    uint8_t image[4096] = {0x13};
    struct machine m;
    struct error e;
    const char *bios = write_bytes("fw.bin", image, sizeof image);
    const char *kernel = write_bytes("kernel.bin", "K", 1), *initrd = write_bytes("initrd", "R", 1);
    CHECK(LOAD(&m, &e, "-m", "16M", "-bios", (char *)bios, "-kernel", (char *)kernel, "-initrd",
               (char *)initrd));
    CHECK(m.rom[3] == 0x80000000);
    CHECK(m.rom[7] == 0x80200000);
    CHECK(m.memory.bytes[0] == 0x13 && m.memory.bytes[0x200000] == 'K' && m.memory.bytes[0x400000] == 'R');
    const int chosen = fdt_path_offset(m.dtb, "/chosen");
    int length;
    const fdt64_t *start = fdt_getprop(m.dtb, chosen, "linux,initrd-start", &length);
    CHECK(start && length == 8 && fdt64_ld(start) == 0x80400000);
    machine_free(&m);

    /* Linux's header: wants 0x200000 from the start of RAM, and 1 MiB of memory */
    const uint64_t offset = 0x200000, size = 1 << 20;
    memcpy(image + 8, &offset, 8);
    memcpy(image + 16, &size, 8);
    memcpy(image + 56, linux_magic, sizeof linux_magic);
    const char *linux_image = write_bytes("Image", image, sizeof image);
    CHECK(LOAD(&m, &e, "-m", "16M", "-bios", (char *)bios, "-kernel", (char *)linux_image, "-initrd",
               (char *)initrd));
    CHECK(m.rom[7] == 0x80200000);
    CHECK(m.memory.bytes[0x400000] == 'R');
    machine_free(&m);
    CHECK(!LOAD(&m, &e, "-m", "2M", "-bios", (char *)bios, "-kernel", (char *)linux_image));
    CHECK(strstr(e.text, "outside RAM"));
    const uint64_t huge = UINT64_MAX - 4096;
    memcpy(image + 16, &huge, 8);
    linux_image = write_bytes("Image", image, sizeof image);
    CHECK(!LOAD(&m, &e, "-m", "16M", "-bios", (char *)bios, "-kernel", (char *)linux_image));
    CHECK(strstr(e.text, "its header asks"));
}

static void images_overlap(void) {
    struct maker maker;
    struct machine m;
    struct error e;
    maker_good(&maker, 1);
    const char *a = write_bytes("a.elf", maker.bytes, maker.size),
               *b = write_bytes("b.elf", maker.bytes, maker.size);
    CHECK(!LOAD(&m, &e, "-m", "1M", "-bios", (char *)a, "-kernel", (char *)b));
    CHECK(strstr(e.text, "b.elf") && strstr(e.text, "overlaps") && strstr(e.text, "a.elf"));
    CHECK(!LOAD(&m, &e, "-m", "4K", "-bios", (char *)a));
    CHECK(strstr(e.text, "too small for the device tree"));
}

/* --- Device tree ------------------------------------------------------------------------------ */

static void device_tree(void) {
    struct maker maker;
    struct machine m;
    struct error e;
    maker_good(&maker, 1);
    const char *elf = write_bytes("good.elf", maker.bytes, maker.size);
    for (char harts[] = "1"; *harts <= '2'; ++*harts) {
        CHECK(
            LOAD(&m, &e, "-m", "64M", "-smp", harts, "-bios", (char *)elf, "-append", "console=ttyS0 quiet"));
        CHECK(fdt_check_full(m.dtb, m.dtb_size) == 0);
        CHECK(m.rom[4] % 4096 == 0 && m.rom[4] + m.dtb_size <= 0x84000000);
        CHECK(memcmp(m.memory.bytes + (m.rom[4] - SOC_RAM_BASE), m.dtb, m.dtb_size) == 0);
        const int chosen = fdt_path_offset(m.dtb, "/chosen");
        CHECK(strcmp(fdt_getprop(m.dtb, chosen, "bootargs", NULL), "console=ttyS0 quiet") == 0);
        CHECK(fdt_path_offset(m.dtb, "/cpus/cpu@0") > 0);
        CHECK((fdt_path_offset(m.dtb, "/cpus/cpu@1") > 0) == (*harts == '2'));
        const fdt32_t *timebase =
            fdt_getprop(m.dtb, fdt_path_offset(m.dtb, "/cpus"), "timebase-frequency", NULL);
        CHECK(fdt32_ld(timebase) == 10000000);
        CHECK(fdt_path_offset(m.dtb, fdt_getprop(m.dtb, chosen, "stdout-path", NULL)) > 0);
        const char *given = write_bytes("given.dtb", m.dtb, m.dtb_size);
        machine_free(&m);

        /* the same tree given, and changed only by -append */
        CHECK(LOAD(&m, &e, "-m", "64M", "-bios", (char *)elf, "-dtb", (char *)given, "-append", "other"));
        CHECK(strcmp(fdt_getprop(m.dtb, fdt_path_offset(m.dtb, "/chosen"), "bootargs", NULL), "other") == 0);
        machine_free(&m);
    }
    static const struct {
        const char *name, *reason;
        size_t size;
    } bad[] = {{"text.dtb", "not a device tree", 64}, {"short.dtb", "", 10}};
    char text[64] = "this is no device tree";
    for (unsigned i = 0; i < 2; i++) {
        const char *path = write_bytes(bad[i].name, text, bad[i].size);
        CHECK(!LOAD(&m, &e, "-m", "1M", "-bios", (char *)elf, "-dtb", (char *)path));
        CHECK(strstr(e.text, bad[i].name) && strstr(e.text, bad[i].reason));
    }
    /* a tree cut at every length */
    CHECK(LOAD(&m, &e, "-m", "1M", "-bios", (char *)elf));
    for (size_t size = 1; size < m.dtb_size; size += 7) {
        uint8_t *part = malloc(size);
        memcpy(part, m.dtb, size);
        struct file file = {"cut.dtb", part, size};
        CHECK(!devicetree_check(&file, &e));
        free(part);
    }
    /* an old version, which libfdt must not see (found by the fuzzer) */
    struct file old = {"old.dtb", m.dtb, m.dtb_size};
    fdt_set_version(m.dtb, 3);
    CHECK(!devicetree_check(&old, &e) && strstr(e.text, "version 3"));
    machine_free(&m);
}

/* --- Options and conditions ------------------------------------------------------------------- */

static bool parse(struct error *error, struct options *o, char *const *words, int n) {
    char *argv[16] = {"tally-sim"};
    memcpy(argv + 1, words, (size_t)n * sizeof *words);
    *error->text = '\0';
    return options_parse(o, n + 1, argv, error);
}

#define PARSE(...)                                                                                           \
    parse(&e, &o, (char *const[]){__VA_ARGS__}, sizeof((char *const[]){__VA_ARGS__}) / sizeof(char *))

/* Is the extension in the first hart's list? */
static bool has_extension(const struct machine *m, const char *name) {
    return fdt_stringlist_search(m->dtb, fdt_path_offset(m->dtb, "/cpus/cpu@0"), "riscv,isa-extensions",
                                 name) >= 0;
}

static bool has_property(const struct machine *m, const char *name) {
    return fdt_getprop(m->dtb, fdt_path_offset(m->dtb, "/pmu"), name, NULL);
}

static void the_isa_list_says_what_is_built(void) {
    static const char *const built[] = {"smcdeleg", "smcntrpmf",    "smcsrind", "smstateen", "ssccfg",
                                        "sscofpmf", "sscounterenw", "sscsrind", "svadu"};
    struct maker maker;
    struct machine m;
    struct error e;
    maker_good(&maker, 1);
    const char *elf = write_bytes("good.elf", maker.bytes, maker.size);
    CHECK(LOAD(&m, &e, "-m", "64M", "-bios", (char *)elf));
    CHECK(m.smepmp && has_extension(&m, "smepmp") && has_extension(&m, "sstc"));
    CHECK(m.ebb && has_extension(&m, "xtallyebb") && !has_property(&m, "tally,event-based-branches"));
    for (unsigned i = 0; i < sizeof built / sizeof *built; i++)
        CHECK(has_extension(&m, built[i]));
    machine_free(&m);
    CHECK(LOAD(&m, &e, "-m", "64M", "-bios", (char *)elf, "--no-smepmp"));
    CHECK(!m.smepmp && !has_extension(&m, "smepmp") && has_extension(&m, "sstc"));
    CHECK(has_extension(&m, "xtallyebb"));
    machine_free(&m);
    CHECK(!LOAD(&m, &e, "-m", "64M", "-bios", (char *)elf, "--clock", "9") && strstr(e.text, "at least 10"));
    CHECK(LOAD(&m, &e, "-m", "64M", "-bios", (char *)elf, "--delegate", "8", "--ebb"));
    CHECK(has_property(&m, "tally,delegated-counters") && has_property(&m, "tally,event-based-branches"));
    machine_free(&m);
}

static void command_line(void) {
    struct options o;
    struct error e;
    CHECK(PARSE("-bios", "x") && o.memory == 128 << 20 && o.harts == 1);
    CHECK(PARSE("--bios", "x", "-m", "64") && o.memory == 64 << 20);
    CHECK(PARSE("-bios", "x", "-m", "2G") && o.memory == 2ull << 30);
    CHECK(PARSE("-bios", "x", "-m", "512k") && o.memory == 512 << 10);
    CHECK(PARSE("-bios", "x", "-smp", "2", "--lockstep", "--quiet") && o.harts == 2 && o.lockstep && o.quiet);
    CHECK(PARSE("--help") && o.help);
    CHECK(!PARSE("-kernle", "x") && strstr(e.text, "-kernle"));
    CHECK(!PARSE("x") && strstr(e.text, "'x'"));
    CHECK(!PARSE("-") && !PARSE("--"));
    CHECK(!PARSE("-bios") && strstr(e.text, "needs a FILE"));
    CHECK(!PARSE("--quiet") && strstr(e.text, "nothing to run"));
    CHECK(!PARSE("-bios", "x", "--wave-from", "1"));
    CHECK(PARSE("-bios", "x", "--wave", "f", "--wave-last", "100") && o.wave_last == 100);
    CHECK(PARSE("-bios", "x", "--wave", "f", "--wave-scope", "a", "--wave-scope", "b") &&
          o.wave_scope.n == 2);
    CHECK(!PARSE("-bios", "x", "--wave-all") && !PARSE("-bios", "x", "--wave-scope", "a"));
    CHECK(!PARSE("-bios", "x", "--wave", "f", "--wave-all", "--wave-scope", "a"));
    CHECK(!PARSE("-bios", "x", "--wave", "f", "--wave-last", "100000001"));
    CHECK(!PARSE("-bios", "x", "--wave", "f", "--wave-last", "1", "--wave-to", "5"));
    static char *const bad_sizes[] = {"0",   "-1", "x", "", "1T", "17G", "1.5G", "1K", "18446744073709551615",
                                      "64MM"};
    for (unsigned i = 0; i < sizeof bad_sizes / sizeof *bad_sizes; i++)
        CHECK(!PARSE("-bios", "x", "-m", bad_sizes[i]));
    static char *const bad_harts[] = {"0", "3", "x", "", "1x", "-1"};
    for (unsigned i = 0; i < sizeof bad_harts / sizeof *bad_harts; i++)
        CHECK(!PARSE("-bios", "x", "-smp", bad_harts[i]));
    CHECK(!PARSE("-bios", "x", "--max-cycles", "0") && !PARSE("-bios", "x", "--max-cycles", "many"));
    CHECK(PARSE("-bios", "x", "--reset-after", "0x10") && o.reset_after == 16);
    CHECK(!PARSE("-bios", "x", "--reset-after", "0") && !PARSE("-bios", "x", "--reset-after", "soon"));
    CHECK(!PARSE("-bios", "x", "--reset-after", "16", "--program", "y"));
    CHECK(!PARSE("-bios", "x", "--reset-after", "16", "--files", "."));
    CHECK(PARSE("-bios", "x", "--delegate", "0xffffffff") && o.delegated == UINT32_MAX);
    CHECK(!PARSE("-bios", "x", "--delegate", "0x100000000"));
    CHECK(PARSE("-bios", "x", "--clock", "4294967295") && o.core_clock == UINT32_MAX);
    CHECK(!PARSE("-bios", "x", "--clock", "4294967296"));
}

/* Number of printed bytes after which the condition is met; 0: never */
static unsigned prints(const char *condition, const char *printed) {
    const struct symbols none = {0};
    struct condition c;
    struct error e;
    CHECK(condition_parse(&c, "--stop", condition, &none, &e));
    for (unsigned i = 0; printed[i]; i++) {
        if (condition_printed(&c, (uint8_t)printed[i]))
            return i + 1;
    }
    return 0;
}

static void conditions(void) {
    struct maker maker;
    struct symbols s = {0};
    struct condition c;
    struct error e;
    maker_good(&maker, 1);
    struct file file = {"good.elf", maker.bytes, maker.size};
    symbols_add(&s, &file);
    symbols_sort(&s);
    CHECK(condition_parse(&c, "--wave-from", NULL, &s, &e) && c.kind == CONDITION_NONE);
    CHECK(condition_parse(&c, "--wave-from", "1000", &s, &e) && c.kind == CONDITION_CYCLE && c.value == 1000);
    CHECK(condition_parse(&c, "--wave-from", "pc:0x80000000", &s, &e) && c.kind == CONDITION_PC &&
          c.value == 0x80000000);
    CHECK(condition_parse(&c, "--wave-from", "start", &s, &e) && c.kind == CONDITION_PC &&
          c.value == 0x80000010);
    CHECK(!condition_parse(&c, "--wave-from", "finish", &s, &e) && strstr(e.text, "finish"));
    CHECK(!condition_parse(&c, "--wave-from", "pc:main", &s, &e) &&
          !condition_parse(&c, "--wave-from", "-5", &s, &e));
    CHECK(!condition_parse(&c, "--wave-from", "", &s, &e));
    CHECK(!condition_parse(&c, "--stop", "text:", &s, &e) && strstr(e.text, "--stop"));
    CHECK(prints("text:x", "x") == 1 && prints("text:x", "yyx") == 3 && prints("text:x", "y") == 0);
    CHECK(prints("text:aab", "aaab") == 4 && prints("text:abab", "ababab") == 4);
    CHECK(prints("text:abac", "abababac") == 8 && prints("1000", "1000") == 0);
    symbols_free(&s);
}

static void remove_directory(void) {
    char command[64];
    snprintf(command, sizeof command, "rm -rf %s", directory);
    if (system(command) != 0)
        perror(directory);
}

int main(void) {
    if (!mkdtemp(directory)) {
        perror(directory);
        return 1;
    }
    bad_files();
    bad_headers();
    bad_segments();
    cut_short();
    nothing_half_done();
    good_elf();
    good_raw();
    images_overlap();
    device_tree();
    the_isa_list_says_what_is_built();
    command_line();
    conditions();
    remove_directory();
    puts(failures ? "FAIL" : "ok");
    return failures != 0;
}
