/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A process may have several interpreters. Of several processes, some may have
 * none: that is an error only if no process has an interpreter. */
#include "tracer/run/heap.h"

#include "heaps/heap_languages.h"
#include "output/out.h"
#include "output/tables/heap_table.h"
#include "process/space.h"
#include "process/status.h"
#include "stacks/module_host.h"
#include "tracer/attach/family.h"
#include "tracer/loader/modules.h"
#include "tracer/model/program.h"
#include "tracer/run/hold.h"

#include <errno.h>
#include <stdio.h>
#include <time.h>

/* Rows, if --top does not say. */
#define ROWS_DEFAULT 40u

/* How often a heap is copied at most, if it changes meanwhile; and after how
 * many copies threads that block are stopped, too. */
#define ROUNDS_MOST 20u
#define ROUNDS_GENTLE 4u
#define ROUND_PAUSE_NS 1000000

struct heap_run {
	struct session *session;
	bool several; /* processes */
	size_t told;  /* tables */
};

/* A heap that is counted. */
struct heap_of {
	struct heap_run *run;
	struct process *process;
	const struct heap_language *language;
	struct host *host;
	struct heap_copy copy;
	uint64_t held; /* for so many ns */
};

static void
tell(struct heap_run *run, pid_t pid, struct census *census,
     const struct heap_of *of)
{
	const struct look *look = &run->session->options->look;
	size_t most = look->top ? look->top : ROWS_DEFAULT;
	struct heap_table_end end;
	struct str text;
	char name[64];

	census_sort(census);
	if (most > census->rows.count)
		most = census->rows.count;
	str_init(&text);
	if (run->several) {
		status_name(pid, name, sizeof(name));
		str_addf(&text, "%s%d %s\n", run->told > 0 ? "\n" : "", pid,
			 name);
	}
	heap_table_head(&text);
	for (size_t i = 0; i < most; i++)
		heap_table_row(&text, census->rows.at[i]->count,
			       census->rows.at[i]->bytes,
			       census->rows.at[i]->name);
	end = (struct heap_table_end){
		.count = census->count,
		.bytes = census->bytes,
		.mapped = census->mapped,
		.torn = census->torn,
		.hidden = census->rows.count - most,
		.not_counted =
			census->not_counted[0] ? census->not_counted : NULL,
		.copied_still = of->language->way == HEAP_HELD,
		.held = of->held,
	};
	heap_table_end(&text, &end);
	out_write(run->session->outs[0], text.text, text.length);
	str_release(&text);
	run->told++;
}

/* Counts what the reader has. */
static int
count(struct heap_of *of, struct reader *memory, struct err *err)
{
	struct census census;
	int r;

	census_init(&census);
	r = of->language->count(of->host, memory, &census, err);
	if (r == 0)
		tell(of->run, of->process->pid, &census, of);
	census_release(&census);
	return r;
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
	r = of->language->copy(of->host, &of->copy, err);
	still = hold_end(&hold, &of->held);
	if (r == 0 && !still)
		r = err_set(err, -EAGAIN,
			    "process %d: its threads wake up too often to "
			    "copy its heap",
			    of->process->pid);
	return r;
}

/* The first copy is of no use but for its memory, which the others need not
 * wait for while the threads are held. */
static int
count_still(struct heap_of *of, struct err *err)
{
	const struct timespec pause = { .tv_nsec = ROUND_PAUSE_NS };
	int r = of->language->copy(of->host, &of->copy, err);

	if (r < 0 && r != -EAGAIN)
		return r;
	for (unsigned round = 0; round < ROUNDS_MOST; round++) {
		if (round > 0)
			nanosleep(&pause, NULL);
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

	if (of->language->way == HEAP_LIVE)
		return count(of, &of->process->space->reader, err);
	heap_copy_init(&of->copy, &of->process->space->reader);
	if (of->language->way == HEAP_HELD) {
		r = count_still(of, err);
	} else {
		r = of->language->copy(of->host, &of->copy, err);
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
	struct module_host host;
	int r = -ENOENT;

	module_host_init(&host, module);
	for (size_t i = 0; heap_languages[i].name && r == -ENOENT; i++) {
		struct heap_of of = { .run = run,
				      .process = process,
				      .language = &heap_languages[i],
				      .host = &host.host };

		r = count_language(&of, err);
	}
	return r;
}

/* The languages that a process does not run. */
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
	for (size_t i = 0; i < family.pids.list.count && r == 0; i++) {
		r = count_process(&run, family.pids.list.at[i], err);
		if (r < 0)
			r = family_leave_out(&family, i, r, err);
	}
	if (r == 0 && run.told == 0)
		r = family.left_out
			    ? family_none_left(err)
			    : none_known(err, "no process has a heap that "
					      "xtrace knows: they run");
	family_release(&family);
	return r;
}
