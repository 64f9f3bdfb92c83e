/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * An out is where bytes are written: a descriptor, a file, a pipe to a command,
 * or memory in a test. Lines are buffered and written whole. If the pipe is
 * closed or the disk is full, out_error() returns the error, which the caller
 * reports once. A closed pipe never ends xtrace by a signal.
 */
#ifndef OUTPUT_OUT_H
#define OUTPUT_OUT_H

#include "base/attr.h"
#include "base/err.h"
#include "base/str.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct out;

/* An out for a descriptor to which other programs may write. Therefore each
 * line is written at once. The out does not own the descriptor. */
struct out *out_descriptor(int descriptor);
/* Creates or truncates path, or starts a command for "|command". */
must_check int out_open(const char *path, struct out **ret_out,
			struct err *err);
/* Like out_open(), but a file keeps its old content until out_empty() is
 * called. */
must_check int out_continue(const char *path, struct out **ret_out,
			    struct err *err);
/* Removes the content of a file that we have opened, even if it has another
 * name now. All of it must be flushed. */
void out_empty(struct out *out);
/* When *over is true and the reader takes no byte for a second, the rest is
 * lost, out_error() is -ETIMEDOUT, and we do not wait for the command. */
void out_hurry(struct out *out, const atomic_bool *over);
/* An out that adds all bytes to str at once. The caller owns str. */
struct out *out_memory(struct str *str);
/*
 * What gets the bytes of an out in place of a descriptor. A call of `get` has
 * whole lines or, if `versions` is set, a whole version of what was written
 * with out_anew(). `close` is the end: it frees the target, and returns 0 or
 * -errno.
 */
struct out_target {
	bool versions;
	void (*get)(struct out_target *target, const char *bytes,
		    size_t length);
	int (*close)(struct out_target *target);
};
/* Takes ownership of the target. */
struct out *out_target(struct out_target *target);
/* Flushes, closes, waits for the command. Returns 0 or the first error as
 * -errno. */
int out_close(struct out *out);

/*
 * Starts a new version of the file. out_complete() replaces the old content
 * with it in one step: a reader that opens the file sees either the old or the
 * new one. A target gets the whole version. False if that is not possible: for
 * a pipe, a terminal, a link, or a folder that we cannot write to. After a
 * failure the old version stays, and out_error() has the reason.
 */
must_check bool out_anew(struct out *out);
void out_complete(struct out *out);

/*
 * From now on our file is rotated between two events: when it has grown to
 * `size` bytes (0: never), it gets the name PATH.1, the older files up to
 * PATH.`keep` move on by one, and a new file is begun. Nothing for a pipe or a
 * terminal. If a file cannot be renamed, the file grows on.
 */
void out_rotate(struct out *out, uint64_t size, unsigned keep);
/* If the out is rotated: opens its path anew, because another program has
 * renamed the file. */
void out_reopen(struct out *out);

/* The path of a file that out_open() or out_continue() has opened, or NULL;
 * valid until the out is closed. */
const char *out_path(const struct out *out);

/* Adds text, which may be a part of a line. */
void out_write(struct out *out, const char *bytes, size_t length);
/*
 * Writes all complete lines to the descriptor (on a terminal: everything). With
 * pressure, our file or command is written only if the buffer is large.
 * tracer/ calls it with pressure after every event, and without it once per
 * second.
 */
void out_flush(struct out *out, bool pressure);
bool out_terminal(const struct out *out);
/* The size of the terminal; false if there is none or if it cannot move its
 * cursor (TERM is dumb). */
bool out_window(const struct out *out, unsigned *ret_lines,
		unsigned *ret_columns);
/* The first error as a negative errno, or 0. */
int out_error(const struct out *out);

#endif
