/* SPDX-License-Identifier: Apache-2.0 */
/* The memory layout of a random program, for the runtime (assembled) and for the generator */
#ifndef RANDOM_LAYOUT_H
#define RANDOM_LAYOUT_H

#define RUNTIME_BASE 0x80000000  /* runtime.S, its data, page tables */
#define RUNTIME_SIZE 0x10000     /* a PMP entry covers it, */
#define RUNTIME_TEXT_SIZE 0x2000 /* and one its code */
#define TABLES_BASE 0x80008000   /* five pages: root, middle, leaf, middle and leaf of the alias */
#define SERVICES_BASE 0x8000e000
#define SERVICES_N 128
#define CODE_BASE 0x80010000
#define CODE_SIZE 0x40000
#define DATA_BASE 0x80060000
#define DATA_SIZE 0x20000
#define SAMPLES_BASE 0x80100000 /* sample records: written by the PMU, never read */
#define SAMPLES_SIZE 0x4000
#define SECOND_SAMPLES_BASE 0x80104000 /* the second hart's */
#define SECOND_DATA_BASE 0x80108000
#define REGION_END 0x80200000 /* of the leaf table */
#define BIG_BASE 0x80200000   /* data again: memory behind a megapage */
#define ALIAS_BASE 0x40000000 /* the data pages again, in another order; only virtual */

/* A jump to this address ends the program. */
#define FINISH_PC 0x7f0

/* The generator fills these in, at RUNTIME_BASE + PARAMETERS. */
#define PARAMETERS 0x40
#define RUNTIME_M_VECTORS 0x200
#define RUNTIME_S_VECTORS 0x1000
#define P_BODY 0x00 /* first instruction */
#define P_CODE_END 0x08
#define P_TRAP_LIMIT 0x10 /* the program ends after so many traps, if not before */
#define P_TIMER_MASK 0x18 /* ticks from one timer interrupt to the next: random under this mask */
#define P_REGISTERS 0x20  /* 32 doublewords */
/* How the second hart, if there is one, is sampled: mpdisctl (0: not at all), spdiscounter, spdisambcs */
#define P_SECOND_CONTROL 0x120
#define P_SECOND_COUNTER 0x128
#define P_SECOND_BUFFER 0x130
/* mseccfg, 0: left alone; pmpcfg0 that lets the program go on */
#define P_MSECCFG 0x138
#define P_PMPCFG 0x140
#define P_BRANCHES 0x148 /* 1: a timer interrupt switches a task with event-based branches out and in */

/* A service of ecall. Three doublewords: operation, two operands; 32 bytes apart. */
#define SERVICE_SHIFT 5
#define SERVICE_MODE 0   /* continue in mode a */
#define SERVICE_SATP 1   /* satp = a */
#define SERVICE_PTE 2    /* doubleword at a = b */
#define SERVICE_PMP 3    /* pmpaddr4, 5 = a, b; the next service's operands: pmpaddr6 and pmpcfg0 */
#define SERVICE_STATUS 4 /* mstatus: set a, clear b */
#define SERVICE_TIMER 5  /* mtimecmp = mtime + a */
#define SERVICE_MSIP 6
#define SERVICE_UART 7     /* let the UART interrupt: PLIC context a */
#define SERVICE_DELEGATE 8 /* medeleg = a, mideleg = b */
#define SERVICE_MIE 9      /* mie = a (with MTIE) */
#define SERVICE_MSECCFG 10 /* mseccfg = a */

/* PMP entries: 0 the runtime's code, 1 the whole runtime, 3 with MML the program's code (from pmpaddr2), 4 to
 * 6 random, 7 everything. With mseccfg.MML code is shared by all modes to execute, the rest to read and
 * write. */
#define PMP_OPEN 0x1f00000000001f1f
#define PMP_OPEN_MML 0x1e0000008e001e9e
#define PMP_START_MML 0x9d /* entry 0 until MML is set: M-mode's code, in either meaning */

#endif
