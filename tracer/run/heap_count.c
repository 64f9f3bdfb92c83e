/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A process may have several interpreters, also of one language. Each module of
 * the process is asked for each language.
 */
#include "tracer/run/heap_count.h"

#include "base/clock.h"
#include "heaps/census_strings.h"
#include "heaps/glibc_malloc.h"
#include "heaps/heap_languages.h"
#include "process/smaps.h"
#include "process/space.h"
#include "process/status.h"
#include "stacks/module_binary.h"
#include "tracer/run/hold.h"

#include <errno.h>
#include <stdio.h>
#include <time.h>

/* ROUNDS_MOST: how often a heap is copied at most, if it changes meanwhile.
 * ROUNDS_GENTLE: after so many copies, threads that block are stopped, too. */
#define ROUNDS_MOST 20u
#define ROUNDS_GENTLE 4u
#define ROUND_PAUSE_NS 1000000

/* A heap that is counted. */
struct heap_of {
	struct heap_counting *counting;
	struct process *process;
	const struct heap_language *language;
	bool still;
	/* this is the last copy: it is counted even if pages are torn */
	bool last;
	struct module_binary binary;
	struct heap_copy copy;
	uint64_t held; /* how long its threads were stopped, in ns */
};

/* The bytes of the process in memory, or 0. */
static uint64_t
resident(pid_t pid)
{
	struct status status;

	return status_read(status_living(pid), &status) < 0 ? 0
							    : status.resident;
}

/* Adds what the process has mapped. If it cannot be read, nothing is
 * added. */
static void
add_mappings(struct census *census, pid_t pid)
{
	struct smaps smaps;

	if (smaps_read(&smaps, pid) == 0)
		for (size_t i = 0; i < smaps.files.count; i++)
			census_add_mapping(census, smaps.files.at[i].name,
					   smaps.files.at[i].mapped,
					   smaps.files.at[i].resident);
	smaps_release(&smaps);
}

/* Counts the objects in the bytes that the reader has. */
static int
count(struct heap_of *of, struct reader *memory, struct err *err)
{
	struct heap_taken taken = { .pid = of->process->pid,
				    .language = of->language->name,
				    .module = of->binary.module->start,
				    .when = clock_now(),
				    .copied_still =
					    of->still || of->counting->since,
				    .held = of->held };
	int r;

	census_init(&taken.census);
	if (of->counting->session->options->heap_strings)
		taken.census.strings = census_strings_new(
			of->still ? memory : &of->process->space->reader);
	r = of->language->count(&of->binary.binary, memory, &taken.census, err);
	/* The memory of a process that ends becomes unreadable piece by piece,
	 * so this census is wrong. */
	if (r == 0 && status_ended(taken.pid))
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
	if (of->counting->session->options->heap_native)
		add_mappings(&taken.census, taken.pid);
	if (of->counting->since)
		taken.held = clock_between(of->counting->since, clock_now());
	of->counting->heaps++;
	of->counting->found(of->counting, &taken);
	return 0;
}

/* Copies the heap while no thread runs. -EAGAIN if a thread ran, or if the heap
 * was about to change. */
static int
copy_still(struct heap_of *of, bool firm, struct err *err)
{
	struct table *table = &of->counting->session->table;
	struct hold hold;
	bool still;
	int r = hold_begin(&hold, table, of->process, firm, err);

	if (r < 0)
		return r;
	heap_copy_clear(&of->copy);
	r = of->language->copy(&of->binary.binary, &of->copy, err);
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
	int r = of->language->copy(&of->binary.binary, &of->copy, err);

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
	of->copy.strings =
		of->still && of->counting->session->options->heap_strings;
	if (of->still) {
		r = count_still(of, err);
	} else {
		r = of->language->copy(&of->binary.binary, &of->copy, err);
		if (r == 0)
			r = count(of, &of->copy.reader, err);
	}
	heap_copy_release(&of->copy);
	return r;
}

static const struct heap_language *
languages_of(const struct session *session)
{
	return session->options->heap_native ? heap_natives : heap_languages;
}

/* The heaps of this language are counted in the module. */
static int
count_module_of(struct heap_counting *counting, struct process *process,
		const struct module *module,
		const struct heap_language *language, struct err *err)
{
	bool running = counting->since == 0;
	struct heap_of of = {
		.counting = counting,
		.process = process,
		.language = language,
		.still = running && (counting->session->options->heap_still ||
				     language->way == HEAP_HELD),
	};

	module_binary_init(&of.binary, module);
	return count_language(&of, err);
}

static int
count_module(struct heap_counting *counting, struct process *process,
	     const struct module *module, struct err *err)
{
	const struct heap_language *languages = languages_of(counting->session);
	int r = -ENOENT;

	for (size_t i = 0; languages[i].name && r == -ENOENT; i++)
		r = count_module_of(counting, process, module, &languages[i],
				    err);
	return r;
}

int
heap_none_known(const struct session *session, struct err *err, const char *who)
{
	struct str names;
	int r;

	str_init(&names);
	heap_languages_names(&names, languages_of(session));
	r = err_set(err, -ENODATA, "%s no %s%s", who, names.text,
		    session->options->heap_native
			    ? ""
			    : " (--heap=native counts the blocks of malloc())");
	str_release(&names);
	return r;
}

int
heap_none_in(const struct session *session, struct err *err, pid_t pid)
{
	char who[80];

	snprintf(who, sizeof(who),
		 "process %d has no heap that xtrace knows: it runs", pid);
	return heap_none_known(session, err, who);
}

int
heap_count(struct heap_counting *counting, struct process *process,
	   const struct program *program, struct err *err)
{
	const struct modmap *map = &program->modules;
	int r = 0;

	for (size_t i = 0; i < map->modules.count && r == 0; i++) {
		r = count_module(counting, process, map->modules.at[i], err);
		if (r == -ENOENT)
			r = 0;
	}
	return r;
}
