/* SPDX-License-Identifier: Apache-2.0 */
/* Offsets for handler.S; sampling.c checks them. */
#ifndef SW_SAMPLING_LAYOUT_H
#define SW_SAMPLING_LAYOUT_H

/* struct sampling_now */
#define NOW_NEXT 0
#define NOW_END 8
#define NOW_SEED 16
#define NOW_JITTER 24
#define NOW_PRESET 32
#define NOW_EVENT 40
#define NOW_HEADER 48
#define NOW_LOST 56
#define NOW_TAIL 64
#define NOW_CONTROL 72
#define NOW_SIZE 80
#define NOW_INTERRUPTS 88
#define NOW_FAULTS 96
#define NOW_INSTRUCTIONS 104
#define NOW_SOURCES 112
#define NOW_FULL 120
#define NOW_WALK 128

/* struct sampling_record */
#define RECORD_HDREV 0
#define RECORD_PC 8
#define RECORD_TIME 16
#define RECORD_LAT 24
#define RECORD_ADR1 32
#define RECORD_ADR2 40
#define RECORD_BYTES 64

#endif
