/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What a language of this room provides: how to find its interpreter in a
 * module, how to walk it, and what merge.c and languages.c must know of it.
 */
#ifndef STACKS_SOURCE_PARTS_H
#define STACKS_SOURCE_PARTS_H

#include "base/err.h"
#include "stacks/host.h"
#include "stacks/source.h"

struct source {
	const struct source_ops *ops;
	unsigned module; /* its serial */
	/* It has turned out to be one that we cannot read, and said so. */
	bool refused;
};

struct source_ops {
	/*
	 * Is there an interpreter in the host, which is relocated? 0 and
	 * *ret_source; -ENOENT for none; -ENOTSUP with a sentence for one that
	 * we cannot read.
	 */
	int (*find)(struct host *host, struct reader *memory,
		    struct source **ret_source, struct err *err);
	/*
	 * Adds the frames of the thread with these registers; none where it
	 * runs no script. A sentence in err if what is there makes no sense.
	 */
	void (*walk)(struct source *source, struct reader *memory,
		     const struct regs *regs, struct stack *stack,
		     struct err *err);
	void (*free)(struct source *source);
	/* The native functions that run scripts, each call of one a run of
	 * frames (stacks/merge.c). NULL-terminated, as packages. */
	const char *const *evaluators;
	/* A thread may have a last run that no function on its stack runs. */
	bool run_without_evaluator;
	/* Parts of the paths of files that belong to installed packages. */
	const char *const *packages;
};

#define LANGUAGE(KIND, name, versions) \
	extern const struct source_ops name##_ops;
#include "stacks/languages.def"

/* By the kind of its frames, from FRAME_SCRIPT on. */
extern const struct source_ops *const source_languages[FRAME_KINDS];

#endif
