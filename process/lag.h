/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The lag of stops: the time from the resume of a thread until it runs its own
 * code, and from its trap until xtrace sees the stop. It is from 5 to some 100
 * us, depending on the scheduler, and trial stops tell it. All times are in ns.
 */
#ifndef PROCESS_LAG_H
#define PROCESS_LAG_H

#include <stdbool.h>
#include <stdint.h>

enum { LAG_TRIALS = 24 };

/* The assumed lag of a stop until there was a trial stop, in ns. */
#define LAG_GUESS 15000

/* The last LAG_TRIALS numbers of a series. */
struct lag_sample {
	unsigned count; /* how many numbers there were in all */
	int64_t at[LAG_TRIALS];
};

/* The CPU time of stops of one kind. */
struct lag_cost {
	/* Of trial stops: the usual one, the range of the middle half of them,
	 * and how far from the usual one all but one are. */
	struct lag_sample sample;
	int64_t usual, spread, farthest;
	/* Of the last other stops that did not take longer than usual: their
	 * mean, and how many they were. */
	double mean;
	unsigned stops;
	struct lag_sample idles;
	/* the usual time of a trial stop that was no CPU time, in ns */
	int64_t idle;
};

/* The lag of stops: how long trial stops took, in which a thread has no work of
 * its own. */
struct lag {
	bool wanted;	/* durations should not contain the lag */
	unsigned count; /* how many trials there were */
	unsigned stops; /* how many traps there were since the last trial */
	struct lag_sample walls;
	/* The least time from a resume to a stop so far, in ns. */
	int64_t wall;
	int64_t wall_most; /* the largest number in `walls` */
	/* The costs of trial stops on xtrace's CPU, and of those on another
	 * CPU. The least time of a trial stop that was no CPU time tells them
	 * apart. */
	struct lag_cost near, far;
	/* The least CPU time from a resume to a stop so far, in ns. */
	int64_t least;
	int64_t latency;
	/* The last stops were of a kind with few trials, or with trials that
	 * differ much. */
	bool scarce, wide;
};

/* Should this trap be a trial stop? */
bool lag_asks(struct lag *lag);
/*
 * A trial stop took that long from the resume on. cpu: how long the thread ran;
 * below 0: not known.
 */
void lag_tried(struct lag *lag, int64_t cpu, int64_t wall);
/* Like lag_tried(), for a stop that was no trial stop. Such a stop contains a
 * lag, too, so its times can be the least ones so far, and the lag is not
 * longer than these stops are in the mean. */
void lag_stopped(struct lag *lag, int64_t cpu, int64_t wall);
/*
 * Was the thread on another CPU than xtrace? latency: the time of its stop that
 * was no CPU time. On the same CPU, the thread runs as soon as xtrace waits,
 * and xtrace runs as soon as the thread stops. Another CPU gets an interrupt
 * first, may have to wake up, and does not have in its caches what xtrace has
 * just written. Its stops take several times as long.
 */
bool lag_is_far(const struct lag *lag, int64_t latency);
/* The least lag of all stops, or 0 as long as it is not known. */
int64_t lag_least(const struct lag *lag);
/* The largest lag that is known: of the last trial stops, or LAG_GUESS if there
 * was none. */
int64_t lag_most(const struct lag *lag);
/* The usual time of a stop that is no CPU time. */
int64_t lag_idle(const struct lag *lag, bool far);
/* The usual lag of a stop, as the trial stops of its kind tell; LAG_GUESS if
 * there was no trial stop of its kind. */
int64_t lag_usual(const struct lag *lag, bool far);
/*
 * How much of `used`, the CPU time from the resume to the stop, was the
 * kernel's work for the stop, as trial stops of its kind tell. If there are few
 * trials of this kind, or if they differ much or are not like this stop, they
 * may be far from the truth. Then the result is the least CPU time of all
 * stops, so that no call seems shorter than it was. Stores by how much the
 * result may be wrong: as much as all but one of the last trials, at least.
 */
int64_t lag_cost(struct lag *lag, int64_t latency, int64_t used,
		 int64_t *ret_unsure);

#endif
