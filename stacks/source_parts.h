/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What a language of this room provides: how to find its interpreter in a
 * module, how to walk its frames, and what merge.c and languages.c need to know
 * about it.
 */
#ifndef STACKS_SOURCE_PARTS_H
#define STACKS_SOURCE_PARTS_H

#include "base/err.h"
#include "stacks/binary.h"
#include "stacks/source.h"

struct source {
	const struct source_ops *ops;
	unsigned module; /* serial number of the module with the interpreter */
	/* The interpreter cannot be read, and the user is told so. */
	bool refused;
};

struct source_ops {
	/* A symbol that each binary with the interpreter defines. */
	const char *mark;
	/*
	 * Is there an interpreter in the binary, which is relocated? Returns 0
	 * and *ret_source; -ENOENT if there is none; -ENOTSUP and a message if
	 * it cannot be read.
	 */
	int (*find)(struct binary *binary, struct reader *memory,
		    struct source **ret_source, struct err *err);
	/*
	 * Adds the frames of the thread with these registers; none if the
	 * thread runs no script. Sets err if the interpreter's memory makes no
	 * sense.
	 */
	void (*walk)(struct source *source, struct reader *memory,
		     const struct regs *regs, struct stack *stack,
		     struct err *err);
	/*
	 * The text of the statement that the thread executes, from the driver's
	 * objects in the frames that walk() has found. Returns false if it is
	 * not known. NULL if no driver of the language is known.
	 */
	bool (*statement)(struct source *source, struct reader *memory,
			  const struct regs *regs, const struct stack *stack,
			  const struct statement *statement,
			  struct statement_text *ret_text);
	/*
	 * The query for whose answer the thread waits: the innermost frames are
	 * those of a driver's method that has it. NULL if no such driver is
	 * known.
	 */
	bool (*query)(struct source *source, struct reader *memory,
		      const struct regs *regs, const struct stack *stack,
		      struct statement_query *ret_query);
	/*
	 * Adds the queries whose answers the coroutines of the thread's event
	 * loop await. NULL if no event loop is known.
	 */
	void (*coroutines)(struct source *source, struct reader *memory,
			   const struct stack *stack,
			   struct statement_queries *queries);
	/* Adds what the interpreter does for the thread, see
	 * sources_activity(). NULL if no version is known. */
	void (*activity)(struct source *source, struct reader *memory,
			 const struct regs *regs, addr_t futex,
			 struct source_activity *activity);
	/* Adds the frames of the resumers of the thread's coroutine, see
	 * sources_add_resumers(). NULL if nothing is known. */
	void (*add_resumers)(struct source *source, struct reader *memory,
			     const struct regs *regs, struct stack *stack);
	/* The state of a frame, see sources_frame_state(). NULL if nothing is
	 * known. */
	bool (*frame_state)(struct source *source, struct reader *memory,
			    const struct frame *frame,
			    struct source_frame_state *ret_state);
	/* The descriptors of connections to which a frame leads, see
	 * sources_descriptors(). NULL if nothing is known. */
	size_t (*descriptors)(struct source *source, struct reader *memory,
			      const struct frame *frame, int *ret_descriptors,
			      size_t most);
	/* The header traceparent of the request that the frame handles, see
	 * sources_traceparent(). NULL if nothing is known. */
	bool (*traceparent)(struct source *source, struct reader *memory,
			    const struct frame *frame, char *to, size_t most);
	/* The name of the task that the frame runs, see sources_task(). NULL
	 * if nothing is known. */
	bool (*task)(struct source *source, struct reader *memory,
		     const struct frame *frame, char *to, size_t most);
	void (*free)(struct source *source);
	/* The native functions that run scripts; each call of such a function
	 * is a run of frames (stacks/merge.c). The array ends with NULL, like
	 * `packages`. */
	const char *const *evaluators;
	/* A thread may have a last run of frames for which no function is on
	 * its stack. */
	bool run_without_evaluator;
	/* Parts of the paths of files that belong to installed packages. */
	const char *const *packages;
};

#define LANGUAGE(KIND, name, versions) \
	extern const struct source_ops name##_ops;
#include "stacks/languages.def"

/* The languages, indexed by the kind of their frames, from FRAME_SCRIPT on. */
extern const struct source_ops *const source_languages[FRAME_KINDS];

#endif
