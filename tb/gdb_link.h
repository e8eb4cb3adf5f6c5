// SPDX-License-Identifier: Apache-2.0
/* GDB's remote serial protocol on a socket: connections and packets, without their meaning. */
#ifndef TALLY_GDB_LINK_H
#define TALLY_GDB_LINK_H

#include "error.h"

#include <stdbool.h>
#include <stddef.h>

enum { GDB_PACKET_MAX = 1 << 14 };

struct gdb_link;

/* `address`: a port of this host ("1234", "tcp::1234" as QEMU has it), or the path of a socket. NULL after
 * filling `error`. */
struct gdb_link *gdb_link_listen(const char *address, struct error *error);
void gdb_link_free(struct gdb_link *link);

bool gdb_link_connected(const struct gdb_link *link);
/* Accept a debugger; without `wait` only one that is connecting already. `quit` ends the waiting. */
bool gdb_link_accept(struct gdb_link *link, bool wait, bool (*quit)(void));
void gdb_link_close(struct gdb_link *link);

/* The next packet, unescaped and with a 0 behind it, in `packet` of GDB_PACKET_MAX + 1 bytes. Its length, or
 * -1: the debugger has gone, or `quit` said so. A Ctrl-C of the debugger is skipped. */
long gdb_link_get(struct gdb_link *link, char *packet, bool (*quit)(void));
/* Has the debugger sent Ctrl-C, or gone? Never waits. */
bool gdb_link_interrupted(struct gdb_link *link);

void gdb_link_put(struct gdb_link *link, const char *data, size_t n);
/* After the answer to QStartNoAckMode */
void gdb_link_no_acknowledge(struct gdb_link *link);

#endif
