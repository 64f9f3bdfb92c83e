/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A session is one run of xtrace: the tracees, their plans, the open calls and
 * the sinks. Only the tracing thread touches it, except the flags in struct
 * clockwork.
 *
 * Most of its members are pointers: what a room stores for the run is in a
 * struct of that room, which makes and frees it.
 */
#ifndef TRACER_MODEL_SESSION_H
#define TRACER_MODEL_SESSION_H

#include "base/list.h"
#include "breakpoints/semaphores.h"
#include "breakpoints/sites.h"
#include "conf/filter/script_filter.h"
#include "output/sink.h"
#include "process/stop.h"
#include "symbols/modmap.h"
#include "tracer/model/clockwork.h"
#include "tracer/model/counts.h"
#include "tracer/model/loader.h"
#include "tracer/model/record.h"
#include "tracer/model/tracepoint.h"
#include "tracer/model/wants.h"
#include "tracer/options/options.h"

struct completion;
struct condition;
struct out;
struct filter;
struct findings;
struct guards;
struct memory;
struct planned;
struct poll_traps;
struct learned;
struct left_out;
struct open_requests;
struct open_transactions;
struct prototypes;
struct quiet;
struct rooms;
struct spawn_place;
struct spawn_signals;
struct hot_sites;
struct metering;
struct unmatched;
struct alloc_program;
struct allocs;
struct heap_ends;
struct sampler;
struct all_stacks;
struct scripts;
struct sets;
struct sigtrap_program;
struct system_calls;
struct sockets;
struct tee;

/*
 * A program is what runs in a space. What a room stores for a program is in a
 * struct of that room's header; the room makes and frees it (struct life).
 */
struct program {
	struct session *session;
	struct space *space;
	struct sites sites;
	struct semaphores semaphores; /* counted up for SDT probes */
	struct modmap modules;
	struct loader loader;
	struct planned *planned;       /* tracer/plan/plan.h */
	struct findings *findings;     /* tracer/report/findings.h */
	struct metering *metering;     /* tracer/report/metering.h */
	struct guards *guards;	       /* tracer/sigtrap/guards.h */
	struct alloc_program *allocs;  /* tracer/allocs; NULL: no traps */
	struct sockets *sockets;       /* tracer/queries; NULL: none yet */
	struct poll_traps *poll_traps; /* tracer/queries; NULL: none */
	addr_t scratch; /* unused bytes behind some module's text, or behind
			 * the vdso; 0 if unknown */
	struct sigtrap_program *sigtrap; /* tracer/sigtrap/sigtrap.h */
	vec_of(addr_t) arrivals;	 /* tracer/attach/arrival.h */
	bool stays; /* leaving: what xtrace mapped is kept, a thread may execute
		     * it */
	/* the memory is a copy of the parent's, without an exec since */
	bool forked;
	/* the CPU time of its process, in ns, when tracer/report/left_out read
	 * it last; 0: never */
	uint64_t cpu;
	bool said_confined;
	bool said_traced; /* the user was told that a call of ptrace() fails */
};

static inline struct reader *
program_memory(const struct program *program)
{
	return &program->space->reader;
}

/* The size of an address in the program, in bytes. */
static inline unsigned
program_word(const struct program *program)
{
	return program->space->arch->word;
}

/* What interpreters have told of the functions of scripts (--script-calls). */
struct scripts_heard {
	/* an interpreter of the language has the probes */
	bool has_probes[SCRIPT_LANGUAGES];
	bool any[SCRIPT_LANGUAGES]; /* a function was entered */
	bool ruby_methods; /* Ruby has told of a method written in Ruby */
};

/* The program that xtrace starts, if it starts one. */
struct command {
	const struct spawn_signals *signals; /* signal settings that the program
					      * starts with */
	struct spawn_place *place;	     /* --grandchild, or NULL */
	volatile pid_t born; /* the pid of its process before the exec */
	pid_t started;	     /* pid of its process, or 0 */
	/* the command's process has not ended, as far as we have seen */
	bool runs;
	int exit_status;
};

struct session {
	const struct options *options;
	const struct rooms *rooms; /* how rooms call each other */
	struct clockwork *clockwork;
	struct watcher *watcher; /* NULL if there is no watcher */
	struct table table;
	struct map programs; /* struct space -> struct program */
	struct map records;  /* tid -> struct thread_record */
	/* tid -> state of a newborn (tracer/lives/newborn.c) */
	struct map newborn;
	struct call_pool pool;
	/* The size of an address in the programs that are traced: prototypes
	 * are parsed for it. */
	unsigned word;
	struct prototypes *prototypes;
	struct learned *learned; /* prototypes of debug information */
	struct sets *sets;	 /* --set, or NULL */
	/* The filters of -x, and the functions of the sets. */
	vec_of(const struct filter *) filters;
	struct condition *condition;	   /* --if, or NULL */
	struct system_calls *system_calls; /* -S, or NULL */
	struct scripts *scripts;	   /* --script-calls, or NULL */
	struct scripts_heard scripts_heard;
	struct sampler *sampler;       /* --sample, or NULL */
	struct all_stacks *all_stacks; /* t of --live was pressed; or NULL */
	struct allocs *allocs;	       /* --alloc, or NULL */
	struct left_out *left_out;     /* --budget, or NULL */
	struct heap_ends *heap_ends;   /* --heap of a command, or NULL */
	struct hot_sites *hot_sites;   /* tracer/report/hot_sites.h */
	struct unmatched *unmatched;   /* tracer/plan/unmatched.h */
	struct quiet *quiet;	       /* tracer/queries/quiet.h */
	struct strmap said;   /* the keys of say_first(); no value is NULL */
	bool told_tamperings; /* the sinks know what --inject changes */
	struct completion *completion; /* tracer/report/completion.h */
	struct tee *tee;
	struct out **outs;     /* flushed after events; NULL-terminated */
	struct memory *memory; /* what probes remember, or NULL */
	struct wants wants;
	struct open_requests *requests; /* tracer/queries/requests.h */
	/* tracer/queries/transactions.h; or NULL */
	struct open_transactions *transactions;
	struct newcomers *newcomers; /* tracer/attach/newcomers.h; or NULL */
	struct counts counts;
	struct command command;
	bool leaving;
	/* The processor's counter and the clock, when the session began. */
	struct {
		uint64_t ticks, clock;
	} metering;
	uint64_t now; /* see session_now() */
};

/* May calls be counted or left out inside the program? */
static inline bool
session_has_meters(const struct session *session)
{
	return session->wants.sums || session->wants.selected;
}

/* The time of the stop that is being handled. It is read once for each stop,
 * because reading the clock costs time. */
uint64_t session_now(struct session *session);

/* Returns the thread's own time when the clock shows `now`. With --wall, it is
 * `now` itself. */
uint64_t session_own(const struct session *session, const struct thread *thread,
		     uint64_t now);
/*
 * Returns the thread's position on its time line. This is its own time when the
 * clock shows `now`, but never less than an earlier result for this thread.
 */
uint64_t session_track(const struct session *session, struct thread *thread,
		       uint64_t now);
/* The event's call begins at the time `now`: sets its times. */
void session_begin_time(const struct session *session, struct thread *thread,
			uint64_t now, struct event_call *event);
/*
 * The call or span of this event has ended at the time `now`: sets its
 * duration. `thread` has begun it, or is NULL if xtrace does not know that
 * thread any more.
 */
void session_measure(const struct session *session, struct thread *thread,
		     uint64_t now, struct event_call *event);

struct program *session_program(struct session *session, struct space *space);
/*
 * Does the process still run the program whose space had this serial? An exec
 * may have ended the program. A pointer cannot tell, because a later program
 * may have got the same memory.
 */
bool session_runs(const struct session *session, pid_t pid, unsigned serial);
/* The thread's record is made when it is first asked for. */
struct thread_record *session_record(struct session *session,
				     struct thread *thread);
/* Is a thread of the process about to run into a trap once more? If that trap
 * were lifted now, the thread's next real hit of it would be taken for this
 * repetition. */
bool session_repeats(struct session *session, const struct process *process);
/* Calls of a silent thread are not shown. */
void session_set_silent(struct thread_record *record, bool silent);
/* Frees the thread's record; its calls end without an event. */
void session_drop_record(struct session *session, struct thread_record *record);

#endif
