/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A delayed stop is reaped, because otherwise the kernel would report it again
 * and again (process/wait). If xtrace is killed during the delay, the kernel
 * resumes the thread at once, and without the signal of a reaped stop. So a
 * thread is delayed only at a place from which it can run on without a signal:
 * at its own instruction, in a slot or at a system call, but not behind a trap.
 *
 * A thread that is delayed gets no interrupt, because it has stopped already. A
 * caller that waits for the interrupt gets the delayed stop instead.
 */
#include "process/delay.h"

#include "base/clock.h"
#include "process/held.h"

void
delay_add(struct table *table, const struct stop *stop, uint64_t ns)
{
	uint64_t now = clock_now();
	struct delayed_stop delayed = { .stop = *stop, .due = now + ns };

	held_resumed(&stop->thread->held, now, HELD_PAUSES);
	stop->thread->state = THREAD_RUNNING;
	vec_push(&table->delayed, delayed);
}

bool
delay_waits(const struct table *table, pid_t tid)
{
	for (size_t i = 0; i < table->delayed.count; i++) {
		if (table->delayed.at[i].stop.tid == tid)
			return true;
	}
	return false;
}

/* The delay is over: fills in the stop as it was when it was decoded. */
static void
stop_again(struct table *table, struct stop *stop)
{
	const struct held_count unknown = { 0 };
	struct thread *thread = table_thread(table, stop->tid);

	stop->thread = thread;
	if (!thread)
		return;
	held_seen(&thread->held, &table->lag, clock_now(), &unknown);
	thread->ask_again = stop->kind == STOP_SYSCALL && thread->asked;
	thread_has_stopped(thread);
}

bool
delay_take(struct table *table, pid_t tid, struct stop *ret_stop)
{
	uint64_t now = tid ? 0 : clock_now();

	for (size_t i = 0; i < table->delayed.count; i++) {
		const struct delayed_stop *delayed = &table->delayed.at[i];

		if (tid ? delayed->stop.tid != tid : delayed->due > now)
			continue;
		*ret_stop = delayed->stop;
		vec_remove(&table->delayed, i);
		stop_again(table, ret_stop);
		return true;
	}
	return false;
}

void
delay_drop(struct table *table, pid_t tid)
{
	for (size_t i = 0; i < table->delayed.count; i++) {
		if (table->delayed.at[i].stop.tid == tid) {
			vec_remove(&table->delayed, i);
			return;
		}
	}
}

uint64_t
delay_next(const struct table *table)
{
	uint64_t next = 0;

	for (size_t i = 0; i < table->delayed.count; i++) {
		uint64_t due = table->delayed.at[i].due;

		if (!next || due < next)
			next = due;
	}
	return next;
}
