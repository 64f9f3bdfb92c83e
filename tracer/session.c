/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The program: wait for a stop, deal with it, until nobody is left or we are
 * told to leave. The flags that the clockwork sets are looked at between two
 * stops, and when a poke ends a wait early.
 *
 * Whatever kills us in a way that can be caught lifts the traps as its last
 * act (base/die).
 */
#include "tracer/session.h"

#include "base/clock.h"
#include "base/die.h"
#include "base/log.h"
#include "conf/filter.h"
#include "output/out.h"
#include "output/tee.h"
#include "process/attach.h"
#include "process/resume.h"
#include "process/spawn.h"
#include "process/wait.h"
#include "tracer/borrow.h"
#include "tracer/dispatch.h"
#include "tracer/family.h"
#include "tracer/in_flight.h"
#include "tracer/left_stub.h"
#include "tracer/leave.h"
#include "tracer/modules.h"
#include "tracer/newborn.h"
#include "tracer/probes.h"
#include "tracer/program.h"
#include "tracer/report.h"
#include "tracer/sets.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define debug(...) debug_of(LOG_TRACER, __VA_ARGS__)

uint64_t
session_now(struct session *session)
{
	if (!session->now)
		session->now = clock_now();
	return session->now;
}

struct program *
session_program(struct session *session, struct space *space)
{
	return map_get(&session->programs, (uint64_t)(uintptr_t)space);
}

struct actor *
session_actor(struct session *session, struct thread *thread)
{
	struct actor *actor = map_get(&session->actors, (uint64_t)thread->tid);

	if (actor)
		return actor;
	actor = xcalloc(1, sizeof(*actor));
	actor->thread = thread;
	calls_init(&actor->calls, &session->pool, report_end, actor);
	map_put(&session->actors, (uint64_t)thread->tid, actor);
	return actor;
}

/* Calls of other modules than the program are asked for: say whose. */
static bool
wants_callers(const struct options *options)
{
	if (options->libraries.count)
		return true;
	for (size_t i = 0; i < options->imports.count; i++) {
		const struct filter_module other = { .label = "other.so" };

		if (filter_wants_module(options->imports.at[i], &other))
			return true;
	}
	return false;
}

static bool
asks_names(const struct options *options)
{
	bool only;

	for (size_t i = 0; i < options->locations.count; i++) {
		if (*filter_plain_names(options->locations.at[i], &only))
			return true;
	}
	return false;
}

void
session_init(struct session *session)
{
	table_init(&session->table);
	session->values = session->condition || session->sets ||
			  tee_looks_at_values(session->tee);
	session->values_of_sql = tee_looks_at_sql(session->tee);
	session->wants_callers =
		session->options->look.group_by &&
		!strcmp(session->options->look.group_by, "caller");
	session->whole_texts = tee_looks_at_whole_texts(session->tee);
	if (session->sets)
		session->memory = memory_new();
	for (size_t i = 0; i < session->options->locations.count; i++)
		vec_push(&session->filters, session->options->locations.at[i]);
	if (sets_filter(session->sets))
		vec_push(&session->filters, sets_filter(session->sets));
	session->asks_names = asks_names(session->options);
	session->show_caller = wants_callers(session->options);
}

bool
session_runs(struct session *session, pid_t pid, const struct program *program)
{
	const struct process *process = table_process(&session->table, pid);

	return process && session_program(session, process->space) == program;
}

static struct spawn_request
request_of(struct session *session)
{
	return (struct spawn_request){
		.arguments = session->options->command,
		.user = session->options->user,
		.signals = session->signals,
		.born = &session->born,
	};
}

static int
begin_command(struct session *session, struct err *err)
{
	const struct spawn_request request = request_of(session);
	struct process *process;
	struct program *program;
	struct thread *thread;
	int r = spawn(&session->table, &request, &process, err);

	if (r < 0)
		return r;
	session->started = process->pid;
	session->command_runs = true;
	thread = table_thread(&session->table, process->pid);
	report_program(session, EVENT_START, thread);
	program = program_new(session, process->space);
	sigtrap_begin(program, session_actor(session, thread), false);
	r = modules_begin(program, thread);
	thread_resume(&session->table, thread, 0);
	return r == -ESRCH ? 0 : r;
}

/* Born before we came, as new_process() in tracer/birth has those after. */
static void
begin_sharers(struct session *session, const struct process *process)
{
	struct pids pids = { 0 };

	attach_sharers(&session->table, process, &pids);
	for (size_t i = 0; i < pids.list.count; i++) {
		struct process *sharer =
			table_process(&session->table, pids.list.at[i]);

		list_each(link, after, &sharer->threads) {
			struct thread *thread =
				list_item(link, struct thread, sibling);

			session_actor(session, thread)->silent =
				!session->options->follow;
			/* It has what was the program's when it was born. */
			session_actor(session, thread)->sigtrap.apart = true;
			session_actor(session, thread)->sigtrap.own = true;
			if (session->options->follow &&
			    thread->tid == sharer->pid)
				report_program(session, EVENT_START, thread);
		}
	}
	vec_release(&pids.list);
}

/* Files are read before any thread is stopped, traps planted after. */
static int
begin_attached(struct session *session, pid_t pid, struct err *err)
{
	struct process *process;
	struct program *program;
	struct thread *thread;
	int r;

	if (table_process(&session->table, pid))
		return 0;
	r = attach_process(&session->table, pid, &process, err);
	if (r < 0)
		return r;
	thread = list_item(process->threads.next, struct thread, sibling);
	report_program(session, EVENT_START, thread);
	program = program_new(session, process->space);
	program->waiting = true;
	begin_sharers(session, process);
	sigtrap_read(program, NULL);
	survive_adopt(&program->sites.survive, &program->sites.slots,
		      process->space);
	r = modules_attach(program);
	if (r == 0)
		r = left_stub_end(program);
	/* Its mask was not the program's. */
	if (r > 0)
		sigtrap_read(program, NULL);
	if (r >= 0)
		r = borrow_and_plant(program, process);
	/* An exec meanwhile has begun another program. */
	if (r == 0 && session_runs(session, pid, program))
		r = in_flight_find(program, process);
	if (r == 0 && session_runs(session, pid, program))
		r = sigtrap_settle(program, process);
	return r == -ESRCH ? 0 : r;
}

/*
 * Of the pids from the first on, those that can be traced. A descendant may
 * end at any moment, and one that was born after its parent was seized is ours
 * already: its parent's event tells of it.
 */
static int
check_family(struct pids *pids, size_t first, size_t named, struct err *err)
{
	size_t kept = first;

	for (size_t i = first; i < pids->list.count; i++) {
		pid_t pid = pids->list.at[i];
		struct status status;
		int r;

		if (i >= named && (status_read(pid, &status) < 0 ||
				   status.tracer == gettid()))
			continue;
		r = attach_check(pid, err);
		if (r < 0 && (r != -ESRCH || i < named))
			return r;
		if (r == 0)
			pids->list.at[kept++] = pid;
	}
	pids->list.count = kept;
	return 0;
}

/* Nobody is touched before all were looked at. Who forks meanwhile is asked
 * again for children, until there is no new one. */
static int
begin_family(struct session *session, struct err *err)
{
	struct pids pids = { 0 };
	size_t named, first = 0;
	int r = family_named(session->options, &pids, err);

	named = pids.list.count;
	if (r == 0 && session->options->follow)
		family_grow(&pids);
	if (r == 0)
		r = check_family(&pids, first, named, err);
	while (r == 0 && first < pids.list.count) {
		for (; r == 0 && first < pids.list.count; first++) {
			r = begin_attached(session, pids.list.at[first], err);
			if (r == -ESRCH && first >= named)
				r = 0;
		}
		if (r == 0 && session->options->follow) {
			family_grow(&pids);
			r = check_family(&pids, first, named, err);
		}
	}
	vec_release(&pids.list);
	return r;
}

int
session_begin(struct session *session, struct err *err)
{
	const struct spawn_request request = request_of(session);
	int r = 0;

	if (request.arguments)
		r = spawn_check(&request, err);
	if (r == 0)
		r = begin_family(session, err);
	if (r == 0 && request.arguments)
		r = begin_command(session, err);
	if (r < 0)
		session_leave(session);
	return r;
}

static void
tick(struct session *session)
{
	tee_tick(session->tee);
	newborn_tick(session);
	for (struct out **out = session->outs; *out; out++)
		out_flush(*out, false);
}

/* False when it is time to leave. */
static bool
look_at_flags(struct session *session)
{
	struct clockwork *clockwork = session->clockwork;

	if (atomic_load_explicit(&clockwork->tick, memory_order_relaxed) &&
	    atomic_exchange(&clockwork->tick, false))
		tick(session);
	return !atomic_load_explicit(&clockwork->leave, memory_order_relaxed);
}

void
session_run(struct session *session)
{
	while (look_at_flags(session) && !table_empty(&session->table)) {
		struct stop stop;
		int r = wait_any(&session->table, &stop);

		session->now = 0;
		if (r == -ECHILD)
			break;
		if (r == 0)
			dispatch(session, &stop);
	}
	session_leave(session);
}

void
session_release(struct session *session)
{
	size_t cursor = 0;
	void *item;

	while (map_next(&session->actors, &cursor, NULL, &item)) {
		calls_release(&((struct actor *)item)->calls);
		free(item);
	}
	cursor = 0;
	while (map_next(&session->programs, &cursor, NULL, &item))
		program_free(item);
	map_release(&session->actors);
	map_release(&session->programs);
	map_release(&session->newborn);
	vec_release(&session->filters);
	strmap_release(&session->names);
	arena_release(&session->name_uses);
	strmap_release(&session->found);
	strmap_release(&session->said);
	memory_free(session->memory);
	call_pool_release(&session->pool);
	table_release(&session->table);
}
