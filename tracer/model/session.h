/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A session is one run of xtrace: the tracees, their plans, the open calls and
 * the sinks. Only the tracing thread touches it, except the flags in struct
 * clockwork.
 */
#ifndef TRACER_MODEL_SESSION_H
#define TRACER_MODEL_SESSION_H

#include "base/list.h"
#include "breakpoints/semaphores.h"
#include "breakpoints/sites.h"
#include "conf/filter/script_filter.h"
#include "output/sink.h"
#include "process/stop.h"
#include "process/thread.h"
#include "symbols/modmap.h"
#include "tracer/model/calls.h"
#include "tracer/model/clockwork.h"
#include "tracer/options/options.h"
#include "tracer/model/rehits.h"
#include "tracer/model/tracepoint.h"

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
struct metered;
struct metering;
struct unmatched;
struct alloc_program;
struct allocs;
struct budgeted;
struct heap_ends;
struct sampled;
struct sampler;
struct all_stacks;
struct scripts;
struct sets;
struct sigtrap;
struct sigtrap_program;
struct system_calls;
struct sockets;
struct tee;

/* What xtrace knows about the loader in one space. */
struct loader {
	addr_t r_debug;	  /* 0: not known yet */
	struct site *brk; /* the site at r_brk */
	addr_t brk_to_be; /* when attaching: where the site will be; 0 if it is
			   * planted */
	bool whole_list;  /* an entry was removed: read the whole list */
	bool consistent;  /* the program's first RT_CONSISTENT was seen */
	bool absent;	  /* a static program: it will not have a loader */
	/*
	 * Complaints that are printed once: about a wrong entry, and about a
	 * list that is too long.
	 */
	bool said_contradiction, said_long;
	vec_of(struct link) links;
	unsigned readings;  /* how often the lists were read */
	bool copies_stacks; /* the program uses greenlets, see
			     * tracer/model/calls */
};

/* One entry of the loader's list that xtrace has seen. */
struct link {
	addr_t at; /* address of its struct link_map */
	addr_t dynamic;
	addr_t bias;
	unsigned space_name;
	struct module *module; /* NULL: a module that is not traced (the
				* vdso) */
	bool seen;	       /* seen in this read of the list */
	unsigned reading;      /* the number of the read that met it last */
};

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

/* The system call that a thread is in, if it is shown (tracer/system_calls). */
struct system_call_open {
	bool open;
	/* An interrupt of xtrace has ended the call, and the thread perhaps
	 * continues it: its end is not told yet. */
	bool held;
	long number;
	addr_t pc;
	int64_t result;	   /* the result of the call, if held */
	addr_t old_action; /* see sigtrap_action_told(), or 0 */
};

/* What a thread's stops have cost, for --budget. */
struct thread_cost {
	bool counted;	  /* the thread has a stop that counts */
	uint64_t charged; /* how much of thread->held.spent was charged */
	uint64_t recent;  /* how much of it since the last second */
	/* to what the cost of the thread's last stop belongs */
	struct budgeted *to;
};

/* What xtrace knows about a thread. */
struct thread_record {
	struct thread *thread;
	struct calls calls;
	bool stack_known;
	/*
	 * the thread is of a process that is not followed: its hits are not
	 * shown
	 */
	bool silent;
	/* the thread has left by longjmp, and no hit was seen since */
	bool jumped;
	bool ending; /* it has announced its end, and runs no more code */
	/* id of the request that the thread answers (struct event_call) */
	uint64_t request;
	struct framed *framed; /* state of tracer/queries/request_frames */
	bool mixes; /* the thread answers several requests at the same time */
	struct connecting *connecting; /* state of tracer/queries/connecting */
	struct rehits rehits;
	bool tried; /* a trial stop has followed the thread's last hit */
	/* The pc at which the thread has stopped in a slot, after the slot's
	 * first instruction. */
	addr_t interrupted_at;
	struct sigtrap *sigtrap; /* state of tracer/sigtrap */
	struct sampled *sampled; /* state of tracer/sampler, or NULL */
	/* tracer/report/metering; NULL: its calls are not counted inside */
	struct metered *metered;
	/* the thread has no block for its calls, because there was no room; it
	 * is in counts.threads_refused already */
	bool not_metered;
	struct system_call_open system_call;
	/* the thread is delayed in the system call that it begins */
	bool call_delayed;
	struct thread_cost cost; /* state of tracer/report/left_out */
};

/* What the sinks and the filters need to know of calls. What they do not need
 * is not read. */
struct wants {
	bool values;	  /* arguments and results are read */
	bool whole_texts; /* texts are read to their end */
	bool sql;	  /* arguments that are SQL are read */
	bool ends;	  /* how a call ends decides whether it is shown */
	/* sums of calls only, which may be made inside the program */
	bool sums;
	bool sum_times; /* the sums have their struct event_times */
	/* only calls that --min-time or --if selects; other calls may be left
	 * out inside the program */
	bool selected;
	uint64_t least; /* no sink needs a call of less than this, in ns */
	/* the struct event_server of queries is filled in */
	bool servers;
	bool callers; /* the module that calls is found out */
	/* The trace shows the calling module, because it may be a module other
	 * than the program. */
	bool caller_shown;
};

struct counts {
	uint64_t shown; /* calls that the trace shows */
	uint64_t begun; /* calls that have begun */
	/* calls that had not returned when we left: their end is not known */
	uint64_t lost;
	uint64_t attached; /* processes to which xtrace has attached */
	/* requests to a server, see tracer/queries/requests.h */
	uint64_t requests;
	uint64_t planted; /* planted sites */
	uint64_t refused; /* functions that cannot be traced */
	/* jumps: sites that got a jump. jumps_refused: hot sites that got none.
	 * jumps_back: sites that have traps again, because their boundaries
	 * have trapped. */
	uint64_t jumps, jumps_refused, jumps_back;
	uint64_t inside; /* calls that were counted inside the programs */
	/* Because the tables in the program are full: functions and return
	 * addresses without a meter, and threads whose calls are not counted
	 * inside the program. */
	uint64_t meters_refused, threads_refused;
	uint64_t metered; /* threads that had a block */
	/* threads with a block that could not be read at their end */
	uint64_t metered_lost;
	uint64_t confined; /* processes with a seccomp policy that restricts
			    * xtrace */
};

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
