/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A held clock adds up for how long xtrace has kept a thread from its own work.
 * The thread's own time is the time of the clock without this sum, and a
 * duration is the difference of two own times.
 */
#ifndef PROCESS_HELD_H
#define PROCESS_HELD_H

#include "process/lag.h"

#include <stdbool.h>
#include <stdint.h>

/* What a thread does after it was resumed. */
enum held_run {
	HELD_WORKS, /* the thread does its own work */
	/* the thread makes a system call that xtrace has injected */
	HELD_SERVES,
	/* the thread waits in a group-stop, as it would untraced */
	HELD_PAUSES,
	/* the thread runs into the trap at which it has just stopped: a trial
	 * stop */
	HELD_TRIES,
};

/* What the kernel has counted for a thread when its stop was seen. */
struct held_count {
	bool known;
	uint64_t cpu;	/* ns in which the thread ran */
	uint64_t waits; /* how often the thread waited; each stop is a wait */
	/* how often another thread took the CPU of this one */
	uint64_t preempts;
	/* When xtrace began to wait for stops; 0: not known. */
	uint64_t waiting;
	/* How long the thread and xtrace have waited for a CPU, in ns. */
	bool delay_known;
	uint64_t delay;
};

/* What is known of the waits for a CPU before a stop. */
struct held_base {
	bool known;
	uint64_t at;	/* when the delay was read */
	uint64_t delay; /* as in struct held_count */
	unsigned stops; /* how many stops there were since `at` */
	/* For how long the thread did not run before these stops, in ns. It and
	 * xtrace have waited for a CPU for at most this time. */
	int64_t idle;
};

struct held_clock {
	enum held_run run;
	/* when the thread's stop was seen; 0: it is not stopped */
	uint64_t seen;
	uint64_t resumed; /* when the thread was resumed last; 0: never */
	struct held_count count; /* the kernel's counts at the last stop */
	struct held_base base;
	bool far;	 /* the thread was on another CPU than xtrace */
	bool odd;	 /* see held_is_odd(), for the last stop */
	int64_t off;	 /* the time that is taken off so far, in ns */
	uint64_t unsure; /* by how much `off` may be wrong, in ns */
	/* What the stops have cost the thread so far, in ns: the time in which
	 * the thread was held, and the lag without the known waits for a CPU.
	 * Unlike `off`, it never becomes less, and the lag of a stop counts as
	 * the usual lag at least. */
	uint64_t spent;
	/*
	 * asks: the thread is about to send a request to a server. asked: it
	 * has sent one within a call of a library, and the call is not over.
	 * awaited: the number of its requests on which a server works.
	 */
	bool asks, asked;
	unsigned awaited;
	bool arrived; /* a part of the answer has come */
	bool apart;   /* the thread works between two reads of the answer */
	/*
	 * ns that were taken off since the request and may have to be given
	 * back
	 */
	int64_t meanwhile;
	uint64_t track; /* the last result of held_track() */
};

/*
 * A stop was seen at the time now. Are its counts perhaps from before the
 * thread was switched out?
 */
bool held_is_early(const struct held_clock *held, const struct lag *lag,
		   uint64_t now, const struct held_count *count);
/*
 * Is more of the time before this stop neither CPU time nor lag than is usual,
 * or may the thread have waited for a CPU? Then held_seen() needs the delay of
 * the count.
 */
bool held_is_odd(const struct held_clock *held, const struct lag *lag,
		 uint64_t now, const struct held_count *count);
/* A stop of the thread was seen at the time now. */
void held_seen(struct held_clock *held, struct lag *lag, uint64_t now,
	       const struct held_count *count);
/* The thread had stopped `late` ns before the time that held_seen() was given,
 * because xtrace has worked while the thread ran. In this time the thread may
 * also have waited for a CPU. */
void held_seen_late(struct held_clock *held, uint64_t late);
/*
 * The thread is about to be resumed, at the time now. Should the delay of its
 * count be read? If so, the caller reads it, and calls held_waited() with the
 * delay or, if that fails, held_waited_unknown().
 */
bool held_wants_delay(const struct held_clock *held, const struct lag *lag,
		      uint64_t now);
void held_waited(struct held_clock *held, uint64_t now, uint64_t delay);
void held_waited_unknown(struct held_clock *held, uint64_t now);
/* The thread is about to be resumed. */
void held_resumed(struct held_clock *held, uint64_t now, enum held_run run);
/*
 * The thread's own time when the clock shows now, which is not before the
 * thread's last stop.
 */
uint64_t held_own(const struct held_clock *held, uint64_t now);
/* By how much the time from one stop to the last one may be wrong, in ns.
 * before: `unsure` after the first stop. */
uint64_t held_unsure(const struct held_clock *held, uint64_t before);
/*
 * The own time, but always later than the last result, by 1 ns at least. A
 * measuring error can set the own time back. Sums of durations need this,
 * because the errors cancel out in them. But on a time line a call must not end
 * after the call around it, and readers of time lines (speedscope) confuse
 * calls that begin and end at the same time.
 */
uint64_t held_track(struct held_clock *held, uint64_t now);

/*
 * The thread is stopped, and about to send bytes to a server. If it does so in
 * a call of a library, held_asked_over() tells that this call is over.
 */
void held_asks(struct held_clock *held);
void held_asked_over(struct held_clock *held);
/*
 * Called when a request has been sent, when a part of its answer has come, and
 * when the whole answer has come.
 */
void held_await(struct held_clock *held);
void held_arrived(struct held_clock *held);
void held_answered(struct held_clock *held);
/*
 * The thread has read a part of the only answer for which it waits. Until
 * held_reads() it does its own work: if it waits, it does not wait for the
 * server.
 */
void held_works_apart(struct held_clock *held);
void held_reads(struct held_clock *held);

#endif
