/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A thread that waits for an answer reads it from a socket next. So its next
 * read shows on which connection the query was sent, whichever functions the
 * driver calls. The query is then followed on this connection
 * (sockets_await()).
 */
#include "tracer/queries/awaited.h"

#include "arch/arch.h"
#include "base/log.h"
#include "conf/model/probe.h"
#include "process/observation.h"
#include "tracer/plan/sets.h"
#include "tracer/queries/sockets.h"
#include "tracer/report/statements.h"

#include <errno.h>
#include <string.h>

/* The system calls in which a driver waits for an answer. The kernel continues
 * poll(2) that was interrupted with restart_syscall(2). */
static const char *const waiting[] = {
	"restart_syscall", "read",	 "readv",	"recvfrom",
	"recvmsg",	   "poll",	 "ppoll",	"select",
	"pselect6",	   "epoll_wait", "epoll_pwait", "epoll_pwait2",
};

static bool
waits_to_read(const struct program *program, long number)
{
	const char *name =
		number < 0 ? NULL
			   : program->space->arch->system_call->name(number);

	for (size_t i = 0; name && i < array_size(waiting); i++) {
		if (!strcmp(name, waiting[i]))
			return true;
	}
	return false;
}

static bool
has_run(const struct thread *thread, const struct observation *seen)
{
	return seen &&
	       !observation_holds(thread->process->pid, thread->tid, seen);
}

/* If the thread itself waits for an answer, its event loop, if any, waits with
 * it. */
static void
find_queries(struct program *program, pid_t tid, const struct regs *regs,
	     struct arena *arena, struct statement_queries *queries)
{
	struct statement_query query;

	if (!sockets_asked(program, tid) &&
	    statements_query(program, regs, arena, &query) &&
	    query.server != STATEMENT_ANY)
		vec_push(&queries->list, query);
	statements_coroutines(program, regs, arena, queries);
}

int
awaited_find(struct program *program, struct thread_record *record,
	     const struct regs *regs, long number,
	     const struct observation *seen)
{
	pid_t tid = record->thread->tid;
	struct statement_queries queries = { 0 };
	struct arena arena;
	bool run;

	if (!(sets_wire(program->session->sets) & WIRE_DATABASES))
		return 0;
	if (!waits_to_read(program, number)) {
		sockets_look_again(program, tid, number < 0);
		return 0;
	}
	arena_init(&arena);
	find_queries(program, tid, regs, &arena, &queries);
	run = has_run(record->thread, seen);
	sockets_look_again(program, tid, run);
	for (size_t i = 0; i < queries.list.count && !run; i++) {
		debug("%d waits for the answer to a query", tid);
		sockets_await(program, record, regs, &queries.list.at[i]);
	}
	vec_release(&queries.list);
	arena_release(&arena);
	return run ? -EAGAIN : 0;
}

static void
look_again(struct program *program, pid_t tid)
{
	struct session *session = program->session;
	struct thread *thread = table_thread(&session->table, tid);
	struct observation seen;

	if (thread && thread->state == THREAD_RUNNING &&
	    observation_take(thread->process->pid, tid, program->space,
			     &seen) == 0 &&
	    seen.blocked)
		(void)awaited_find(program, session_record(session, thread),
				   &seen.regs, seen.at.number, &seen);
}

void
awaited_tick(struct session *session)
{
	size_t cursor = 0;
	void *program;

	while (map_next(&session->programs, &cursor, NULL, &program)) {
		const struct map *again = sockets_again(program);
		struct pids tids = { 0 };
		size_t at = 0;
		uint64_t tid;

		while (again && map_next(again, &at, &tid, NULL))
			vec_push(&tids.list, (pid_t)tid);
		for (size_t i = 0; i < tids.list.count; i++)
			look_again(program, tids.list.at[i]);
		vec_release(&tids.list);
	}
}
