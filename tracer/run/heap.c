/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A process may have several interpreters. Of several processes, some may have
 * none: that is an error only if no process has an interpreter. */
#include "tracer/run/heap.h"

#include "heaps/python_heap.h"
#include "heaps/ruby_heap.h"
#include "output/out.h"
#include "output/tables/heap_table.h"
#include "process/space.h"
#include "process/status.h"
#include "stacks/module_host.h"
#include "tracer/attach/family.h"
#include "tracer/loader/modules.h"
#include "tracer/model/program.h"

#include <errno.h>

/* Rows, if --top does not say. */
#define ROWS_DEFAULT 40u

struct heap_run {
	struct session *session;
	bool several; /* processes */
	size_t told;  /* tables */
};

static void
tell(struct heap_run *run, pid_t pid, struct census *census)
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
	};
	heap_table_end(&text, &end);
	out_write(run->session->outs[0], text.text, text.length);
	str_release(&text);
	run->told++;
}

/* 0 if a table was written, or -ENOENT: there is no interpreter in the module.
 */
static int
count_module(struct heap_run *run, struct program *program,
	     const struct module *module, struct err *err)
{
	struct reader *memory = &program->space->reader;
	struct module_host of;
	struct census census;
	int r;

	module_host_init(&of, module);
	census_init(&census);
	r = python_heap_count(&of.host, memory, &census, err);
	if (r == -ENOENT)
		r = ruby_heap_count(&of.host, memory, &census, err);
	if (r == 0)
		tell(run, program->space->pid, &census);
	census_release(&census);
	return r;
}

static int
count_program(struct heap_run *run, struct program *program, struct err *err)
{
	const struct modmap *map = &program->modules;
	size_t told = run->told;
	int r = 0;

	for (size_t i = 0; i < map->modules.count && r == 0; i++) {
		r = count_module(run, program, map->modules.at[i], err);
		if (r == -ENOENT)
			r = 0;
	}
	if (r == 0 && run->told == told && !run->several)
		return err_set(err, -ENODATA,
			       "process %d has no heap that xtrace knows: it "
			       "runs no Python 3.11 and no Ruby 3.1",
			       program->space->pid);
	return r;
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
		r = count_program(run, program, err);
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
			    : err_set(err, -ENODATA,
				      "no process has a heap that xtrace "
				      "knows: they run no Python 3.11 and no "
				      "Ruby 3.1");
	family_release(&family);
	return r;
}
