/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * After a thread was resumed, xtrace may read files for some milliseconds. If
 * the thread stops meanwhile, the stop is seen late. The delay is not the
 * thread's own time, and only the moment of the stop tells it.
 *
 * The signal says which thread has stopped (sigaction(2), si_pid). While one
 * SIGCHLD is pending, the kernel drops further ones, so the stop of another
 * thread at the same moment may stay unknown. Without a handler the signal is
 * ignored and costs nothing, so there is one only between begin and end.
 *
 * The tracing thread blocks the signal then, so that another thread of xtrace
 * takes it. That thread sleeps (tracer/model/clockwork), so on a busy machine
 * it gets a CPU sooner than a thread that has just worked for a long time.
 *
 * It may still get one so late that xtrace has seen the stop meanwhile and has
 * resumed the thread. Such a note is not the time of the thread's next stop. As
 * xtrace waits for stops after it has read files, the note is made after
 * stop_times_end(), and is ignored.
 */
#include "process/stop_times.h"

#include "base/clock.h"

#include <signal.h>
#include <stdatomic.h>
#include <stddef.h>

#define NOTES_MOST 32u

static struct {
	atomic_uint count;
	struct {
		atomic_int tid;
		_Atomic uint64_t when;
	} at[NOTES_MOST];
	uint64_t ended; /* when stop_times_end() was called last */
} notes;

static void
note(int signal, siginfo_t *info, void *context)
{
	unsigned i = atomic_fetch_add(&notes.count, 1);

	(void)signal;
	(void)context;
	if (i >= NOTES_MOST)
		return;
	atomic_store(&notes.at[i].when, clock_now());
	atomic_store(&notes.at[i].tid, info->si_pid);
}

static void
block(int how)
{
	sigset_t set;

	sigemptyset(&set);
	sigaddset(&set, SIGCHLD);
	pthread_sigmask(how, &set, NULL);
}

void
stop_times_begin(void)
{
	struct sigaction action = { .sa_sigaction = note,
				    .sa_flags = SA_SIGINFO | SA_RESTART };

	for (unsigned i = 0; i < NOTES_MOST; i++)
		atomic_store(&notes.at[i].tid, 0);
	atomic_store(&notes.count, 0);
	notes.ended = UINT64_MAX;
	block(SIG_BLOCK);
	sigaction(SIGCHLD, &action, NULL);
}

void
stop_times_end(void)
{
	if (notes.ended == UINT64_MAX)
		notes.ended = clock_now();
	signal(SIGCHLD, SIG_DFL);
	block(SIG_UNBLOCK);
}

uint64_t
stop_times_of(pid_t tid, uint64_t resumed, uint64_t now)
{
	unsigned count = atomic_load(&notes.count);
	uint64_t found = now;

	for (unsigned i = 0; i < count && i < NOTES_MOST; i++) {
		uint64_t when;

		if (atomic_load(&notes.at[i].tid) != tid)
			continue;
		when = atomic_load(&notes.at[i].when);
		/* The last note counts. A thread that stays stopped causes no
		 * further signal. */
		if (when > resumed && when < now && when <= notes.ended)
			found = when;
	}
	return found;
}
