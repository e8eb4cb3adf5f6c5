// SPDX-License-Identifier: Apache-2.0
#include "terminal.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <termios.h>
#include <unistd.h>

static struct {
    struct termios saved;
    bool raw;        /* standard input is a terminal in raw mode */
    bool input_open; /* no end of file seen */
    bool progress;   /* a progress line is on the screen */
    bool line_start; /* the guest's output ended with a new line */
} term = {.line_start = true};

static volatile sig_atomic_t signalled;

static void restore(void) {
    if (term.raw)
        tcsetattr(STDIN_FILENO, TCSANOW, &term.saved);
    term.raw = false;
}

/* The first signal requests a clean end, a second one ends at once. */
static void on_signal(int number) {
    if (signalled) {
        restore();
        signal(number, SIG_DFL);
        raise(number);
    }
    signalled = 1;
}

static void catch_signals(void) {
    struct sigaction action;
    memset(&action, 0, sizeof action);
    action.sa_handler = on_signal;
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
    sigaction(SIGHUP, &action, NULL);
}

void terminal_open(bool input) {
    struct termios t;
    catch_signals();
    term.input_open = input;
    if (!input)
        return;
    /* A background job must not touch the terminal: it would be stopped. */
    if (isatty(STDIN_FILENO) && tcgetpgrp(STDIN_FILENO) == getpgrp() &&
        tcgetattr(STDIN_FILENO, &term.saved) == 0) {
        t = term.saved;
        t.c_lflag &= (tcflag_t) ~(ICANON | ECHO);
        t.c_iflag &= (tcflag_t) ~(ICRNL | IXON);
        t.c_cc[VMIN] = 1;
        t.c_cc[VTIME] = 0;
        if (tcsetattr(STDIN_FILENO, TCSANOW, &t) == 0) {
            term.raw = true;
            atexit(restore);
        }
    } else if (isatty(STDIN_FILENO)) {
        term.input_open = false;
    }
}

void terminal_close(void) {
    terminal_progress(NULL);
    terminal_flush();
    restore();
}

bool terminal_interrupted(void) { return signalled; }

void terminal_put(uint8_t byte) {
    if (term.progress)
        terminal_progress(NULL);
    putchar_unlocked(byte);
    term.line_start = byte == '\n';
}

void terminal_flush(void) { fflush(stdout); }

unsigned terminal_read(uint8_t *bytes, unsigned room) {
    struct pollfd p = {STDIN_FILENO, POLLIN, 0};
    if (!term.input_open || room == 0 || poll(&p, 1, 0) <= 0)
        return 0;
    const ssize_t n = read(STDIN_FILENO, bytes, room);
    if (n == 0 || (n < 0 && errno != EINTR && errno != EAGAIN))
        term.input_open = false;
    return n > 0 ? (unsigned)n : 0;
}

bool terminal_shows_progress(void) { return isatty(STDERR_FILENO); }

void terminal_progress(const char *text) {
    if (text && !term.line_start)
        return; /* not into the guest's unfinished line */
    if (!text && !term.progress)
        return;
    terminal_flush();
    fprintf(stderr, "\r\033[K%s", text ? text : "");
    fflush(stderr);
    term.progress = text != NULL;
}
