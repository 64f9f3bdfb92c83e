/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The thread that begins to end an interpreter has its lock, so no other thread
 * changes the heap while that thread is stopped. PHP may begin an end several
 * times, with each request; only the last census is written.
 *
 * A process may end without ending its interpreter, by _exit(2) or a signal.
 * Then its heap is counted when no thread runs its code any more (ending.h).
 */
#include "tracer/run/heap_end.h"

#include "base/clock.h"
#include "base/log.h"
#include "base/xmalloc.h"
#include "heaps/heap_finish.h"
#include "output/out.h"
#include "process/attach.h"
#include "process/status.h"
#include "stacks/module_binary.h"
#include "tracer/model/program.h"
#include "tracer/model/say.h"
#include "tracer/plan/batch.h"
#include "tracer/report/report.h"
#include "tracer/run/heap_count.h"

#include <errno.h>
#include <stdlib.h>

struct counted {
	struct heap_taken taken;
	char name[64]; /* of the process */
};

struct heap_ends {
	struct heap_counting counting;
	vec_of(struct counted) kept; /* not written yet */
	size_t interpreters;	     /* how many traps were planted */
	size_t told;
	bool failed; /* a message about a heap was printed */
};

static void
drop(struct heap_ends *ends, size_t at)
{
	census_release(&ends->kept.at[at].taken.census);
	vec_remove(&ends->kept, at);
}

/* Keeps the census. It replaces an earlier census of the same heap. */
static void
keep(struct heap_counting *counting, const struct heap_taken *taken)
{
	struct heap_ends *ends =
		container_of(counting, struct heap_ends, counting);
	struct counted counted = { .taken = *taken };

	for (size_t i = 0; i < ends->kept.count; i++) {
		const struct heap_taken *old = &ends->kept.at[i].taken;

		if (old->pid == taken->pid && old->module == taken->module &&
		    old->language == taken->language) {
			drop(ends, i);
			break;
		}
	}
	status_name(taken->pid, counted.name, sizeof(counted.name));
	vec_push(&ends->kept, counted);
}

struct heap_ends *
heap_ends_new(struct session *session)
{
	struct heap_ends *ends;

	if (session->options->action != ACTION_HEAP ||
	    !session->options->command)
		return NULL;
	ends = xcalloc(1, sizeof(*ends));
	ends->counting.session = session;
	ends->counting.found = keep;
	return ends;
}

void
heap_ends_free(struct heap_ends *ends)
{
	while (ends && ends->kept.count > 0)
		drop(ends, 0);
	if (ends)
		vec_release(&ends->kept);
	free(ends);
}

/* ---- counting --------------------------------------------------------------
 */

void
heap_end_add(struct batch *batch)
{
	struct heap_ends *ends = batch->program->session->heap_ends;
	struct module_binary binary;
	addr_t function;

	if (!ends || batch->program->session->options->heap_native)
		return;
	module_binary_init(&binary, batch->module);
	function = heap_finish_function(&binary.binary,
					program_memory(batch->program));
	if (!function)
		return;
	batch_add(batch, tracepoint_new(batch, TRACEPOINT_HEAP_END,
					"the interpreter's end",
					batch->label.label, function));
	ends->interpreters++;
}

static void
count(struct session *session, struct process *process,
      const struct program *program)
{
	struct heap_ends *ends = session->heap_ends;
	struct err err;

	ends->counting.since = clock_now();
	if (heap_count(&ends->counting, process, program, &err) < 0) {
		say_error(&err);
		ends->failed = true;
	}
}

int
heap_end_entered(struct hit *hit, struct tracepoint *tracepoint,
		 addr_t return_address)
{
	const struct modmap *map = &hit->program->modules;
	const struct module *module = modmap_covering(map, tracepoint->address);
	struct module_binary binary;

	(void)return_address;
	if (!module || hit->record->silent)
		return 0;
	module_binary_init(&binary, module);
	if (heap_finishes(&binary.binary, program_memory(hit->program)))
		count(hit->session, hit->record->thread->process, hit->program);
	return 0;
}

static bool
was_counted(const struct heap_ends *ends, pid_t pid)
{
	for (size_t i = 0; i < ends->kept.count; i++)
		if (ends->kept.at[i].taken.pid == pid)
			return true;
	return false;
}

void
heap_end_thread_exits(struct session *session, struct thread *thread,
		      bool ends_process)
{
	struct process *process = thread->process;
	const struct program *program =
		session_program(session, process->space);

	if (ends_process && session->heap_ends && program &&
	    process->pid == process->space->pid &&
	    !session_record(session, thread)->silent &&
	    !was_counted(session->heap_ends, process->pid))
		count(session, process, program);
}

/* ---- telling ---------------------------------------------------------------
 */

static void
tell(struct session *session, size_t at)
{
	struct heap_ends *ends = session->heap_ends;
	const struct counted *counted = &ends->kept.at[at];

	if (session->options->follow)
		heap_tell_process(session, counted->taken.pid, counted->name,
				  ends->told == 0);
	ends->told++;
	heap_tell(session, &counted->taken);
	out_flush(session->outs[0], true);
	drop(ends, at);
}

static void
tell_nothing(const struct session *session)
{
	const struct heap_ends *ends = session->heap_ends;
	struct err err;

	if (ends->failed || session->command.runs)
		return;
	if (ends->interpreters > 0)
		say("process %d ended before its heap was counted",
		    session->command.started);
	else if (heap_none_in(session, &err, session->command.started) < 0)
		say_error(&err);
}

void
heap_ends_tell(struct session *session)
{
	struct heap_ends *ends = session->heap_ends;

	if (!ends)
		return;
	while (ends->kept.count > 0)
		tell(session, 0);
	if (session->command.runs)
		say("process %d still runs, so its heap was not counted",
		    session->command.started);
	if (ends->told == 0)
		tell_nothing(session);
}

/* Asks the kernel to announce the ends of the process's threads. */
static void
born(struct program *program)
{
	struct session *session = program->session;
	struct process *process =
		table_process(&session->table, program->space->pid);

	if (!session->heap_ends || !process)
		return;
	list_each(link, after, &process->threads) {
		if (attach_announce_exit(
			    list_item(link, struct thread, sibling)) < 0)
			debug("%d does not announce its end", process->pid);
	}
}

static void
gone(struct program *program)
{
	struct session *session = program->session;
	struct heap_ends *ends = session->heap_ends;
	size_t i = 0;

	while (ends && i < ends->kept.count) {
		if (ends->kept.at[i].taken.pid == program->space->pid)
			tell(session, i);
		else
			i++;
	}
}

const struct life heap_end_life = {
	.born = born,
	.gone = gone,
};
