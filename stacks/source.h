/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A source is an interpreter in a space whose script frames can be read while
 * the thread is stopped. The sources of a space are found in its modules, as
 * they are loaded and unloaded.
 */
#ifndef STACKS_SOURCE_H
#define STACKS_SOURCE_H

#include "arch/regs.h"
#include "base/attr.h"
#include "base/reader.h"
#include "stacks/stack.h"
#include "stacks/statement.h"
#include "symbols/modmap.h"

struct sources;

/* The lock that a thread must hold to run a script. */
enum source_lock {
	SOURCE_LOCK_UNKNOWN, /* nothing is known of the lock, or the thread does
				not use it */
	SOURCE_LOCK_HELD,
	SOURCE_LOCK_AWAITED,
};

/* What an interpreter does for a thread besides running its script. */
struct source_activity {
	bool collects; /* the thread collects garbage */
	enum source_lock lock;
	const char *lock_name; /* "GIL"; NULL if the lock is unknown */
};

/* What of a frame of a script tells one call of its function from the next one,
 * whose frame may be at the same address. */
struct source_frame_state {
	/* grows with the instructions of the function, as they are in its
	 * code */
	uint64_t position;
	/* of the objects that the function's parameters are: the same numbers
	 * mean the same objects */
	uint64_t arguments;
	/* The frame is a coroutine's: it may leave the stack and come back. */
	bool coroutine;
};

/* Does the module define a symbol that an interpreter has? Other modules are
 * not searched. */
bool sources_may_be_in(const struct module *module);

struct sources *sources_new(void);
/* sources may be NULL. */
void sources_free(struct sources *sources);

/* Searches new modules for interpreters, as the next walk would. Returns how
 * many interpreters that we can read are known. */
size_t sources_prepare(struct sources *sources, const struct modmap *modules,
		       struct reader *memory);

/*
 * Adds the script frames of the stopped thread to stack. Returns how many
 * interpreters that we can read are known in the space so far; if it is 0, the
 * stack stays empty.
 */
size_t sources_walk(struct sources *sources, const struct modmap *modules,
		    struct reader *memory, const struct regs *regs,
		    struct stack *stack);

/*
 * Stores the text of the statement that the stopped thread executes, from the
 * driver's objects in its script's frames; statement->arena holds it. Returns
 * false if it is not known.
 */
bool sources_statement(struct sources *sources, const struct modmap *modules,
		       struct reader *memory, const struct regs *regs,
		       const struct statement *statement,
		       struct statement_text *ret_text);

/* Stores the query for whose answer the thread waits, as its script's frames
 * have it; the thread is stopped, or blocks. Returns false if it is not known,
 * or if the thread waits for something else. */
bool sources_query(struct sources *sources, const struct modmap *modules,
		   struct reader *memory, const struct regs *regs,
		   struct arena *arena, struct statement_query *ret_query);

/* Adds the queries whose answers coroutines of the thread await, as their
 * frames have them; the thread blocks. Texts and stacks are in the arena. */
void sources_coroutines(struct sources *sources, const struct modmap *modules,
			struct reader *memory, const struct regs *regs,
			struct arena *arena, struct statement_queries *queries);
/* Looks for the text of the statement in the frames of a coroutine that
 * sources_coroutines() has found, while the thread is still stopped. */
bool sources_coroutine_statement(struct sources *sources,
				 const struct stack *stack,
				 const struct regs *regs,
				 const struct statement *statement,
				 struct statement_text *ret_text);

/*
 * What an interpreter does for the thread, after sources_walk() of it. futex is
 * the address at which the thread waits in futex(2), or 0. Nothing is set if
 * the interpreter's version is not known well enough.
 */
void sources_activity(struct sources *sources, struct reader *memory,
		      const struct regs *regs, addr_t futex,
		      struct source_activity *ret_activity);

/* Stores the state of a frame that sources_walk() has added; the thread must
 * still be stopped. Returns false if the state is not known for the frame's
 * language. */
bool sources_frame_state(struct sources *sources, const struct frame *frame,
			 struct source_frame_state *ret_state);

/* Stores the descriptors of the connections to which the variables of the frame
 * lead, at most `most`, and returns how many. sources_walk() has added the
 * frame, and the thread must still be stopped. */
size_t sources_descriptors(struct sources *sources, const struct frame *frame,
			   int *ret_descriptors, size_t most);

/* Stores the value of the header traceparent of the request that is in a
 * variable of the frame, with a NUL. False if no variable has this header, or
 * if the value and the NUL need more than `most` bytes. sources_walk() has
 * added the frame, and the thread must still be stopped. */
bool sources_traceparent(struct sources *sources, const struct frame *frame,
			 char *to, size_t most);

/* The thread runs a coroutine. Adds the frames of its resumer, which is the
 * coroutine that has resumed it and waits for it, then the frames of the
 * resumer's resumer, and so on; before each of them a frame "[fiber]" of no
 * module. memory: what the walk of the thread read. */
void sources_add_resumers(struct sources *sources, struct reader *memory,
			  const struct regs *regs, struct stack *stack);

/* The frame is one of an event loop that runs a task: stores the name that the
 * program has given to the task, cut to `most` - 1 bytes, or "". False if the
 * frame runs no task. memory: what the walk that has added the frame read. */
bool sources_task(struct sources *sources, struct reader *memory,
		  const struct frame *frame, char *to, size_t most);

/* A message about an interpreter that we cannot read; NULL if there is none
 * that was not given before. */
const char *sources_complaint(struct sources *sources);

#endif
