/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A process may have several interpreters. It is an error if none of the
 * processes has an interpreter.
 *
 * With --interval, xtrace keeps the first census of each heap and the last one.
 * A process that has ended meanwhile is left out.
 */
#include "tracer/run/heap.h"

#include "arch/arch.h"
#include "base/clock.h"
#include "output/out.h"
#include "process/space.h"
#include "process/status.h"
#include "tracer/attach/family.h"
#include "tracer/loader/modules.h"
#include "tracer/model/program.h"
#include "tracer/model/say.h"
#include "tracer/run/heap_count.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

/* A heap of which there may be several censuses. */
struct heap_known {
	struct heap_taken first, last;
	bool repeated; /* `first` and `last` are two censuses */
};

struct heap_run {
	struct heap_counting counting;
	struct session *session;
	bool several; /* there are several processes */
	size_t told;  /* how many tables were written */
	vec_of(struct heap_known) heaps;
};

/* ---- censuses --------------------------------------------------------------
 */

static struct heap_known *
known_heap(struct heap_run *run, const struct heap_taken *taken)
{
	for (size_t i = 0; i < run->heaps.count; i++) {
		struct heap_known *known = &run->heaps.at[i];

		if (known->last.pid == taken->pid &&
		    known->last.module == taken->module &&
		    known->last.language == taken->language)
			return known;
	}
	return NULL;
}

static void
tell_process(struct session *session, pid_t pid, bool first)
{
	char name[64];

	status_name(pid, name, sizeof(name));
	heap_tell_process(session, pid, name, first);
}

/* Writes the census, and keeps it for the table of changes. */
static void
keep(struct heap_run *run, const struct heap_taken *taken)
{
	struct session *session = run->session;
	struct heap_known *known = known_heap(run, taken);

	if (run->several)
		tell_process(session, taken->pid, run->told == 0);
	run->told++;
	if (!known) {
		struct heap_known fresh = { .first = *taken, .last = *taken };

		heap_tell(session, taken);
		vec_push(&run->heaps, fresh);
		return;
	}
	heap_tell_changes(session, &known->last, taken);
	if (known->repeated)
		census_release(&known->last.census);
	known->last = *taken;
	known->repeated = true;
}

static void
release_heaps(struct heap_run *run)
{
	for (size_t i = 0; i < run->heaps.count; i++) {
		struct heap_known *known = &run->heaps.at[i];

		census_release(&known->first.census);
		if (known->repeated)
			census_release(&known->last.census);
	}
	vec_release(&run->heaps);
}

/* ---- processes -------------------------------------------------------------
 */

/* Called by heap_count() for each census that was taken. */
static void
found(struct heap_counting *counting, const struct heap_taken *taken)
{
	keep(container_of(counting, struct heap_run, counting), taken);
}

static int
count_program(struct heap_run *run, struct process *process,
	      const struct program *program, struct err *err)
{
	size_t told = run->told;
	int r = heap_count(&run->counting, process, program, err);

	if (r != 0 || run->told > told || run->several)
		return r;
	return heap_none_in(run->session, err, process->pid);
}

static int
count_process(struct heap_run *run, pid_t pid, struct err *err)
{
	struct session *session = run->session;
	struct table *table = &session->table;
	struct space *space = space_new(pid, &table->tally);
	struct process *process = process_add(table, pid, space);
	struct program *program;
	int r;

	process_hold(process);
	program = program_new(session, space);
	r = space_open(space, err);
	if (r == 0 && modules_look(program) < 0)
		r = err_set(err, -ESRCH, "process %d has ended", pid);
	if (r == 0)
		r = count_program(run, process, program, err);
	program_free(program);
	process_release(table, process);
	return r;
}

static int
count_family(struct heap_run *run, struct family *family, struct err *err)
{
	int r = 0;

	for (size_t i = 0; i < family->pids.list.count && r == 0; i++) {
		r = count_process(run, family->pids.list.at[i], err);
		if (r < 0)
			r = family_leave_out(family, i, r, err);
	}
	if (r == 0 && run->told == 0)
		r = family->left_out
			    ? family_none_left(err)
			    : heap_none_known(run->session, err,
					      "no process has a heap that "
					      "xtrace knows: they run");
	out_flush(run->session->outs[0], true);
	return r;
}

/* ---- intervals -------------------------------------------------------------
 */

/* Waits until the time `when`. False if a signal has asked xtrace to end. */
static bool
wait_until(const sigset_t *ends, uint64_t when)
{
	uint64_t now = clock_now();

	while (now < when) {
		const struct timespec left = {
			.tv_sec = (time_t)((when - now) / CLOCK_SECOND),
			.tv_nsec = (long)((when - now) % CLOCK_SECOND),
		};

		if (sigtimedwait(ends, NULL, &left) > 0)
			return false;
		now = clock_now();
	}
	return true;
}

/* Writes what has changed since the first census, if more than one census was
 * taken since. */
static void
tell_whole(struct heap_run *run, unsigned rounds)
{
	for (size_t i = 0; i < run->heaps.count && rounds > 1; i++) {
		const struct heap_known *known = &run->heaps.at[i];

		if (!known->repeated)
			continue;
		if (run->several)
			tell_process(run->session, known->last.pid, false);
		heap_tell_total(run->session, &known->first, &known->last);
	}
}

/* Counts the heaps of the processes that have not ended. */
static void
count_rest(struct heap_run *run, struct family *family)
{
	size_t i = 0;

	while (i < family->pids.list.count) {
		struct err err;
		int r = count_process(run, family->pids.list.at[i], &err);

		if (r < 0 && status_ended(family->pids.list.at[i])) {
			vec_remove(&family->pids.list, i);
			continue;
		}
		if (r < 0)
			say_error(&err);
		i++;
	}
}

/* Counts the heaps again at each interval, until the duration is over, a signal
 * comes or no process is left. */
static void
count_again(struct heap_run *run, struct family *family)
{
	const struct options *options = run->session->options;
	uint64_t begun = clock_now(), when = begun;
	sigset_t ends;
	unsigned rounds = 0;

	sigemptyset(&ends);
	sigaddset(&ends, SIGINT);
	sigaddset(&ends, SIGTERM);
	sigaddset(&ends, SIGHUP);
	sigprocmask(SIG_BLOCK, &ends, NULL);
	for (;;) {
		when += options->look.interval;
		if ((options->duration && when - begun > options->duration) ||
		    !wait_until(&ends, when))
			break;
		count_rest(run, family);
		if (family->pids.list.count == 0)
			break;
		rounds++;
		out_flush(run->session->outs[0], true);
	}
	tell_whole(run, rounds);
}

int
heap(struct session *session, struct err *err)
{
	struct heap_run run = {
		.counting = { .session = session, .found = found },
		.session = session,
	};
	struct family family;
	int r = family_named(session->options, arch_of_host()->word, &family,
			     err);

	if (r < 0)
		return r;
	r = family_check(&family, 0, err);
	if (r == 0 && session->options->follow)
		family_grow(&family);
	run.several = family.pids.list.count > 1;
	if (r == 0)
		r = count_family(&run, &family, err);
	if (r == 0 && session->options->look.interval)
		count_again(&run, &family);
	release_heaps(&run);
	family_release(&family);
	return r;
}
