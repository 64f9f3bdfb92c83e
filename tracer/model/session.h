/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A session is one run of xtrace: the tracees, what is planned for them, what
 * is in flight, and who is told. It is the roof's own; everything in it is
 * touched by the tracing thread only, but for the flags in struct clockwork.
 */
#ifndef TRACER_MODEL_SESSION_H
#define TRACER_MODEL_SESSION_H

#include "breakpoints/sites.h"
#include "output/sink.h"
#include "process/stop.h"
#include "process/thread.h"
#include "symbols/modmap.h"
#include "tracer/model/calls.h"
#include "tracer/model/clockwork.h"
#include "tracer/options/options.h"
#include "tracer/model/rehits.h"
#include "tracer/model/tracepoint.h"

struct condition;
struct out;
struct filter;
struct findings;
struct guards;
struct memory;
struct planned;
struct prototypes;
struct rooms;
struct spawn_signals;
struct sets;
struct sigtrap;
struct sigtrap_program;
struct sockets;
struct tee;

/* What the roof knows of the loader in one space. */
struct loader {
	addr_t r_debug;	  /* 0: not known yet */
	struct site *brk; /* our site at r_brk */
	addr_t brk_to_be; /* when attaching: where it will be, 0 when it is */
	bool whole_list;  /* something was removed: read it all */
	bool settled;	  /* the program's first CONSISTENT has come */
	bool absent;	  /* a static program: there will be none */
	vec_of(struct link) links;
	bool copies_stacks; /* greenlets are there, see tracer/model/calls */
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

/*
 * A program is what runs in a space. What a room keeps of it is in a struct of
 * that room's header: the room makes and frees it (struct life).
 */
struct program {
	struct session *session;
	struct space *space;
	struct sites sites;
	struct modmap modules;
	struct loader loader;
	struct planned *planned;   /* tracer/plan/plan.h */
	struct findings *findings; /* tracer/report/findings.h */
	struct guards *guards;	   /* tracer/sigtrap/guards.h */
	struct sockets *sockets;   /* tracer/queries; NULL: none yet */
	addr_t scratch; /* slack behind some module's text, 0 if unknown */
	struct sigtrap_program *sigtrap; /* tracer/sigtrap/sigtrap.h */
	bool stays; /* leaving: what we mapped does, a thread may be in it */
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
	addr_t interrupted_at;	 /* in a slot last, but not before its first */
	struct sigtrap *sigtrap; /* of tracer/sigtrap */
};

/* What somebody looks at, so that it is fetched. */
struct wants {
	bool values;	  /* arguments and results */
	bool whole_texts; /* ... and texts to their end */
	bool sql;	  /* arguments that are SQL */
	bool callers;	  /* the module that called, of each call */
	/* The caller is shown, for it may be another than the program. */
	bool caller_shown;
};

struct counts {
	uint64_t shown;	   /* calls */
	uint64_t begun;	   /* calls */
	uint64_t planted;  /* sites */
	uint64_t refused;  /* functions that cannot be traced */
	uint64_t confined; /* processes with a seccomp policy in our way */
};

/* The program that xtrace starts, if it starts one. */
struct command {
	const struct spawn_signals *signals; /* what it starts with */
	volatile pid_t born;		     /* its process, before its exec */
	pid_t started;			     /* its process, or 0 */
	bool runs;			     /* its end was not seen */
	int exit_status;
};

/* The names of traced functions, see tracer/plan/naming.h. */
struct names {
	struct strmap names; /* function name -> struct name_use */
	struct arena uses;
	const char *last_label; /* in uses */
	struct strmap found;	/* names that a filter asks for: (void *)1 */
	bool asked;		/* a filter has a plain name in it */
	bool said_missing;
};

struct session {
	const struct options *options;
	const struct rooms *rooms; /* what the rooms are to each other */
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
	struct names naming;
	/* Sentences that are said once: sentence -> not NULL. */
	struct strmap said;
	bool said_no_script;
	struct tee *tee;
	struct out **outs;     /* flushed after events; NULL-terminated */
	struct memory *memory; /* of probes, or NULL */
	struct wants wants;
	struct counts counts;
	struct command command;
	bool leaving;
	uint64_t now; /* see session_now() */
};

/* The time of this stop: asked once, for to ask costs. */
uint64_t session_now(struct session *session);

struct program *session_program(struct session *session, struct space *space);
/* Is it still what runs in that process? An exec has ended it otherwise. */
bool session_runs(struct session *session, pid_t pid,
		  const struct program *program);
/* Made at the first question. */
struct actor *session_actor(struct session *session, struct thread *thread);
/* Forgets it; its calls end without a word. */
void session_drop_actor(struct session *session, struct actor *actor);

#endif
