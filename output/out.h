/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * An out is where bytes go: a descriptor, a file, a pipe to a command, or
 * memory in a test. Lines are buffered whole and written whole; a closed pipe
 * or a full disk is remembered, said once by whoever asks out_error(), and
 * never ends us by a signal.
 */
#ifndef OUTPUT_OUT_H
#define OUTPUT_OUT_H

#include "base/attr.h"
#include "base/err.h"
#include "base/str.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

struct out;

/* Borrows descriptor, which others may write to: no line is kept back. */
struct out *out_descriptor(int descriptor);
/* Creates or truncates path, or starts a command for "|command". */
must_check int out_open(const char *path, struct out **ret_out,
			struct err *err);
/* While *over is true who reads the descriptor is waited for no more than a
 * second without a byte taken: the rest is lost, out_error() is -ETIMEDOUT, and
 * its command is not waited for. */
void out_hurry(struct out *out, const atomic_bool *over);
/* Into str, the caller's, at once. */
struct out *out_memory(struct str *str);
/* Flushes, closes, waits for the command. 0 or -errno of the first failure. */
int out_close(struct out *out);

/*
 * What is written from here on is to take the place of all that was, in one
 * step, when out_complete() is called: whoever opens the file before sees the
 * old one, and the new one afterwards. False where there is no such thing: for
 * a pipe, a terminal, a name that is a link, a folder that is not ours to
 * write to. A failure on the way leaves the old one and is out_error().
 */
must_check bool out_anew(struct out *out);
void out_complete(struct out *out);

/* Adds text that may be part of a line. */
void out_write(struct out *out, const char *bytes, size_t length);
/*
 * Writes to the descriptor what is complete lines (a terminal: everything).
 * With pressure, into a file or a command of ours only when the buffer is
 * large; the roof calls it with pressure after every event and without when a
 * second has passed.
 */
void out_flush(struct out *out, bool pressure);
bool out_terminal(const struct out *out);
/* The first failure as negative errno, or 0. */
int out_error(const struct out *out);

#endif
