/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Now and then a thread is sent into the trap at which it has just stopped: all
 * of the time to the next stop is lag.
 *
 * Every other stop has the same lag, and the thread's own work beside it. So if
 * the stops that took no longer than usual cost less in the mean than the
 * trials, this mean is the better figure.
 *
 * A thread on another CPU than xtrace's has a longer lag, which also varies
 * more. Trial stops of such threads are counted apart.
 *
 * The first trial stops follow each other. If the machine is slow just then,
 * all of them are slow: on a virtual machine they took 450 us, and soon after
 * it others took 12 us. But every stop contains its lag, so the least time of
 * all stops is known soon, and no trial is believed that is far above it.
 *
 * Times are numbers here, so this is tested without a process.
 */
#include "process/lag.h"

#include <stdlib.h>

/*
 * The first traps are trial stops; then only a part of the traps, and later
 * fewer. The first trials are slow, because nothing is in the CPU's caches. The
 * distances are odd, because entries and returns of calls usually alternate.
 */
#define TRIALS_FIRST 8u
#define TRIAL_SCARCE 5
#define TRIAL_SOON 17
#define TRIAL_EVERY 257
/* If trial stops differ by more than this many ns, more of them are made. */
#define SPREAD_WIDE 2000
#define TRIAL_OFTEN 65
/* With fewer trials of one kind, or trials that differ by more, the usual CPU
 * time is not known well enough. */
#define TRIALS_FEW 6u
#define SPREAD_MOST 8000
/* The usual time of a stop is at most so many times the least one. */
#define USUAL_MOST 5
/* The mean of other stops is that of the last so many ones, and is known well
 * enough after this many. */
#define STOPS_ENOUGH 64
#define STOPS_FEW 16
/* The kernel counts CPU time in this many ns. */
#define CPU_UNIT 1000

bool
lag_asks(struct lag *lag)
{
	unsigned every = lag->count < TRIALS_FIRST ? 1
			 : lag->scarce		   ? TRIAL_SCARCE
			 : lag->count < LAG_TRIALS ? TRIAL_SOON
			 : lag->wide		   ? TRIAL_OFTEN
						   : TRIAL_EVERY;

	if (!lag->wanted || ++lag->stops < every)
		return false;
	lag->stops = 0;
	lag->scarce = false;
	return true;
}

static int
compare(const void *left, const void *right)
{
	int64_t a = *(const int64_t *)left, b = *(const int64_t *)right;

	return (a > b) - (a < b);
}

/* Adds a number to the sample. Writes the numbers of the sample in ascending
 * order and returns how many they are. */
static unsigned
add_sample(struct lag_sample *sample, int64_t number, int64_t *order)
{
	unsigned count;

	sample->at[sample->count++ % LAG_TRIALS] = number;
	count = sample->count < LAG_TRIALS ? sample->count : LAG_TRIALS;
	for (unsigned i = 0; i < count; i++)
		order[i] = sample->at[i];
	qsort(order, count, sizeof(*order), compare);
	return count;
}

/*
 * The usual number is the mean of the trials that are not far from the median.
 * One trial is not exact enough, because the kernel counts in microseconds, and
 * slow trials were disturbed. The mean of the middle half would be wrong by a
 * third of a microsecond if two of three trials count as one microsecond less
 * than the third one.
 */
static int64_t
add_usual(struct lag_sample *sample, int64_t number, int64_t *ret_spread)
{
	int64_t order[LAG_TRIALS] = { 0 }, sum = 0, n = 0;
	unsigned count = add_sample(sample, number, order);
	int64_t median = order[count / 2];

	for (unsigned i = 0; i < count; i++)
		if (order[i] * 2 <= median * 3 && order[i] * 3 >= median * 2) {
			sum += order[i];
			n++;
		}
	*ret_spread = order[count * 3 / 4] - order[count / 4];
	return sum / n;
}

/* How far the numbers of the sample are from the usual one, without the number
 * that is farthest from it: a trial that was disturbed says nothing of other
 * stops. */
static int64_t
farthest_but_one(const struct lag_sample *sample, int64_t usual)
{
	unsigned count =
		sample->count < LAG_TRIALS ? sample->count : LAG_TRIALS;
	int64_t first = 0, second = 0;

	for (unsigned i = 0; i < count; i++) {
		int64_t far = llabs(sample->at[i] - usual);

		if (far > first) {
			second = first;
			first = far;
		} else if (far > second) {
			second = far;
		}
	}
	return second;
}

static void
add_cost(struct lag_cost *cost, int64_t cpu, int64_t idle)
{
	int64_t spread;

	cost->usual = add_usual(&cost->sample, cpu, &cost->spread);
	cost->farthest = farthest_but_one(&cost->sample, cost->usual);
	cost->idle = add_usual(&cost->idles, idle, &spread);
}

bool
lag_is_far(const struct lag *lag, int64_t latency)
{
	return latency / 5 > lag->latency / 2;
}

void
lag_tried(struct lag *lag, int64_t cpu, int64_t wall)
{
	int64_t order[LAG_TRIALS] = { 0 };
	unsigned count = add_sample(&lag->walls, wall, order);

	lag->count++;
	if (lag->walls.count == 1 || wall < lag->wall)
		lag->wall = wall;
	lag->wall_most = order[count - 1];
	if (cpu < 0)
		return;
	if (lag->near.sample.count == 0 || cpu < lag->least)
		lag->least = cpu;
	if (lag->near.sample.count == 0 || wall - cpu < lag->latency) {
		/* Were all trial stops until now on another CPU? */
		if (lag_is_far(&(struct lag){ .latency = wall - cpu },
			       lag->latency)) {
			lag->far = lag->near;
			lag->near = (struct lag_cost){ 0 };
		}
		lag->latency = wall - cpu;
	}
	add_cost(lag_is_far(lag, wall - cpu) ? &lag->far : &lag->near, cpu,
		 wall - cpu);
}

/*
 * Trial stops may cost half a microsecond more than other stops. Then the sum
 * of the durations of brief calls would be too short by as much for each call.
 */
static void
add_other(struct lag_cost *cost, int64_t cpu)
{
	if (cost->sample.count < TRIALS_FEW || cpu > cost->usual + CPU_UNIT)
		return;
	if (cost->stops < STOPS_ENOUGH)
		cost->stops++;
	cost->mean += ((double)cpu - cost->mean) / cost->stops;
}

void
lag_stopped(struct lag *lag, int64_t cpu, int64_t wall)
{
	if (lag->walls.count > 0 && wall < lag->wall)
		lag->wall = wall;
	if (lag->near.sample.count == 0 || cpu < 0)
		return;
	if (cpu < lag->least)
		lag->least = cpu;
	add_other(lag_is_far(lag, wall - cpu) ? &lag->far : &lag->near, cpu);
}

/* The least time, or 0 after few trials, because the first trials take much
 * longer than later ones. */
static int64_t
least(const struct lag *lag, int64_t of)
{
	return lag->count < TRIALS_FEW ? 0 : of;
}

int64_t
lag_least(const struct lag *lag)
{
	return least(lag, lag->wall);
}

int64_t
lag_most(const struct lag *lag)
{
	return lag->walls.count > 0 ? lag->wall_most : LAG_GUESS;
}

int64_t
lag_idle(const struct lag *lag, bool far)
{
	int64_t idle = far ? lag->far.idle : lag->near.idle;
	int64_t most = lag->latency * USUAL_MOST;

	return idle < most ? idle : most;
}

int64_t
lag_usual(const struct lag *lag, bool far)
{
	const struct lag_cost *cost = far ? &lag->far : &lag->near;

	return cost->sample.count > 0 ? cost->usual + lag_idle(lag, far)
				      : LAG_GUESS;
}

/* The cost of a stop, by the trials and by other stops. */
static int64_t
cost_of(const struct lag_cost *cost)
{
	int64_t mean = (int64_t)cost->mean;

	return cost->stops >= STOPS_FEW && mean < cost->usual ? mean
							      : cost->usual;
}

int64_t
lag_cost(struct lag *lag, int64_t latency, int64_t used, int64_t *ret_unsure)
{
	const struct lag_cost *cost =
		lag_is_far(lag, latency) ? &lag->far : &lag->near;
	bool few = cost->sample.count < TRIALS_FEW;
	bool alike = cost->usual <= lag->least * USUAL_MOST &&
		     cost->usual <= used + SPREAD_WIDE + cost->spread;

	lag->scarce |= few;
	lag->wide = cost->spread > SPREAD_WIDE;
	*ret_unsure =
		cost->farthest > cost->spread ? cost->farthest : cost->spread;
	*ret_unsure += cost->usual - cost_of(cost);
	if (!few && alike && cost->spread <= SPREAD_MOST)
		return cost_of(cost);
	*ret_unsure = lag_most(lag) - least(lag, lag->least);
	return least(lag, lag->least);
}
