/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A stack says where a thread is: frames of a script or of native code, the
 * innermost first. It has room for as many frames as were asked for; if they
 * are counted from the application's first frame, the frames before this one
 * come in addition. Frames and their texts are in an arena and live as long as
 * the arena.
 */
#ifndef STACKS_STACK_H
#define STACKS_STACK_H

#include "base/addr.h"
#include "base/arena.h"
#include "base/attr.h"

#include <stdbool.h>
#include <stddef.h>

enum frame_kind {
	FRAME_NATIVE,
#define LANGUAGE(KIND, name, versions) FRAME_##KIND,
#include "stacks/languages.def"
	FRAME_KINDS
};

/* The first kind of frame of a script. */
#define FRAME_SCRIPT (FRAME_NATIVE + 1)

struct frame {
	enum frame_kind kind;
	/* The outermost frame of a run of the interpreter: the native code that
	 * called the interpreter is below it. */
	bool outermost;
	/* How many runs without any frame (blocks of Perl's sort) are between
	 * this frame and the frame before. */
	unsigned empty;
	/*
	 * The function's name as in the language's own backtraces; NULL if
	 * unknown.
	 */
	const char *function;
	const char *file;
	unsigned line; /* the line that is being executed; 0 if unknown */
	/* file and line are those of the frame's call, because it is a function
	 * of the interpreter */
	bool at_call;
	const char *module; /* of a native frame: the label of its module */
	/* Of a native frame: the path of its module. NULL unless lines are
	 * ltrace's. */
	const char *path;
	addr_t pc; /* of a native frame: its pc */
	/* of a native frame: an address within the instruction that runs */
	addr_t within;
	/* of a native frame: where its function begins; 0 if unknown */
	addr_t start;
	addr_t base; /* of a native frame: the module's bias */
	addr_t at;   /* an address that identifies the frame among others */
	/* The package that the code belongs to; NULL if it is the
	 * application's, or if stack_own() has not looked at it. */
	const char *package;
	bool own; /* the code is the application's own; set by stack_own() */
};

/* How many frames are searched for the application's first frame. */
#define STACK_SEARCHED_MOST 500u

struct stack {
	struct arena *arena;
	struct frame *at;
	size_t count;
	size_t room;
	size_t most;
	/* Are the frames counted from the application's first frame? */
	bool from_own;
	struct packages *packages; /* for package_of(); may be NULL */
	/* Memory further out made no sense, so there may be more frames. */
	bool partial;
	/* there may be more frames, unless the last frame is the program's
	 * first function (native_name() tells) */
	bool partial_perhaps;
	/* Merged stacks: the script's frames that could not be put among the
	 * native ones begin here, behind all native frames; 0 if there are
	 * none. */
	size_t apart;
};

void stack_init(struct stack *stack, struct arena *arena, size_t most);

/*
 * The index of the innermost frame of a script that belongs to the application,
 * not to a package: the line of the application that makes a query, not the
 * line of the driver that sends it. If there is none, the number of frames.
 */
size_t stack_own(const struct stack *stack);

bool stack_full(const struct stack *stack);

/* Adds the next outer frame, zeroed except its kind. The stack must not be
 * full. */
struct frame *stack_push(struct stack *stack, enum frame_kind kind, addr_t at);

/* Sets the file and line of the last *placeless frames, and sets *placeless to
 * 0. Frames in C and hidden frames have no lines of their own: they get the
 * place from which they were called. */
void stack_give_place(struct stack *stack, size_t *placeless, const char *file,
		      unsigned line);

/* Does the path of the frame's file contain one of the parts? */
bool frame_in_file(const struct frame *frame, const char *const *parts,
		   size_t count);

#endif
