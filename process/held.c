/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 *	      seen      resumed            seen      resumed
 *	--------|##########|---------------~~|##########|~~-----------
 *	 works      held         works   lag     held    lag  works
 *
 * While a thread is held, its own time does not advance, and neither does it
 * while the thread makes system calls for xtrace. A group-stop is the program's
 * own affair: it would last as long without xtrace.
 *
 * The lag is the time after the trap until xtrace sees the stop, and the time
 * after the resume until the thread runs its own code. It is from 5 to some 100
 * us, depending on the scheduler. It is found for each stop: if the thread was
 * switched out only once between two stops, by the stop itself, then it neither
 * waited nor lost its CPU, and its work took as long as it used the CPU. A part
 * of the CPU time is the kernel's work for the stop. Trial stops tell how much:
 * now and then a thread is sent into the trap at which it has just stopped, so
 * that all of the time to the next stop is lag.
 *
 * On another CPU we may see a stop before the thread is switched out, and the
 * count is then too small. If so much time is missing in it that this may be
 * so, the caller counts again.
 *
 * If the thread waited or lost its CPU, or if its CPU time is not known, then
 * only the lag that each stop has is taken off, which is that of the fastest
 * trial stop. How much more it may have been is the uncertainty.
 *
 * The wait for a server. While a thread is held after it has sent a request,
 * the server works on. If the thread then waits for the answer, the wait ends
 * when the server is done. That is the same moment without xtrace, so nothing
 * is taken off from the request to there. If no wait follows, the answer came
 * while the thread was held or before. We cannot know when, so nothing is taken
 * off, and this time is uncertain. When a part of the answer is there, the rest
 * probably is there, too: then time is taken off unless a wait follows. What
 * the thread is held before it sends delays the server, too, and is taken off.
 *
 * Times are numbers here, so this is tested without a process.
 */
#include "process/held.h"

#include <stdlib.h>

/* The first traps are trial stops; then a part of them, and later fewer,
 * because the first trials are slow: nothing is in the CPU's caches. */
#define TRIALS_FIRST 8u
#define TRIAL_SOON 16
#define TRIAL_EVERY 256

bool
held_lag_asks(struct held_lag *lag)
{
	unsigned every = lag->count < TRIALS_FIRST  ? 1
			 : lag->count < HELD_TRIALS ? TRIAL_SOON
						    : TRIAL_EVERY;

	if (!lag->wanted || ++lag->stops < every)
		return false;
	lag->stops = 0;
	return true;
}

static int
compare(const void *left, const void *right)
{
	int64_t a = *(const int64_t *)left, b = *(const int64_t *)right;

	return (a > b) - (a < b);
}

/* Writes the last trials in order, without unknown ones, which are below 0;
 * returns their number. */
static unsigned
sorted(const struct held_lag *lag, const int64_t *trials, int64_t *to)
{
	unsigned count = 0;

	for (unsigned i = 0; i < HELD_TRIALS && i < lag->count; i++)
		if (trials[i] >= 0)
			to[count++] = trials[i];
	qsort(to, count, sizeof(*to), compare);
	return count;
}

/* The mean of the second quarter: the kernel's microseconds are coarse, and
 * trials that were disturbed must not count. */
static int64_t
usual(const int64_t *order, unsigned count)
{
	unsigned from = count / 4, to = count / 2 + 1;
	int64_t sum = 0;

	for (unsigned i = from; i < to && i < count; i++)
		sum += order[i];
	return count ? sum / (to - from) : 0;
}

static void
add_trial(struct held_lag *lag, int64_t cpu, int64_t wall)
{
	int64_t order[HELD_TRIALS] = { 0 };
	unsigned at = lag->count++ % HELD_TRIALS, count;

	lag->cpus[at] = cpu;
	lag->walls[at] = wall;
	count = sorted(lag, lag->cpus, order);
	lag->cpu = usual(order, count);
	lag->cpu_spread = count ? order[count * 3 / 4] - order[count / 4] : 0;
	count = sorted(lag, lag->walls, order);
	lag->wall = order[0];
	lag->wall_most = order[count - 1];
}

/* What happened between two stops. */
struct between {
	int64_t wall;
	bool known; /* the rest is */
	int64_t cpu;
	bool once;   /* switched out only by the second stop */
	bool waited; /* of its own */
};

static struct between
between(const struct held_clock *held, uint64_t now,
	const struct held_count *count)
{
	struct between b = { .wall = (int64_t)(now - held->resumed) };
	uint64_t waits = count->waits - held->count.waits;

	b.cpu = (int64_t)(count->cpu - held->count.cpu);
	b.known = held->count.known && count->known && b.cpu >= 0 &&
		  b.cpu <= b.wall;
	b.once = waits == 1 && count->preempts == held->count.preempts;
	b.waited = waits > 1;
	return b;
}

bool
held_doubts(const struct held_clock *held, const struct held_lag *lag,
	    uint64_t now, const struct held_count *count)
{
	struct between b = between(held, now, count);

	return held->run == HELD_WORKS && b.known &&
	       count->waits - held->count.waits <= 1 &&
	       b.wall - b.cpu > lag->cpu * 2;
}

/* The time that is not the thread's own: returns how long it worked. */
static int64_t
take_lag(struct held_clock *held, const struct held_lag *lag,
	 const struct between *b)
{
	int64_t worked = b->wall > lag->wall ? b->wall - lag->wall : 0;
	int64_t unsure = lag->wall_most - lag->wall;

	if (b->known && b->once) {
		worked = b->cpu - lag->cpu;
		unsure = lag->cpu_spread;
	} else if (b->known && worked < b->cpu - lag->cpu) {
		worked = b->cpu - lag->cpu;
	}
	held->unsure += (uint64_t)(unsure < b->wall ? unsure : b->wall);
	return worked;
}

static bool
awaiting(const struct held_clock *held)
{
	return held->asked || held->awaited > 0;
}

static void
give_back(struct held_clock *held, int64_t much)
{
	held->off -= much;
	held->meanwhile -= much;
}

/* The thread has waited for a server, which worked while it was held. If it is
 * not known whether the thread waited or worked, it has waited at most so
 * long. */
static void
give_waited(struct held_clock *held, const struct between *b, int64_t worked)
{
	if (!b->known)
		give_back(held,
			  worked < held->meanwhile ? worked : held->meanwhile);
	else if (b->waited)
		give_back(held, held->meanwhile);
}

/* No wait has told when the server was done. */
static void
settle(struct held_clock *held)
{
	held->unsure += (uint64_t)held->meanwhile;
	if (!held->arrived)
		give_back(held, held->meanwhile);
	held->meanwhile = 0;
}

void
held_seen(struct held_clock *held, struct held_lag *lag, uint64_t now,
	  const struct held_count *count)
{
	struct between b = between(held, now, count);
	int64_t worked = b.wall;

	if (!held->resumed)
		worked = b.wall = 0;
	else if (held->run == HELD_WORKS)
		worked = take_lag(held, lag, &b);
	else if (held->run != HELD_PAUSES)
		worked = 0;
	if (held->resumed && held->run == HELD_TRIES)
		add_trial(lag, b.known && b.once ? b.cpu : -1, b.wall);
	held->off += b.wall - worked;
	if (awaiting(held)) {
		held->meanwhile += b.wall - worked;
		if (held->run == HELD_WORKS)
			give_waited(held, &b, worked);
	}
	held->count = *count;
	held->seen = now;
}

void
held_resumed(struct held_clock *held, uint64_t now, enum held_run run)
{
	int64_t took = held->seen ? (int64_t)(now - held->seen) : 0;

	held->off += took;
	if (awaiting(held))
		held->meanwhile += took;
	if (held->asks && run == HELD_WORKS) {
		held->asks = false;
		held->asked = true;
		held->arrived = false;
		held->meanwhile = 0;
	}
	held->seen = 0;
	held->resumed = now;
	held->run = run;
}

uint64_t
held_own(const struct held_clock *held, uint64_t now)
{
	return (held->seen ? held->seen : now) - (uint64_t)held->off;
}

uint64_t
held_track(struct held_clock *held, uint64_t now)
{
	uint64_t own = held_own(held, now);

	if (held->track < own)
		held->track = own;
	return held->track;
}

void
held_asks(struct held_clock *held)
{
	settle(held);
	held->asks = true;
}

void
held_asked_over(struct held_clock *held)
{
	held->asks = held->asked = false;
	if (held->awaited == 0)
		settle(held);
}

void
held_await(struct held_clock *held)
{
	held->awaited++;
}

void
held_arrived(struct held_clock *held)
{
	settle(held);
	held->arrived = true;
}

void
held_answered(struct held_clock *held)
{
	if (held->awaited > 0 && --held->awaited == 0)
		held_asked_over(held);
}
