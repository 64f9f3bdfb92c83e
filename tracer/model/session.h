/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A session is one run of xtrace: the tracees, what is planned for them, what
 * is in flight, and who is told. It is the roof's own; everything in it is
 * touched by the tracing thread only, but for the flags in struct clockwork.
 */
#ifndef TRACER_SESSION_H
#define TRACER_SESSION_H

#include "breakpoints/sites.h"
#include "output/sink.h"
#include "process/stop.h"
#include "process/thread.h"
#include "symbols/modmap.h"
#include "tracer/calls.h"
#include "tracer/clockwork.h"
#include "tracer/guards.h"
#include "tracer/options.h"
#include "tracer/rehits.h"
#include "tracer/sigtrap.h"
#include "tracer/traced.h"

struct condition;
struct native;
struct out;
struct filter;
struct memory;
struct prototypes;
struct spawn_signals;
struct sets;
struct sources;
struct tee;

/* What the roof knows of the loader in one space. */
struct loader {
	addr_t r_debug;	  /* 0: not known yet */
	struct site *brk; /* our site at r_brk */
	addr_t brk_to_be; /* when attaching: where it will be, 0 when it is */
	bool whole_list;  /* something was removed: read it all */
	bool settled;	  /* the program's first CONSISTENT has come */
	vec_of(struct link) links;
};

/* One entry of the loader's list that we have seen. */
struct link {
	addr_t at; /* struct link_map */
	addr_t dynamic;
	addr_t bias;
	unsigned space_name;
	struct module *module; /* NULL: one we do not look at (the vdso) */
	bool seen;	       /* in this walk */
};

/* A program is what runs in a space. */
struct program {
	struct session *session;
	struct space *space;
	struct sites sites;
	struct modmap modules;
	struct loader loader;
	bool pointed_open;  /* a table of functions is not filled yet */
	bool filled;	    /* PHP's are, and have been looked at */
	bool watches_jumps; /* the sites on longjmp and its kin are planted */
	bool copies_stacks; /* greenlets are there, see tracer/calls */
	bool errno_known;
	int64_t errno_distance; /* from the thread pointer */
	/* What its stacks are walked with (-w), or NULL. */
	struct sources *sources;
	struct native *native;
	addr_t scratch; /* slack behind some module's text, 0 if unknown */
	/* Attaching: what to plant waits until there is room for its slots. */
	bool waiting;
	vec_of(struct planting) pending; /* user: struct traced */
	vec_of(struct site *) ambushes;	 /* where a thread will lend itself */
	struct guards guards;
	struct map sockets; /* descriptor or SSL -> struct socket */
	size_t socket_count;
	bool disarmed;	    /* leaving: its own action for SIGTRAP stands */
	unsigned losses;    /* how often SIGTRAP's action was lost */
	unsigned certainty; /* how often it was seen to stand */
	unsigned
		ghost; /* certainty + 1 when one ended that was not looked at */
	bool unclaimed;	  /* perhaps another was set unseen, while we came */
	uint64_t masking; /* signals whose handlers are to block SIGTRAP */
	bool said_confined;
};

static inline struct reader *
program_memory(const struct program *program)
{
	return &program->space->reader;
}

/* What the roof knows of a thread. */
struct actor {
	struct thread *thread;
	struct calls calls;
	bool stack_known;
	bool silent; /* of a process that is not followed: passed, not shown */
	bool jumped; /* by longjmp, and not seen since */
	struct rehits rehits;
	addr_t interrupted_at; /* in a slot last, but not before its first */
	struct sigtrap sigtrap;
};

struct session {
	const struct options *options;
	struct clockwork *clockwork;
	struct watcher *watcher; /* or NULL */
	struct table table;
	struct map programs; /* struct space -> struct program */
	struct map actors;   /* tid -> struct actor */
	struct map newborn;  /* tid -> tracer/newborn's */
	struct call_pool pool;
	struct prototypes *prototypes;
	struct sets *sets; /* --set, or NULL */
	/* What -x names, and the sets' functions. */
	vec_of(const struct filter *) filters;
	struct condition *condition; /* --if, or NULL */
	struct strmap names;	     /* function name -> struct name_use */
	struct arena name_uses;
	const char *last_label; /* in name_uses */
	struct strmap found;	/* names that a filter asks for: (void *)1 */
	/* What was said about stacks: sentence -> not NULL. */
	struct strmap said;
	struct tee *tee;
	struct memory *memory; /* of probes, or NULL */
	bool values;	       /* somebody looks at them, so they are fetched */
	bool whole_texts;      /* ... and at texts to their end */
	bool values_of_sql;    /* somebody looks at arguments of SQL */
	bool wants_callers;    /* ... and at the module that called */
	struct out **outs;     /* flushed after events; NULL-terminated */
	bool asks_names;       /* a filter has a plain name in it */
	bool said_nowhere;
	bool said_no_script;
	bool show_caller; /* more callers than the program itself */
	bool leaving;
	uint64_t now; /* see session_now() */
	uint64_t calls_shown;
	uint64_t calls_begun;
	uint64_t planted;
	uint64_t refused;
	uint64_t confined; /* processes with a seccomp policy in our way */
	uint64_t unresolved;
	const struct spawn_signals *signals; /* for what we start */
	volatile pid_t born;		     /* the same, before its exec */
	pid_t started;			     /* our command's process, or 0 */
	bool command_runs;		     /* its end was not seen */
	int exit_status;
};

/* After options, clockwork, tee and outs are set, before anything else. */
void session_init(struct session *session);

/* Begins: attaches, or starts the command. With err a sentence, nothing is
 * left touched. */
must_check int session_begin(struct session *session, struct err *err);
/* Until the last tracee is gone or we are told to leave. */
void session_run(struct session *session);
void session_release(struct session *session);

/* The time of this stop: asked once, for to ask costs. */
uint64_t session_now(struct session *session);

struct program *session_program(struct session *session, struct space *space);
/* Is it still what runs in that process? An exec has ended it otherwise. */
bool session_runs(struct session *session, pid_t pid,
		  const struct program *program);
struct actor *session_actor(struct session *session, struct thread *thread);

#endif
