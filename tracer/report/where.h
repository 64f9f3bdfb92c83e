/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Where a call was made from (-w), and where a thread is: frames of a script,
 * of native code, or of both.
 *
 * A walk needs the thread stopped. To name native frames, debug information may
 * have to be read, and for that the thread is not held: the call is added to
 * session->completion->unnamed, and report_complete() names its frames after
 * the thread was resumed. Frames whose names are known already are named at
 * once.
 */
#ifndef TRACER_REPORT_WHERE_H
#define TRACER_REPORT_WHERE_H

#include "stacks/native.h"
#include "stacks/source.h"
#include "tracer/report/report.h"

/* A stack that was walked. */
struct walked {
	struct stack *stack; /* the frames that were found */
	/* the memory that is walked; NULL: the program's */
	struct reader *memory;
	/* the two stacks before they were merged, if they are merged */
	struct stack native, script;
	bool has_native, merged;
	bool lines;
};

/* A call whose frames have no names yet; in the call's arena. */
struct unnamed {
	struct program *program;
	struct call *call;
	struct stack stack;
	struct walked walked;
};

/* Finds out what walks need to know of the program's modules, if there will be
 * walks. The program may run. */
void where_prepare(struct program *program);
/* Does what where_prepare() does, but later, in report_complete(), and only if
 * the program's modules have changed. */
void where_prepare_later(struct program *program);

/* Fills in call->event.frames at the entry, if they are wanted then, or adds
 * the call to session->completion->unnamed. */
void where_capture(const struct hit *hit, struct call *call);

/*
 * The call executes a statement whose text is not known. If no frames are
 * wanted of other calls, does the same as where_capture(), for the frame that
 * tables show beside the statement.
 */
void where_capture_unknown(const struct hit *hit, struct call *call);

/* True if where_capture_unknown() would do something. */
bool where_unknown_wanted(const struct session *session);

/* Names the frames, and fills in call->event.frames. */
void where_name(struct unnamed *unnamed);

/*
 * Fills in call->event.frames at the return, if they depend on the duration
 * (--stack-min-time), or if the call was entered inside the program.
 */
void where_capture_late(struct program *program, struct thread_record *record,
			struct call *call);

/* Does the same as where_capture() for a call from which the thread has just
 * returned to return_address. */
void where_returned(struct program *program, struct thread_record *record,
		    struct call *call);

/* Does the same as where_capture() for a thread that blocks. */
void where_blocked(struct program *program, struct thread_record *record,
		   const struct regs *regs, struct call *call);

/* Does the same as where_capture() for a coroutine with these frames, on whose
 * behalf the thread runs or waits. They are copied into the call's arena. */
void where_coroutine(struct program *program, struct thread_record *record,
		     const struct stack *frames, struct call *call);

/* Adds a thread's frames of the kind that choice names (not STACK_CALLS), with
 * names, and with files and lines if lines. */
void where_walk(struct program *program, enum stack_choice choice,
		const struct native_start *start, bool lines,
		struct stack *stack);

/* Frees what walks of native frames have read (0.7 MB for each process, most
 * of it unwind tables of the C library), unless options ask for more walks. A
 * later walk reads it again. */
void where_release(struct program *program);

/* where_walk() consists of two steps. The first step finds the frames. The
 * caller has set walked->stack to an empty stack, and walked->lines. It reads
 * walked->memory, which may be a copy. */
void where_begin_walk(struct program *program, enum stack_choice choice,
		      const struct native_start *start, struct walked *walked);
/* What the program's interpreter does for the thread, see sources_activity():
 * after where_begin_walk(). */
void where_activity(struct program *program, const struct walked *walked,
		    const struct regs *regs, addr_t futex,
		    struct source_activity *ret_activity);
/* The second step of where_walk() fills in the names of the frames. It reads
 * files, and nothing of the process. */
void where_end_walk(struct program *program, struct walked *walked);

/* The state of a frame of a script, see sources_frame_state(): after a walk of
 * the thread, which is still stopped. */
must_check bool where_frame_state(const struct program *program,
				  const struct frame *frame,
				  struct source_frame_state *ret_state);

/* The descriptors of the connections to which the variables of the frame lead,
 * see sources_descriptors(). Call it after a walk of the thread, which is still
 * stopped. */
size_t where_descriptors(const struct program *program,
			 const struct frame *frame, int *ret_descriptors,
			 size_t most);

/* The header traceparent of the request that the frame handles, see
 * sources_traceparent(). Call it after a walk of the thread, which is still
 * stopped. */
must_check bool where_traceparent(const struct program *program,
				  const struct frame *frame, char *to,
				  size_t most);

/* Adds the frames of the resumers of the thread's coroutine, see
 * sources_add_resumers(). Call it as where_activity(). */
void where_add_resumers(const struct program *program,
			const struct walked *walked, const struct regs *regs,
			struct stack *stack);

/* A frame of an event loop that runs a task, in the stack that was walked. */
struct where_task {
	addr_t at;     /* struct frame's */
	char name[64]; /* "" if the program has given it no name */
};

/* Finds the innermost such frame; false if there is none. Call it as
 * where_activity(). */
bool where_task(const struct program *program, const struct walked *walked,
		struct where_task *ret_task);

/* The trace is over: names the patterns of --packages that no file of a frame
 * matched. */
void where_say_unmatched(const struct session *session);

#endif
