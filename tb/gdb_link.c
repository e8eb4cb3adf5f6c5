// SPDX-License-Identifier: Apache-2.0
#include "gdb_link.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

enum { INTERRUPT = 3, POLL_MS = 100 };

struct gdb_link {
    int listener, debugger;                                 /* -1: none */
    char path[sizeof(((struct sockaddr_un *)0)->sun_path)]; /* of the socket; "": a port */
    bool acknowledge;
    uint8_t in[GDB_PACKET_MAX];
    size_t in_n, in_at;
};

/* --- connections --- */

static int listen_port(const char *text, struct error *error) {
    char *end;
    const unsigned long port = strtoul(text, &end, 10);
    const struct sockaddr_in at = {
        .sin_family = AF_INET, .sin_port = htons((uint16_t)port), .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    const int one = 1, fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (*end || port == 0 || port > UINT16_MAX) {
        error_set(error, "--gdb '%s': neither a port nor the path of a socket", text);
    } else if (fd < 0 || setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &one, sizeof one) != 0 ||
               bind(fd, (const struct sockaddr *)&at, sizeof at) != 0 || listen(fd, 1) != 0) {
        error_set(error, "--gdb: port %lu: %s", port, strerror(errno));
    } else {
        return fd;
    }
    if (fd >= 0)
        close(fd);
    return -1;
}

static int listen_path(const char *path, struct error *error) {
    struct sockaddr_un at = {.sun_family = AF_UNIX};
    const int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (strlen(path) >= sizeof at.sun_path) {
        error_set(error, "--gdb %s: at most %zu characters", path, sizeof at.sun_path - 1);
    } else {
        memcpy(at.sun_path, path, strlen(path) + 1);
        if (fd >= 0 && bind(fd, (const struct sockaddr *)&at, sizeof at) == 0 && listen(fd, 1) == 0)
            return fd;
        error_set(error, "--gdb: %s: %s", path, strerror(errno));
    }
    if (fd >= 0)
        close(fd);
    return -1;
}

struct gdb_link *gdb_link_listen(const char *address, struct error *error) {
    static const char prefix[] = "tcp::";
    struct gdb_link *l = calloc(1, sizeof *l);
    if (!l) {
        error_set(error, "not enough memory for the debugger");
        return NULL;
    }
    l->debugger = -1;
    if (strncmp(address, prefix, sizeof prefix - 1) == 0)
        address += sizeof prefix - 1;
    l->listener = strchr(address, '/') ? listen_path(address, error) : listen_port(address, error);
    if (l->listener < 0) {
        free(l);
        return NULL;
    }
    if (strchr(address, '/'))
        snprintf(l->path, sizeof l->path, "%s", address);
    return l;
}

void gdb_link_close(struct gdb_link *l) {
    if (l->debugger >= 0)
        close(l->debugger);
    l->debugger = -1;
}

void gdb_link_free(struct gdb_link *l) {
    if (!l)
        return;
    gdb_link_close(l);
    close(l->listener);
    if (*l->path)
        unlink(l->path);
    free(l);
}

bool gdb_link_connected(const struct gdb_link *l) { return l->debugger >= 0; }

/* Is something to be read? */
static bool ready(int fd, int ms) {
    struct pollfd p = {.fd = fd, .events = POLLIN};
    return poll(&p, 1, ms) > 0;
}

bool gdb_link_accept(struct gdb_link *l, bool wait, bool (*quit)(void)) {
    const int one = 1;
    while (!ready(l->listener, wait ? POLL_MS : 0)) {
        if (!wait || quit())
            return false;
    }
    l->debugger = accept4(l->listener, NULL, NULL, SOCK_CLOEXEC);
    if (l->debugger < 0)
        return false;
    if (!*l->path)
        setsockopt(l->debugger, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
    l->in_n = l->in_at = 0;
    l->acknowledge = true;
    return true;
}

/* --- packets --- */

static void send_all(struct gdb_link *l, const char *data, size_t n) {
    while (n && l->debugger >= 0) {
        const ssize_t sent = send(l->debugger, data, n, MSG_NOSIGNAL);
        if (sent < 0 && errno == EINTR)
            continue;
        if (sent <= 0) {
            gdb_link_close(l);
            return;
        }
        data += sent;
        n -= (size_t)sent;
    }
}

/* More input; false: the debugger has disconnected. */
static bool fill(struct gdb_link *l) {
    const ssize_t n = recv(l->debugger, l->in, sizeof l->in, 0);
    l->in_at = 0;
    l->in_n = n > 0 ? (size_t)n : 0;
    if (n == 0 || (n < 0 && errno != EINTR))
        gdb_link_close(l);
    return n > 0;
}

/* The next byte; -1: the end */
static int next(struct gdb_link *l, bool (*quit)(void)) {
    while (l->in_at == l->in_n) {
        if (l->debugger < 0)
            return -1;
        if (ready(l->debugger, POLL_MS))
            fill(l);
        else if (quit())
            return -1;
    }
    return l->in[l->in_at++];
}

bool gdb_link_interrupted(struct gdb_link *l) {
    if (l->in_at == l->in_n && ready(l->debugger, 0) && !fill(l))
        return true;
    while (l->in_at < l->in_n && (l->in[l->in_at] == '+' || l->in[l->in_at] == '-'))
        l->in_at++;
    if (l->in_at == l->in_n || l->in[l->in_at] != INTERRUPT)
        return false;
    l->in_at++;
    return true;
}

static int hexadecimal(int c) {
    return c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/* The body after '$'; -1: the debugger has disconnected, -2: it is damaged. */
static long get_body(struct gdb_link *l, char *packet, bool (*quit)(void)) {
    unsigned sum = 0;
    size_t n = 0;
    int c;
    while ((c = next(l, quit)) != '#') {
        if (c < 0)
            return -1;
        sum += (unsigned)c;
        if (c == '}') { /* escaped */
            if ((c = next(l, quit)) < 0)
                return -1;
            sum += (unsigned)c;
            c ^= 0x20;
        }
        if (n == GDB_PACKET_MAX)
            return -2;
        packet[n++] = (char)c;
    }
    const int high = hexadecimal(next(l, quit)), low = hexadecimal(next(l, quit));
    packet[n] = 0;
    return high < 0 || low < 0 || (unsigned)(high << 4 | low) != (sum & 255) ? -2 : (long)n;
}

long gdb_link_get(struct gdb_link *l, char *packet, bool (*quit)(void)) {
    for (;;) {
        int c;
        while ((c = next(l, quit)) != '$') {
            if (c < 0)
                return -1;
        }
        const long n = get_body(l, packet, quit);
        if (n == -1)
            return -1;
        if (l->acknowledge)
            send_all(l, n < 0 ? "-" : "+", 1);
        if (n >= 0)
            return n;
    }
}

void gdb_link_put(struct gdb_link *l, const char *data, size_t n) {
    static char out[2 * GDB_PACKET_MAX + 8];
    unsigned sum = 0;
    size_t k = 0;
    out[k++] = '$';
    for (size_t i = 0; i < n && k < 2 * GDB_PACKET_MAX; i++) {
        if (strchr("#$}*", data[i]) && data[i]) {
            out[k++] = '}';
            out[k++] = data[i] ^ 0x20;
        } else {
            out[k++] = data[i];
        }
    }
    for (size_t i = 1; i < k; i++)
        sum += (uint8_t)out[i];
    k += (size_t)snprintf(out + k, 4, "#%02x", sum & 255);
    send_all(l, out, k);
}

void gdb_link_no_acknowledge(struct gdb_link *l) { l->acknowledge = false; }
