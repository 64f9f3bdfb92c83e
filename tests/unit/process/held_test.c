/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Tests a thread's own time. A row of the table says what the thread does from
 * one moment to the next. If a step gives the CPU time, each stop adds one to
 * the number of waits.
 */
#include "tests/unit/process/suites.h"

#include "base/attr.h"
#include "process/held.h"

enum act {
	END,
	SEEN,  /* a stop is seen; the CPU time is not known */
	COUNT, /* a stop is seen; CPU time, waits and preempts so far */
	WORKS, /* resumed; WORKS to TRIES are enum held_run + WORKS */
	SERVES,
	PAUSES,
	TRIES,
	ASKS,
	ASKED_OVER,
	AWAIT,
	ARRIVED,
	APART,
	READS,
	ANSWERED,
	WAITED, /* before a resume; cpu is the delay instead of the CPU time */
	/* the delay at the next COUNT is cpu, and xtrace began to wait at
	 * `at` */
	DELAY,
	OWN,	/* the own time must be cpu */
	UNSURE, /* the uncertainty must be cpu */
	SPENT,	/* the cost of the stops must be cpu */
};

struct step {
	enum act act;
	uint64_t at;
	int64_t cpu;
	uint64_t waits, preempts;
};

/*
 * A trial stop that took 8 us from the resume to the next stop, 4 of them of
 * CPU time.
 */
#define TRIAL                                              \
	{ COUNT, 100, 50, 1, 0 }, { TRIES, 110, 0, 0, 0 }, \
		{ COUNT, 118, 54, 2, 0 },                  \
	{                                                  \
		OWN, 118, 100, 0, 0                        \
	}

static const struct {
	const char *name;
	struct step steps[20];
} rows[] = {
	{ "never stopped", { { OWN, 10, 10, 0, 0 } } },
	{ "held at its entry",
	  { { SEEN, 100, 0, 0, 0 },
	    { OWN, 130, 100, 0, 0 },
	    { WORKS, 150, 0, 0, 0 },
	    { OWN, 160, 110, 0, 0 },
	    { SEEN, 170, 0, 0, 0 },
	    { OWN, 170, 120, 0, 0 } } },
	{ "held within a call",
	  { { SEEN, 100, 0, 0, 0 },
	    { WORKS, 110, 0, 0, 0 },
	    { SEEN, 120, 0, 0, 0 },
	    { WORKS, 500, 0, 0, 0 },
	    { SEEN, 530, 0, 0, 0 },
	    { OWN, 530, 140, 0, 0 } } },
	{ "makes system calls for xtrace",
	  { { SEEN, 100, 0, 0, 0 },
	    { SERVES, 110, 0, 0, 0 },
	    { SEEN, 150, 0, 0, 0 },
	    { SERVES, 160, 0, 0, 0 },
	    { SEEN, 190, 0, 0, 0 },
	    { WORKS, 200, 0, 0, 0 },
	    { OWN, 207, 107, 0, 0 } } },
	{ "is paused by SIGSTOP, as it would be untraced",
	  { { SEEN, 100, 0, 0, 0 },
	    { PAUSES, 110, 0, 0, 0 },
	    { SEEN, 1110, 0, 0, 0 },
	    { WORKS, 1120, 0, 0, 0 },
	    { OWN, 1130, 1110, 0, 0 } } },
	{ "was born stopped",
	  { { WORKS, 50, 0, 0, 0 }, { OWN, 60, 60, 0, 0 } } },

	/* what the stops have cost */
	{ "a held time costs, and so does the lag, which is not known here",
	  { { SEEN, 100, 0, 0, 0 },
	    { SPENT, 0, 0, 0, 0 },
	    { WORKS, 110, 0, 0, 0 },
	    { SPENT, 0, 10, 0, 0 },
	    { SEEN, 20110, 0, 0, 0 },
	    { SPENT, 0, 10 + LAG_GUESS, 0, 0 },
	    { WORKS, 20140, 0, 0, 0 },
	    { SPENT, 0, 40 + LAG_GUESS, 0, 0 } } },
	{ "the lag costs no more than the time since the last stop",
	  { { SEEN, 100, 0, 0, 0 },
	    { WORKS, 110, 0, 0, 0 },
	    { SEEN, 150, 0, 0, 0 },
	    { SPENT, 0, 50, 0, 0 } } },
	{ "a trial stop and calls for xtrace cost all of their time",
	  { TRIAL,
	    { SPENT, 0, 18, 0, 0 },
	    { SERVES, 120, 0, 0, 0 },
	    { SEEN, 160, 0, 0, 0 },
	    { SPENT, 0, 60, 0, 0 } } },
	{ "a late stop costs, a pause does not",
	  { TRIAL,
	    { WORKS, 120, 0, 0, 0 },
	    { COUNT, 90120, 88, 3, 0 },
	    { SPENT, 0, 20 + 89970, 0, 0 },
	    { PAUSES, 90120, 0, 0, 0 },
	    { SEEN, 95000, 0, 0, 0 },
	    { SPENT, 0, 20 + 89970, 0, 0 } } },
	{ "a wait for a CPU costs nothing",
	  { TRIAL,
	    { WAITED, 118, 0, 0, 0 },
	    { WORKS, 120, 0, 0, 0 },
	    { DELAY, 120, 400000, 0, 0 },
	    { COUNT, 500120, 88, 3, 0 },
	    { SPENT, 0, 20 + 8, 0, 0 } } },
	{ "what is given back after a wait for a server has cost nevertheless",
	  { TRIAL,
	    { ASKS, 0, 0, 0, 0 },
	    { WORKS, 120, 0, 0, 0 },
	    { COUNT, 158, 88, 3, 0 },
	    { AWAIT, 0, 0, 0, 0 },
	    { WORKS, 300, 0, 0, 0 },
	    { COUNT, 1000, 98, 5, 0 },
	    { SPENT, 0, 20 + 8 + 142 + 8, 0, 0 } } },

	/* the lag is subtracted */
	{ "neither waited nor lost its CPU: the CPU time without the stop's",
	  { TRIAL,
	    { WORKS, 120, 0, 0, 0 },
	    { COUNT, 200, 88, 3, 0 },
	    { OWN, 200, 130, 0, 0 } } },
	{ "was seen late: its CPU time tells",
	  { TRIAL,
	    { WORKS, 120, 0, 0, 0 },
	    { COUNT, 90120, 88, 3, 0 },
	    { OWN, 90120, 130, 0, 0 } } },
	{ "used less CPU time than all trials: not below 0",
	  { TRIAL,
	    { WORKS, 120, 0, 0, 0 },
	    { COUNT, 128, 57, 3, 0 },
	    { OWN, 128, 100, 0, 0 } } },
	{ "waited: without the lag of the fastest stop",
	  { TRIAL,
	    { WORKS, 120, 0, 0, 0 },
	    { COUNT, 1128, 74, 4, 0 },
	    { OWN, 1128, 1100, 0, 0 } } },
	{ "waited, and used less CPU time than the lag: without this",
	  { TRIAL,
	    { WORKS, 120, 0, 0, 0 },
	    { COUNT, 1120, 56, 4, 0 },
	    { OWN, 1120, 1098, 0, 0 } } },
	{ "waited after slow trials: without the lag of a fast stop",
	  { { COUNT, 100, 50, 1, 0 },
	    { TRIES, 110, 0, 0, 0 },
	    { COUNT, 510, 170, 2, 0 },
	    { WORKS, 510, 0, 0, 0 },
	    { COUNT, 540, 196, 3, 0 },
	    { OWN, 540, 100, 0, 0 },
	    { WORKS, 540, 0, 0, 0 },
	    { COUNT, 940, 288, 5, 0 },
	    { OWN, 940, 470, 0, 0 } } },
	{ "waited after slow trials: at most 20 us less",
	  { { COUNT, 100, 50, 1, 0 },
	    { TRIES, 110, 0, 0, 0 },
	    { COUNT, 400110, 90050, 2, 0 },
	    { WORKS, 400110, 0, 0, 0 },
	    { COUNT, 700110, 180050, 4, 0 },
	    { OWN, 700110, 280100, 0, 0 } } },
	{ "lost its CPU: the same",
	  { TRIAL,
	    { WORKS, 120, 0, 0, 0 },
	    { COUNT, 1128, 74, 3, 1 },
	    { OWN, 1128, 1100, 0, 0 } } },
	{ "... and the wait for a CPU, which may have been lag, is uncertain",
	  { TRIAL,
	    { WAITED, 120, 1000, 0, 0 },
	    { WORKS, 120, 0, 0, 0 },
	    { DELAY, 121, 901000, 0, 0 },
	    { COUNT, 1000120, 74, 3, 1 },
	    { OWN, 1000120, 1000100 - 8, 0, 0 },
	    { UNSURE, 1000120, 900000, 0, 0 } } },
	{ "CPU time not known: the same",
	  { TRIAL,
	    { WORKS, 120, 0, 0, 0 },
	    { SEEN, 1128, 0, 0, 0 },
	    { OWN, 1128, 1100, 0, 0 } } },
	{ "... and the wait for a CPU is uncertain, too",
	  { TRIAL,
	    { WAITED, 120, 1000, 0, 0 },
	    { WORKS, 120, 0, 0, 0 },
	    { DELAY, 121, 901000, 0, 0 },
	    { SEEN, 1000120, 0, 0, 0 },
	    { OWN, 1000120, 1000100 - 8, 0, 0 },
	    { UNSURE, 1000120, 900000 + 4, 0, 0 } } },
	{ "... but not if the thread has less of it than before, after an exec",
	  { TRIAL,
	    { WAITED, 120, 901000, 0, 0 },
	    { WORKS, 120, 0, 0, 0 },
	    { DELAY, 121, 1000, 0, 0 },
	    { SEEN, 1000120, 0, 0, 0 },
	    { UNSURE, 1000120, 4, 0, 0 } } },
	{ "... and never below 0",
	  { TRIAL,
	    { WORKS, 120, 0, 0, 0 },
	    { SEEN, 123, 0, 0, 0 },
	    { OWN, 123, 100, 0, 0 } } },
	{ "the slowest trial stop is the uncertainty of a wait",
	  { TRIAL,
	    { TRIES, 118, 0, 0, 0 },
	    { COUNT, 156, 58, 3, 0 },
	    { WORKS, 156, 0, 0, 0 },
	    { COUNT, 1164, 66, 5, 0 },
	    { OWN, 1164, 1100, 0, 0 },
	    { UNSURE, 1164, 30, 0, 0 } } },

	/* a sleep without a switch: a gap of 270 us, beside a CPU time of 30 */
	{ "a sleep that no switch tells of",
	  { TRIAL,
	    { WAITED, 120, 1000, 0, 0 },
	    { WORKS, 120, 0, 0, 0 },
	    { DELAY, 121, 1003, 0, 0 },
	    { COUNT, 300120, 30054, 3, 0 },
	    { OWN, 300120, 300100 - 4 - 4 - 1, 0, 0 },
	    { UNSURE, 300120, 270000 - 4 - 1 + 4, 0, 0 } } },
	{ "... but the thread or xtrace waited for a CPU",
	  { TRIAL,
	    { WAITED, 120, 1000, 0, 0 },
	    { WORKS, 120, 0, 0, 0 },
	    { DELAY, 121, 271000, 0, 0 },
	    { COUNT, 300120, 30054, 3, 0 },
	    { OWN, 300120, 30100 - 4, 0, 0 } } },
	{ "... but they waited for a part of this time",
	  { TRIAL,
	    { WAITED, 120, 1000, 0, 0 },
	    { WORKS, 120, 0, 0, 0 },
	    { DELAY, 121, 101000, 0, 0 },
	    { COUNT, 300120, 30054, 3, 0 },
	    { OWN, 300120, 200100 - 4 - 1, 0, 0 } } },
	{ "... but xtrace did something else",
	  { TRIAL,
	    { WAITED, 120, 1000, 0, 0 },
	    { WORKS, 120, 0, 0, 0 },
	    { DELAY, 260120, 1003, 0, 0 },
	    { COUNT, 300120, 30054, 3, 0 },
	    { OWN, 300120, 30100 - 4, 0, 0 } } },
	{ "... but the thread hardly worked",
	  { TRIAL,
	    { WAITED, 120, 1000, 0, 0 },
	    { WORKS, 120, 0, 0, 0 },
	    { DELAY, 121, 1003, 0, 0 },
	    { COUNT, 300120, 54 + 4 + 1, 3, 0 },
	    { OWN, 300120, 101, 0, 0 },
	    { UNSURE, 300120, 300000 - 5 - 4 - 1 + 4, 0, 0 } } },
	{ "... and it is not known who waited",
	  { TRIAL,
	    { WORKS, 120, 0, 0, 0 },
	    { DELAY, 121, 1003, 0, 0 },
	    { COUNT, 300120, 30054, 3, 0 },
	    { OWN, 300120, 30100 - 4, 0, 0 } } },
	{ "... and who waited is known from some stops before",
	  { TRIAL,
	    { WAITED, 120, 1000, 0, 0 },
	    { TRIES, 120, 0, 0, 0 },
	    { COUNT, 128, 58, 3, 0 },
	    { WORKS, 130, 0, 0, 0 },
	    { DELAY, 131, 201000, 0, 0 },
	    { COUNT, 300130, 30058, 4, 0 },
	    { OWN, 300130, 100100 - 4 - 1 + 4, 0, 0 } } },
	{ "... and the waits may be those of the stop before",
	  { TRIAL,
	    { WAITED, 120, 1000, 0, 0 },
	    { TRIES, 120, 0, 0, 0 },
	    { COUNT, 150124, 58, 3, 0 },
	    { WORKS, 150130, 0, 0, 0 },
	    { DELAY, 150131, 151000, 0, 0 },
	    { COUNT, 450130, 30058, 4, 0 },
	    { OWN, 450130, 300100 - 4 - 20 - 1, 0, 0 } } },

	/*
	 * A server works while the client is held. Without a trial stop there
	 * is no lag, and all of the time after a resume is uncertain.
	 */
	{ "held for 50 while a server works for 100",
	  { { COUNT, 100, 10, 1, 0 },
	    { AWAIT, 0, 0, 0, 0 },
	    { WORKS, 150, 0, 0, 0 },
	    { COUNT, 200, 10, 3, 0 },
	    { OWN, 200, 200, 0, 0 },
	    { ANSWERED, 0, 0, 0, 0 },
	    { UNSURE, 200, 50, 0, 0 } } },
	{ "held for 90 of 100, and waits for 10",
	  { { COUNT, 100, 10, 1, 0 },
	    { AWAIT, 0, 0, 0, 0 },
	    { WORKS, 190, 0, 0, 0 },
	    { COUNT, 200, 10, 3, 0 },
	    { OWN, 200, 200, 0, 0 },
	    { ANSWERED, 0, 0, 0, 0 },
	    { UNSURE, 200, 10, 0, 0 } } },
	{ "the answer came while it was held: we cannot know when",
	  { { COUNT, 100, 10, 1, 0 },
	    { AWAIT, 0, 0, 0, 0 },
	    { WORKS, 190, 0, 0, 0 },
	    { COUNT, 200, 20, 2, 0 },
	    { OWN, 200, 110, 0, 0 },
	    { ANSWERED, 0, 0, 0, 0 },
	    { UNSURE, 200, 90 + 10, 0, 0 },
	    { OWN, 200, 200, 0, 0 } } },
	{ "held before the request: that delays the server, too",
	  { { COUNT, 100, 10, 1, 0 },
	    { WORKS, 150, 0, 0, 0 },
	    { COUNT, 160, 20, 2, 0 },
	    { AWAIT, 0, 0, 0, 0 },
	    { WORKS, 160, 0, 0, 0 },
	    { COUNT, 260, 20, 4, 0 },
	    { OWN, 260, 210, 0, 0 } } },
	{ "held at several stops, waits in the last call",
	  { { COUNT, 100, 10, 1, 0 },
	    { AWAIT, 0, 0, 0, 0 },
	    { WORKS, 110, 0, 0, 0 },
	    { COUNT, 120, 20, 2, 0 },
	    { WORKS, 160, 0, 0, 0 },
	    { COUNT, 200, 25, 4, 0 },
	    { OWN, 200, 200, 0, 0 } } },
	{ "held for 50, and the CPU time is not known",
	  { { SEEN, 100, 0, 0, 0 },
	    { AWAIT, 0, 0, 0, 0 },
	    { WORKS, 150, 0, 0, 0 },
	    { SEEN, 220, 0, 0, 0 },
	    { OWN, 220, 220, 0, 0 } } },
	{ "held for 90 of 100, and the CPU time is not known",
	  { { SEEN, 100, 0, 0, 0 },
	    { AWAIT, 0, 0, 0, 0 },
	    { WORKS, 190, 0, 0, 0 },
	    { SEEN, 200, 0, 0, 0 },
	    { OWN, 200, 120, 0, 0 },
	    { ANSWERED, 0, 0, 0, 0 },
	    { UNSURE, 200, 80 + 10, 0, 0 } } },
	{ "a part of the answer is there, and then no wait follows",
	  { { COUNT, 100, 10, 1, 0 },
	    { AWAIT, 0, 0, 0, 0 },
	    { ARRIVED, 0, 0, 0, 0 },
	    { WORKS, 190, 0, 0, 0 },
	    { COUNT, 200, 20, 2, 0 },
	    { ANSWERED, 0, 0, 0, 0 },
	    { OWN, 200, 110, 0, 0 },
	    { UNSURE, 200, 90 + 10, 0, 0 } } },
	{ "a part of the answer is there, and the rest is seen late",
	  { { COUNT, 100, 10, 1, 0 },
	    { AWAIT, 0, 0, 0, 0 },
	    { ARRIVED, 0, 0, 0, 0 },
	    { WORKS, 150, 0, 0, 0 },
	    { COUNT, 300150, 20, 2, 0 },
	    { OWN, 300150, 200100, 0, 0 },
	    { ANSWERED, 0, 0, 0, 0 },
	    { OWN, 300150, 200100, 0, 0 },
	    { UNSURE, 300150, 50 + 299990 + 300000, 0, 0 } } },
	{ "a part of the answer is there, and the thread waits for the rest",
	  { { COUNT, 100, 10, 1, 0 },
	    { AWAIT, 0, 0, 0, 0 },
	    { ARRIVED, 0, 0, 0, 0 },
	    { WORKS, 190, 0, 0, 0 },
	    { COUNT, 200, 10, 3, 0 },
	    { ANSWERED, 0, 0, 0, 0 },
	    { OWN, 200, 200, 0, 0 } } },
	{ "is seen late after it has asked: the server works",
	  { TRIAL,
	    { ASKS, 0, 0, 0, 0 },
	    { WORKS, 120, 0, 0, 0 },
	    { COUNT, 620, 63, 3, 0 },
	    { WORKS, 630, 0, 0, 0 },
	    { COUNT, 730, 72, 5, 0 },
	    { OWN, 730, 710, 0, 0 } } },
	{ "held where it asks: the server waits, too",
	  { { COUNT, 100, 10, 1, 0 },
	    { ASKS, 0, 0, 0, 0 },
	    { WORKS, 150, 0, 0, 0 },
	    { COUNT, 250, 10, 3, 0 },
	    { ASKED_OVER, 0, 0, 0, 0 },
	    { OWN, 250, 200, 0, 0 } } },
	{ "asks again: what was held between is given back",
	  { { COUNT, 100, 10, 1, 0 },
	    { ASKS, 0, 0, 0, 0 },
	    { WORKS, 100, 0, 0, 0 },
	    { COUNT, 110, 20, 2, 0 },
	    { WORKS, 130, 0, 0, 0 },
	    { COUNT, 140, 30, 3, 0 },
	    { ASKS, 0, 0, 0, 0 },
	    { WORKS, 190, 0, 0, 0 },
	    { OWN, 200, 150, 0, 0 },
	    { UNSURE, 200, 20 + 10 + 10, 0, 0 } } },
	{ "a sleep between two reads gives nothing back, the next read does",
	  { { COUNT, 100, 10, 1, 0 },
	    { AWAIT, 0, 0, 0, 0 },
	    { ARRIVED, 0, 0, 0, 0 },
	    { APART, 0, 0, 0, 0 },
	    { WORKS, 150, 0, 0, 0 },
	    { COUNT, 250, 10, 3, 0 },
	    { OWN, 250, 200, 0, 0 },
	    { READS, 0, 0, 0, 0 },
	    { WORKS, 280, 0, 0, 0 },
	    { COUNT, 380, 10, 5, 0 },
	    { OWN, 380, 380, 0, 0 } } },
	{ "a wait between two reads is one for the other answer",
	  { { COUNT, 100, 10, 1, 0 },
	    { AWAIT, 0, 0, 0, 0 },
	    { AWAIT, 0, 0, 0, 0 },
	    { ARRIVED, 0, 0, 0, 0 },
	    { APART, 0, 0, 0, 0 },
	    { WORKS, 150, 0, 0, 0 },
	    { COUNT, 250, 10, 3, 0 },
	    { OWN, 250, 250, 0, 0 } } },
	{ "a sleep after the answer is no wait for it",
	  { { COUNT, 100, 10, 1, 0 },
	    { AWAIT, 0, 0, 0, 0 },
	    { ANSWERED, 0, 0, 0, 0 },
	    { WORKS, 150, 0, 0, 0 },
	    { COUNT, 250, 10, 3, 0 },
	    { OWN, 250, 200, 0, 0 } } },
};

/* The values of the last step DELAY, for the next step COUNT. */
static uint64_t delay, waiting;

static struct held_count
count_at(const struct held_clock *held, const struct lag *lag,
	 const struct step *step)
{
	struct held_count count = { .known = step->act == COUNT,
				    .cpu = (uint64_t)step->cpu,
				    .waits = step->waits,
				    .preempts = step->preempts,
				    .waiting = waiting,
				    .delay = delay };

	count.delay_known =
		delay > 0 && held_is_odd(held, lag, step->at, &count);
	return count;
}

static void
take_step(struct held_clock *held, struct lag *lag, const struct step *step,
	  const char *name)
{
	struct held_count count = count_at(held, lag, step);

	switch (step->act) {
	case SEEN:
	case COUNT:
		held_seen(held, lag, step->at, &count);
		delay = waiting = 0;
		break;
	case WAITED:
		held_waited(held, step->at, (uint64_t)step->cpu);
		break;
	case DELAY:
		waiting = step->at;
		delay = (uint64_t)step->cpu;
		break;
	case OWN:
		ck_assert_msg(held_own(held, step->at) == (uint64_t)step->cpu,
			      "%s: at %lu: %ld, not %ld", name, step->at,
			      (long)held_own(held, step->at), step->cpu);
		break;
	case UNSURE:
		ck_assert_msg(held->unsure == (uint64_t)step->cpu,
			      "%s: uncertain by %lu", name, held->unsure);
		break;
	case SPENT:
		ck_assert_msg(held->spent == (uint64_t)step->cpu,
			      "%s: cost %lu", name, held->spent);
		break;
	case AWAIT:
		held_await(held);
		break;
	case ASKS:
		held_asks(held);
		break;
	case ASKED_OVER:
		held_asked_over(held);
		break;
	case ARRIVED:
		held_arrived(held);
		break;
	case APART:
		held_works_apart(held);
		break;
	case READS:
		held_reads(held);
		break;
	case ANSWERED:
		held_answered(held);
		break;
	default:
		held_resumed(held, step->at,
			     (enum held_run)(step->act - WORKS));
	}
}

START_TEST(own_time)
{
	struct held_clock held = { 0 };
	/* A lag with five trials. One more trial makes them enough. */
	struct lag lag = { .wanted = true, .count = 5 };

	for (const struct step *step = rows[_i].steps; step->act; step++)
		take_step(&held, &lag, step, rows[_i].name);
}
END_TEST

/* The first trial stops take long. As long as there are few trials, no lag is
 * subtracted. */
START_TEST(few_trials)
{
	struct held_clock held = { 0 };
	struct lag lag = { .wanted = true };
	struct held_count count = { .known = true };

	held_seen(&held, &lag, 1000, &count);
	held_resumed(&held, 1000, HELD_TRIES);
	count = (struct held_count){ .known = true, .cpu = 50, .waits = 1 };
	held_seen(&held, &lag, 1090, &count);
	held_resumed(&held, 1090, HELD_WORKS);
	count = (struct held_count){ .known = true, .cpu = 110, .waits = 2 };
	held_seen(&held, &lag, 1160, &count);
	ck_assert_uint_eq(held_own(&held, 1160), 1060);
	held_resumed(&held, 1160, HELD_WORKS);
	count = (struct held_count){ .known = true, .cpu = 115, .waits = 4 };
	held_seen(&held, &lag, 1260, &count);
	ck_assert_uint_eq(held_own(&held, 1260), 1160);
}
END_TEST

/* The lag that is subtracted may be longer than the time between two stops.
 * Times of events still advance. */
START_TEST(the_time_line_always_advances)
{
	struct held_clock held = { 0 };
	struct lag lag = { .near = { .sample.count = 9, .usual = 10 },
			   .least = 7,
			   .latency = 30 };
	struct held_count count = { .known = true };

	held_seen(&held, &lag, 1000, &count);
	ck_assert_uint_eq(held_track(&held, 1000), 1000);
	held_resumed(&held, 1000, HELD_WORKS);
	count.cpu = 7;
	count.waits = 1;
	held_seen(&held, &lag, 1020, &count);
	ck_assert_uint_eq(held_own(&held, 1020), 997);
	ck_assert_uint_eq(held_track(&held, 1020), 1001);
	held_resumed(&held, 1020, HELD_WORKS);
	count.cpu = 37;
	count.waits = 2;
	held_seen(&held, &lag, 1060, &count);
	ck_assert_uint_eq(held_own(&held, 1060), 1017);
	ck_assert_uint_eq(held_track(&held, 1060), 1017);
}
END_TEST

Suite *
held_suite(void)
{
	Suite *suite = suite_create("process/held");
	TCase *tests = tcase_create("held");

	tcase_add_loop_test(tests, own_time, 0, (int)array_size(rows));
	tcase_add_test(tests, few_trials);
	tcase_add_test(tests, the_time_line_always_advances);
	suite_add_tcase(suite, tests);
	return suite;
}
