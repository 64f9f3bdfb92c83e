/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A sample is one stack of a thread and the time that it stands for. It is made
 * in steps: the memory is copied while the thread is stopped, and the stack is
 * walked and named when the thread runs again.
 */
#ifndef TRACER_SAMPLER_SAMPLE_H
#define TRACER_SAMPLER_SAMPLE_H

#include "base/arena.h"
#include "tracer/model/session.h"
#include "tracer/report/where.h"

struct sample {
	struct arena arena;
	struct session *session;
	struct program *program; /* may have ended when sample_name() is over */
	unsigned serial;	 /* serial of the program's space */
	pid_t pid, tid;
	struct regs regs;
	bool few;	/* regs has only the registers of an observation */
	bool is_walked; /* the stack was walked while the thread was stopped */
	/* blocked: the thread blocks, in the system call `at`. halted: a signal
	 * has stopped it. */
	bool blocked, halted;
	bool waited; /* the thread waited for a CPU when it was interrupted */
	struct blocked at;
	struct source_activity activity;
	struct stack resumers; /* where_add_resumers() */
	bool has_task;	       /* the thread runs a task of an event loop */
	struct where_task task;
	bool kept_back;	  /* the sinks are not told of this sample */
	uint64_t stopped; /* when the thread's stop was seen */
	uint64_t when;	  /* the time of the sample, by clock_now() */
	uint64_t reached; /* the thread's time, up to which the sample counts */
	struct stack stack;
	struct walked walked;
};

/* Makes a sample without frames, for a thread that runs the program. The caller
 * frees the sample with sample_free(), which accepts NULL. */
struct sample *sample_new(struct program *program, const struct thread *thread);
void sample_free(struct sample *sample);

/* Walks the thread's stack in memory, without names. */
void sample_walk(struct sample *sample, struct reader *memory);

/* Like sample_walk(), but takes only the innermost frame, of which no memory is
 * read: for registers of a moment after which the thread has run. The stack is
 * partial. */
void sample_walk_innermost(struct sample *sample, struct reader *memory);

/* The sample of a thread that blocks, walked from outside; NULL if it ran
 * meanwhile. */
struct sample *sample_observe(struct program *program, struct thread *thread);

/* Has the sample native frames that are in no known module? */
bool sample_has_unknown(const struct sample *sample);

/* Gives the frames their names, after sample_walk(), and adds the mark. Reads
 * files, and nothing of the process. */
void sample_name(struct sample *sample);

/* Tells the sinks the stack, with a weight: the time in ns for which
 * the sample counts. name is the name of the thread. */
void sample_tell(const struct sample *sample, const char *name,
		 uint64_t weight);

/* Tells the sinks the time in ns of a thread for which there is no sample. */
void sample_tell_none(struct session *session, const struct thread *thread,
		      const char *name, uint64_t weight);

#endif
