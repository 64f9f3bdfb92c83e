/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A process may have several interpreters. It is an error if none of the
 * processes has an interpreter.
 *
 * With --interval, xtrace keeps the first census of each heap and the last one.
 * A process that has ended meanwhile is left out.
 */
#include "tracer/run/heap.h"

#include "base/clock.h"
#include "heaps/heap_languages.h"
#include "output/out.h"
#include "process/space.h"
#include "process/status.h"
#include "stacks/module_host.h"
#include "tracer/attach/family.h"
#include "tracer/loader/modules.h"
#include "tracer/model/program.h"
#include "tracer/model/say.h"
#include "tracer/run/heap_tell.h"
#include "tracer/run/hold.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

/* ROUNDS_MOST: how often a heap is copied at most, if it changes meanwhile.
 * ROUNDS_GENTLE: after so many copies, threads that block are stopped, too. */
#define ROUNDS_MOST 20u
#define ROUNDS_GENTLE 4u
#define ROUND_PAUSE_NS 1000000

/* A heap of which there may be several censuses. */
struct heap_known {
	struct heap_taken first, last;
	bool repeated; /* `first` and `last` are two censuses */
};

struct heap_run {
	struct session *session;
	bool several; /* there are several processes */
	size_t told;  /* how many tables were written */
	vec_of(struct heap_known) heaps;
};

/* A heap that is counted. */
struct heap_of {
	struct heap_run *run;
	struct process *process;
	const struct heap_language *language;
	bool still;
	/* this is the last copy: it is counted even if pages are torn */
	bool last;
	struct module_host host;
	struct heap_copy copy;
	uint64_t held; /* how long its threads were stopped, in ns */
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

/* Writes the census, and keeps it for the table of changes. */
static void
keep(struct heap_run *run, const struct heap_taken *taken)
{
	struct session *session = run->session;
	struct heap_known *known = known_heap(run, taken);

	if (run->several)
		heap_tell_process(session, taken->pid, run->told == 0);
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

/* The bytes of the process in memory, or 0. */
static uint64_t
resident(pid_t pid)
{
	struct status status;

	return status_read(pid, &status) < 0 ? 0 : status.resident;
}

static bool
has_ended(pid_t pid)
{
	struct status status;

	return status_read(pid, &status) < 0 || !status.has_memory;
}

/* ---- one heap --------------------------------------------------------------
 */

/* Counts the objects in the bytes that the reader has. */
static int
count(struct heap_of *of, struct reader *memory, struct err *err)
{
	struct heap_taken taken = { .pid = of->process->pid,
				    .language = of->language->name,
				    .module = of->host.module->start,
				    .when = clock_now(),
				    .copied_still = of->still,
				    .held = of->held };
	int r;

	census_init(&taken.census);
	r = of->language->count(&of->host.host, memory, &taken.census, err);
	/* The memory of a process that ends becomes unreadable piece by piece,
	 * so this census is wrong. */
	if (r == 0 && has_ended(taken.pid))
		r = err_set(err, -ESRCH, "process %d has ended", taken.pid);
	/* A thread was about to change a page, so the heap is copied again. */
	if (r == 0 && of->still && !of->last && taken.census.torn > 0)
		r = -EAGAIN;
	if (r < 0) {
		census_release(&taken.census);
		return r;
	}
	census_sort(&taken.census);
	taken.resident = resident(taken.pid);
	keep(of->run, &taken);
	return 0;
}

/* Copies the heap while no thread runs. -EAGAIN if a thread ran, or if the heap
 * was about to change. */
static int
copy_still(struct heap_of *of, bool firm, struct err *err)
{
	struct table *table = &of->run->session->table;
	struct hold hold;
	bool still;
	int r = hold_begin(&hold, table, of->process, firm, err);

	if (r < 0)
		return r;
	heap_copy_clear(&of->copy);
	r = of->language->copy(&of->host.host, &of->copy, err);
	still = hold_end(&hold, &of->held);
	if (r == 0 && !still)
		r = err_set(err, -EAGAIN,
			    "process %d: its threads wake up too often to "
			    "copy its heap",
			    of->process->pid);
	return r;
}

/* Counts a heap that is copied while no thread runs. The first copy, which is
 * made while threads run, is thrown away: it only allocates memory for the
 * other copies, so that no thread is held for that. */
static int
count_still(struct heap_of *of, struct err *err)
{
	const struct timespec pause = { .tv_nsec = ROUND_PAUSE_NS };
	int r = of->language->copy(&of->host.host, &of->copy, err);

	if (r < 0 && r != -EAGAIN)
		return r;
	for (unsigned round = 0; round < ROUNDS_MOST; round++) {
		if (round > 0)
			nanosleep(&pause, NULL);
		of->last = round == ROUNDS_MOST - 1;
		r = copy_still(of, round >= ROUNDS_GENTLE, err);
		if (r == 0)
			r = count(of, &of->copy.reader, err);
		if (r != -EAGAIN)
			break;
	}
	return r;
}

/* 0 if a table was written, or -ENOENT: the module has no interpreter of that
 * language. */
static int
count_language(struct heap_of *of, struct err *err)
{
	int r;

	if (of->language->way == HEAP_LIVE && !of->still)
		return count(of, &of->process->space->reader, err);
	heap_copy_init(&of->copy, &of->process->space->reader);
	if (of->still) {
		r = count_still(of, err);
	} else {
		r = of->language->copy(&of->host.host, &of->copy, err);
		if (r == 0)
			r = count(of, &of->copy.reader, err);
	}
	heap_copy_release(&of->copy);
	return r;
}

static int
count_module(struct heap_run *run, struct process *process,
	     const struct module *module, struct err *err)
{
	bool still = run->session->options->heap_still;
	int r = -ENOENT;

	for (size_t i = 0; heap_languages[i].name && r == -ENOENT; i++) {
		struct heap_of of = {
			.run = run,
			.process = process,
			.language = &heap_languages[i],
			.still = still || heap_languages[i].way == HEAP_HELD,
		};

		module_host_init(&of.host, module);
		r = count_language(&of, err);
	}
	return r;
}

/* ---- processes -------------------------------------------------------------
 */

/* Returns the error that a process runs none of the languages. */
static int
none_known(struct err *err, const char *who)
{
	struct str names;
	int r;

	str_init(&names);
	heap_languages_names(&names);
	r = err_set(err, -ENODATA, "%s no %s", who, names.text);
	str_release(&names);
	return r;
}

static int
count_program(struct heap_run *run, struct process *process,
	      struct program *program, struct err *err)
{
	const struct modmap *map = &program->modules;
	size_t told = run->told;
	char who[80];
	int r = 0;

	for (size_t i = 0; i < map->modules.count && r == 0; i++) {
		r = count_module(run, process, map->modules.at[i], err);
		if (r == -ENOENT)
			r = 0;
	}
	if (r != 0 || run->told > told || run->several)
		return r;
	snprintf(who, sizeof(who),
		 "process %d has no heap that xtrace knows: it runs",
		 process->pid);
	return none_known(err, who);
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
			    : none_known(err, "no process has a heap that "
					      "xtrace knows: they run");
	out_flush(run->session->outs[0], true);
	return r;
}

/* ---- intervals -------------------------------------------------------------
 */

/* Waits until that time. False if a signal has asked xtrace to end. */
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

/* Writes what has changed since the first census, if there were several
 * since. */
static void
tell_whole(struct heap_run *run, unsigned rounds)
{
	for (size_t i = 0; i < run->heaps.count && rounds > 1; i++) {
		const struct heap_known *known = &run->heaps.at[i];

		if (!known->repeated)
			continue;
		if (run->several)
			heap_tell_process(run->session, known->last.pid, false);
		heap_tell_total(run->session, &known->first, &known->last);
	}
}

/* Counts the processes that have not ended. */
static void
count_rest(struct heap_run *run, struct family *family)
{
	size_t i = 0;

	while (i < family->pids.list.count) {
		struct err err;
		int r = count_process(run, family->pids.list.at[i], &err);

		if (r < 0 && has_ended(family->pids.list.at[i])) {
			vec_remove(&family->pids.list, i);
			continue;
		}
		if (r < 0)
			say_error(&err);
		i++;
	}
}

/* Counts again at each interval, until the duration is over, a signal comes or
 * no process is left. */
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
	struct heap_run run = { .session = session };
	struct family family;
	int r = family_named(session->options, &family, err);

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
