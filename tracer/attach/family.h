/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which processes -p means: the named ones, and with -f their descendants. */
#ifndef TRACER_ATTACH_FAMILY_H
#define TRACER_ATTACH_FAMILY_H

#include "process/status.h"
#include "tracer/options/options.h"

/* The processes of -p come first, then the chosen ones (--attach-name and other
 * options), then the descendants. */
struct family {
	struct pids pids;
	unsigned word; /* the size of an address in their programs */
	/*
	 * how many are processes of -p: without one of them nothing is traced
	 */
	size_t required;
	/*
	 * how many are of -p or chosen: the user is told if one is left out
	 */
	size_t named;
	bool left_out; /* a chosen process is left out */
};

/* Finds the named processes. word: the size of an address in the programs that
 * the caller can trace. 0, or a negative errno with a sentence. */
must_check int family_named(const struct options *options, unsigned word,
			    struct family *ret_family, struct err *err);

/* Adds the descendants that exist now. */
void family_grow(struct family *family);

/*
 * Of the processes from `first` on, keeps the ones xtrace can trace. A
 * descendant may end at any moment. A descendant that was born after its parent
 * was seized is already traced: the parent's event announces it.
 */
must_check int family_check(struct family *family, size_t first,
			    struct err *err);

/* The process at `index` cannot be traced, because of r and err. Returns r, or
 * 0 if xtrace continues without this process. */
must_check int family_leave_out(struct family *family, size_t index, int r,
				const struct err *err);

/* Tells how many children of the named processes are not traced. */
void family_say_untraced(const struct family *family);

/* Called at the end: a process was left out, and none is traced. Returns
 * -ESRCH. */
must_check int family_none_left(struct err *err);
void family_release(struct family *family);

#endif
