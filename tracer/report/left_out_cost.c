/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the stops of threads cost, as --budget counts it. */
#include "tracer/report/left_out_parts.h"

#include "tracer/report/report.h"

#include <time.h>

/* The most that one stop counts as a cost of its item. A stop takes longer if
 * xtrace reads files at it, or if the machine is busy. The item does not cause
 * this excess, so it counts as a cost of stops at which nothing can be left
 * out. */
#define STOP_MOST_NS UINT64_C(5000000)

/* ---- what stops cost --------------------------------------------------------
 */

void
left_out_charge(struct left_out *left_out, struct budgeted *item, uint64_t cost)
{
	uint64_t own = cost < STOP_MOST_NS ? cost : STOP_MOST_NS;

	left_out->sum += cost;
	if (item && !item->out)
		item->cost += own;
	left_out->other += item && !item->out ? cost - own : cost;
}

/* The item of the stop: of the functions that the thread has entered, or of the
 * innermost call, which perhaps returns now. */
static struct budgeted *
item_at(struct left_out *left_out, const struct thread_record *record,
	const struct site *site)
{
	const struct calls *calls = &record->calls;

	if (!site)
		return NULL;
	if (site_owned(site, SITE_OWNER_CALL) && site->user)
		return left_out_item(left_out, site->user);
	if (calls->live.count == 0)
		return NULL;
	return left_out_item(
		left_out,
		report_open(calls->live.at[calls->live.count - 1])->tracepoint);
}

/* Counts the thread's stops from this one on. The time for which the thread was
 * held before left_out_begin() does not count. */
static void
count_from_now(const struct left_out *left_out, struct thread_record *record)
{
	const struct held_clock *held = &record->thread->held;

	record->cost.counted = true;
	if (held->resumed > 0 && held->resumed < left_out->start)
		record->cost.charged = held->spent;
}

void
left_out_stopped(struct session *session, struct thread_record *record,
		 const struct site *site)
{
	struct left_out *left_out = session->left_out;
	uint64_t cost;

	if (!left_out || !left_out->begun)
		return;
	if (!record->cost.counted)
		count_from_now(left_out, record);
	cost = record->thread->held.spent - record->cost.charged;
	record->cost.charged += cost;
	record->cost.recent += cost;
	left_out_charge(left_out, record->cost.to, cost);
	record->cost.to = item_at(left_out, record, site);
}

/* Forgets what each thread has cost since the last call. Returns the largest
 * cost. */
static uint64_t
take_costs(struct left_out *left_out)
{
	uint64_t most = left_out->most;
	size_t cursor = 0;
	void *item;

	while (map_next(&left_out->session->records, &cursor, NULL, &item)) {
		struct thread_record *record = item;

		if (record->cost.recent > most)
			most = record->cost.recent;
		record->cost.recent = 0;
	}
	left_out->most = 0;
	return most;
}

/* The CPU time of the traced processes since the last call. */
static uint64_t
take_cpu(struct session *session)
{
	size_t cursor = 0;
	uint64_t all = 0;
	void *item;

	while (map_next(&session->programs, &cursor, NULL, &item)) {
		struct program *program = item;
		struct timespec used;
		clockid_t clock;
		uint64_t cpu;

		if (clock_getcpuclockid(program->space->pid, &clock) != 0 ||
		    clock_gettime(clock, &used) < 0)
			continue;
		cpu = (uint64_t)used.tv_sec * CLOCK_SECOND +
		      (uint64_t)used.tv_nsec;
		if (program->cpu > 0 && cpu > program->cpu)
			all += cpu - program->cpu;
		program->cpu = cpu;
	}
	return all;
}

void
left_out_begin(struct session *session)
{
	struct left_out *left_out = session->left_out;
	size_t cursor = 0;
	void *item;

	if (!left_out)
		return;
	while (map_next(&session->records, &cursor, NULL, &item)) {
		struct thread_record *record = item;

		record->cost.charged = record->thread->held.spent;
		record->cost.counted = true;
	}
	(void)take_cpu(session);
	left_out->start = left_out->since = clock_now();
	left_out->begun = true;
}

/* ---- each second ------------------------------------------------------------
 */

void
left_out_take_time(struct left_out *left_out, uint64_t now)
{
	struct shares_cost cost = { .elapsed = now - left_out->since,
				    .sum = left_out->sum,
				    .most = take_costs(left_out),
				    .cpu = take_cpu(left_out->session) };
	double share = shares_spent(&cost), width = shares_width(&cost);
	double had = left_out->part * width;

	if (cost.elapsed == 0)
		return;
	left_out->cost += share * (double)cost.elapsed;
	left_out->time += (double)cost.elapsed;
	shares_note(&left_out->period, share * (double)cost.elapsed,
		    (double)cost.elapsed);
	left_out->balance += had * (double)cost.elapsed - (double)cost.sum;
	if (left_out->balance > had * (double)RECENT_NS)
		left_out->balance = had * (double)RECENT_NS;
	left_out->left_share =
		shares_left(had, (double)left_out->other / (double)cost.elapsed,
			    left_out->balance);
	left_out->sum = left_out->other = 0;
	left_out->since = now;
}
