/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * xtrace checks every process before it touches any. If a process forks while
 * xtrace attaches, its children are listed again until no new child appears.
 */
#include "tracer/attach/begin.h"

#include "process/attach.h"
#include "process/choice.h"
#include "process/resume.h"
#include "process/spawn.h"
#include "tracer/attach/arrival.h"
#include "tracer/attach/family.h"
#include "tracer/attach/in_flight.h"
#include "tracer/attach/latecomers.h"
#include "tracer/attach/stale_code.h"
#include "tracer/attach/plant.h"
#include "tracer/loader/modules.h"
#include "tracer/model/announce.h"
#include "tracer/model/program.h"
#include "tracer/model/say.h"
#include "tracer/plan/plan.h"
#include "tracer/plan/unmatched.h"
#include "tracer/remote_calls/inject.h"
#include "tracer/report/report.h"
#include "tracer/report/where.h"
#include "tracer/sigtrap/guards.h"
#include "tracer/sigtrap/sigtrap.h"

#include <errno.h>
#include <unistd.h>

struct spawn_request
session_request(struct session *session)
{
	return (struct spawn_request){
		.arguments = session->options->command,
		.changes = session->options->environment.at,
		.change_count = session->options->environment.count,
		.word = session->word,
		.user = session->options->user,
		.signals = session->command.signals,
		.born = &session->command.born,
		.place = session->command.place,
	};
}

static int
begin_command(struct session *session, struct err *err)
{
	const struct spawn_request request = session_request(session);
	struct process *process;
	struct program *program;
	struct thread *thread;
	int r = spawn(&session->table, &request, &process, err);

	if (r < 0)
		return r;
	session->command.started = process->pid;
	session->command.runs = true;
	thread = table_thread(&session->table, process->pid);
	report_program(session, EVENT_START, thread);
	program = program_new(session, process->space);
	sigtrap_begin(program, session_record(session, thread), false);
	r = modules_begin(program, thread);
	if (r == 0 && program->loader.absent)
		r = guards_plant(program, thread);
	thread_resume(&session->table, thread, 0);
	return r == -ESRCH ? 0 : r;
}

/* Moves threads out of stale code, and seizes the threads that are not seized
 * yet. Returns 1 if it has seized any, else 0, or -ESRCH. */
static int
seize_rest(struct program *program, struct process *process)
{
	int led = stale_code_end(program);
	int late = led < 0 ? led : latecomers_seize(program->session, process);

	/*
	 * In stale code the thread had a temporary mask, so the masks are read
	 * again.
	 */
	if (late > 0 || (late == 0 && led > 0))
		sigtrap_read(program, NULL);
	return late;
}

/* Attaches to one process. Files are read before any of its threads is stopped;
 * traps are planted afterwards. */
static int
begin_attached(struct session *session, pid_t pid, struct err *err)
{
	struct process *process;
	struct program *program;
	struct thread *thread;
	uint64_t planted = session->counts.planted;
	unsigned serial;
	int r;

	if (table_process(&session->table, pid))
		return 0;
	r = attach_process(&session->table, pid, session->word, &process, err);
	if (r < 0)
		return r;
	thread = list_item(process->threads.next, struct thread, sibling);
	report_program(session, EVENT_START, thread);
	serial = process->space->serial;
	program = program_new(session, process->space);
	program->planned->waiting = true;
	latecomers_sharers(session, process);
	sigtrap_read(program, NULL);
	survive_adopt(&program->sites.survive, &program->sites.slots,
		      process->space);
	r = modules_attach(program);
	/* If xtrace is told to leave, the modules may not have been read to the
	 * end. Then no trap is planted: if the C library is not known, no guard
	 * sees the masks that threads set. */
	if (atomic_load(&session->clockwork->leave))
		return 0;
	if (r == 0)
		where_prepare(program);
	if (r == 0)
		r = seize_rest(program, process);
	if (r >= 0)
		virtual_mask_attach(session, process);
	if (r >= 0)
		r = session_runs(session, pid, serial)
			    ? inject_and_plant(program, process)
			    : 0;
	/* If the process has called exec meanwhile, it runs another program. */
	if (r == 0 && session_runs(session, pid, serial))
		r = in_flight_find(program, process);
	if (r == 0 && session_runs(session, pid, serial))
		r = sigtrap_finish_attach(program, process);
	if (r == 0 && session_runs(session, pid, serial))
		arrival_begin(program, process);
	if (r == 0 && session_runs(session, pid, serial))
		announce_attached(session, process,
				  session->counts.planted - planted +
					  program->planned->pending.count);
	return r == -ESRCH ? 0 : r;
}

/* Attaches to the processes from *first on. */
static int
begin_each(struct session *session, struct family *family, size_t *first,
	   struct err *err)
{
	for (; *first < family->pids.list.count; (*first)++) {
		pid_t pid = family->pids.list.at[*first];
		int r = begin_attached(session, pid, err);

		if (r < 0 && !table_process(&session->table, pid))
			r = family_leave_out(family, *first, r, err);
		if (r < 0)
			return r;
	}
	return 0;
}

/* Are the modules of the processes known? A loader may not have begun, and a
 * process that is in an exec has no memory to show. */
static bool
modules_known(const struct session *session)
{
	size_t cursor = 0;
	void *item;

	while (map_next(&session->programs, &cursor, NULL, &item)) {
		const struct program *program = item;

		if (!program->loader.consistent ||
		    !program->modules.modules.count)
			return false;
	}
	return cursor > 0;
}

/* xtrace checks all processes before it touches any. A process that forks
 * meanwhile is asked again for children, until no new child appears. */
static int
begin_all(struct session *session, struct family *family, struct err *err)
{
	size_t first = 0;
	int r;

	if (session->options->follow)
		family_grow(family);
	r = family_check(family, first, err);
	while (r == 0 && first < family->pids.list.count) {
		r = begin_each(session, family, &first, err);
		if (r == 0 && session->options->follow) {
			family_grow(family);
			r = family_check(family, first, err);
		}
	}
	return r;
}

int
session_join(struct session *session, pid_t pid, struct err *err)
{
	struct family family = { .named = 1,
				 .required = 1,
				 .word = session->word };
	int r;

	vec_push(&family.pids.list, pid);
	r = begin_all(session, &family, err);
	family_release(&family);
	return r;
}

static void
say_waiting(const struct options *options)
{
	for (size_t i = 0; i < options->choices.count; i++) {
		cleanup(freep) char *nobody =
			choice_nobody(&options->choices.at[i]);

		say("%s; waiting for one", nobody);
	}
}

static int
begin_family(struct session *session, struct err *err)
{
	const struct options *options = session->options;
	struct family family;
	int r = family_named(options, session->word, &family, err);

	if (r < 0)
		return r;
	if (options->follow_new && family.pids.list.count == 0)
		say_waiting(options);
	r = begin_all(session, &family, err);
	if (r == 0 && modules_known(session))
		unmatched_say(session);
	if (r == 0 && session->sets && !options->follow)
		family_say_untraced(&family);
	if (r == 0 && family.left_out && table_empty(&session->table) &&
	    !options->command && !options->follow_new)
		r = family_none_left(err);
	family_release(&family);
	return r;
}

int
session_begin(struct session *session, struct err *err)
{
	const struct spawn_request request = session_request(session);
	int r = 0;

	if (request.arguments)
		r = spawn_check(&request, err);
	if (r == 0)
		r = begin_family(session, err);
	if (r == 0 && request.arguments)
		r = begin_command(session, err);
	return r;
}
