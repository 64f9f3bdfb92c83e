/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the languages of this room give to source.c: how to know one's
 * interpreter in a module, and how to walk it.
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
};

extern const struct source_ops python_ops;
extern const struct source_ops ruby_ops;
extern const struct source_ops php_ops;
extern const struct source_ops perl_ops;

#define SOURCE_LANGUAGES 4u
extern const struct source_ops *const source_languages[SOURCE_LANGUAGES];

#endif
