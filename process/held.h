/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A held clock adds up how long xtrace has kept a thread from its own work. The
 * thread's own time is the time of the clock without that: a duration is the
 * difference of two own times.
 */
#ifndef PROCESS_HELD_H
#define PROCESS_HELD_H

#include <stdbool.h>
#include <stdint.h>

/* What a thread does after it was resumed. */
enum held_run {
	HELD_WORKS,  /* its own work */
	HELD_SERVES, /* a system call that xtrace has injected */
	HELD_PAUSES, /* it waits in a group-stop, as it would untraced */
	HELD_TRIES,  /* it runs into the trap at which it was: a trial stop */
};

/* What the kernel has counted for a thread when its stop was seen. */
struct held_count {
	bool known;
	uint64_t cpu;	   /* ns in which it ran */
	uint64_t waits;	   /* how often it waited; each stop is a wait */
	uint64_t preempts; /* how often another thread took its CPU */
};

enum { HELD_TRIALS = 24 };

/* The last of some numbers. */
struct held_sample {
	unsigned count; /* ever */
	int64_t at[HELD_TRIALS];
};

/* The CPU time of trial stops of one kind: the usual one, and how far most are
 * from it. */
struct held_cost {
	struct held_sample sample;
	int64_t usual, spread;
};

/* How long trial stops took, in which a thread has no work of its own. */
struct held_lag {
	bool wanted;	/* durations are to be without it */
	unsigned count; /* of trials, ever */
	unsigned stops; /* traps since the last trial */
	struct held_sample walls;
	int64_t wall;	   /* the least one, ever */
	int64_t wall_most; /* the largest one of walls */
	/* On xtrace's CPU, and on another one. The least time of a trial stop
	 * that was no CPU time tells them apart. */
	struct held_cost near, far;
	int64_t least; /* CPU time, ever */
	int64_t latency;
	/* The last stops were of a kind with few trials, or with trials that
	 * differ much. */
	bool scarce, wide;
};

struct held_clock {
	enum held_run run;
	uint64_t seen;	  /* when its stop was seen; 0: it is not stopped */
	uint64_t resumed; /* when it was resumed; 0: never */
	struct held_count count; /* at the last stop */
	int64_t off;		 /* what is taken off, in ns */
	uint64_t unsure;	 /* by how much that may be wrong */
	/* The thread is about to send to a server; has sent in a call of a
	 * library; and its requests that a server works on. */
	bool asks, asked;
	unsigned awaited;
	bool arrived;	   /* a part of the answer */
	int64_t meanwhile; /* taken off since it asked, and may have to be
			    * given back */
	uint64_t track;	   /* what held_track() has returned last */
};

/* Is a trap to be a trial stop? */
bool held_lag_asks(struct held_lag *lag);

/* May the count of a stop that was seen at now be from before the thread was
 * switched out? */
bool held_doubts(const struct held_clock *held, const struct held_lag *lag,
		 uint64_t now, const struct held_count *count);
/* A stop of the thread was seen at now. */
void held_seen(struct held_clock *held, struct held_lag *lag, uint64_t now,
	       const struct held_count *count);
/* The thread is about to be resumed. */
void held_resumed(struct held_clock *held, uint64_t now, enum held_run run);
/* The thread's own time at now, which is not before its last stop. */
uint64_t held_own(const struct held_clock *held, uint64_t now);
/*
 * The own time, or what this has returned last if that is later. A measuring
 * error can set the own time back; sums of durations need it so, for errors
 * cancel out in them. On a time line, a call must not end after the one around
 * it.
 */
uint64_t held_track(struct held_clock *held, uint64_t now);

/*
 * The thread is stopped, and about to send bytes to a server. If it does so in
 * a call of a library, held_asked_over() tells that this call is over.
 */
void held_asks(struct held_clock *held);
void held_asked_over(struct held_clock *held);
/* A request begins, a part of an answer is there, a request is over. */
void held_await(struct held_clock *held);
void held_arrived(struct held_clock *held);
void held_answered(struct held_clock *held);

#endif
