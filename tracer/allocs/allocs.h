/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * --alloc: where the processes get more memory, by line. While a window of the
 * budget is open, each growth is seen and kept; later it is told to the sinks,
 * with the part of the time that was watched. The sinks are also told each gap
 * (gap.h). All functions do nothing if session->allocs is NULL.
 */
#ifndef TRACER_ALLOCS_ALLOCS_H
#define TRACER_ALLOCS_ALLOCS_H

#include "tracer/model/rooms.h"
#include "tracer/model/session.h"
#include "tracer/report/report.h"

/* Memory that a thread has got from the kernel. */
struct grown {
	const char *kind; /* "mmap", "brk", ... */
	addr_t at;
	uint64_t length; /* of the mapping at this address */
	uint64_t bytes;	 /* how many bytes of the mapping are new */
};

/* Returns NULL if --alloc is not given. */
struct allocs *allocs_new(struct session *session);
/* allocs may be NULL. */
void allocs_free(struct allocs *allocs);

/* Before each wait of the loop: ends a break of the budget when its time is
 * over. */
void allocs_work(struct session *session);
/* When allocs_work() is to be called next; 0: it has nothing to do. */
uint64_t allocs_next(const struct session *session);

/* Called once a second: tells the sinks the growths of windows that are closed.
 */
void allocs_tick(struct session *session);

/* Tells the sinks all growths that are kept, and the gaps in which programs are
 * now. No later growth is watched. Call this before the threads are left. */
void allocs_end(struct session *session);

/* Tells the user what was not watched, if no table of the run does. Call this
 * after the threads were left. */
void allocs_say_unwatched(const struct session *session);

/* The thread is about to end, and its process with it: no other thread runs the
 * program's code any more. Notes how much memory the program has in a gap,
 * because this can still be read. */
void allocs_process_exits(struct session *session, struct thread *thread);

/* ---- for the traps of this room ---------------------------------------------
 */

/* Notes that the program's trap at this address belongs to --alloc. */
void allocs_own(struct program *program, addr_t address);

/* A thread is at a trap of --alloc. Returns false if the thread's growth is not
 * watched now, for example in a break of the budget. */
bool allocs_watch(const struct hit *hit);

/* Adds the time for which the thread was held at a trap of --alloc. Called when
 * xtrace has done its work for that stop. */
void allocs_spent(struct session *session, const struct thread *thread);

/* Keeps a call that has got memory, with its frames, as a growth. */
void allocs_keep(struct session *session, struct thread_record *record,
		 struct call *call, const struct grown *growth);

/* The thread gives memory back: what it unmaps of its last growth is subtracted
 * from that growth. */
void allocs_unmapped(struct session *session, pid_t tid, addr_t at,
		     uint64_t length);
void allocs_shrunk(struct session *session, pid_t tid, uint64_t bytes);

extern const struct life allocs_life;

#endif
