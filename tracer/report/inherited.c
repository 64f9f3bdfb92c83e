/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * fork() returns twice, and so do the functions that called it. The call itself
 * belongs to the parent: its entry was shown there, and tables count it once.
 * The child's return is an event of its own (EVENT_CHILD_RETURN), which only
 * lines show:
 *
 *	fork( <unfinished ...>
 *	<... fork resumed> ) = 0
 *	<... fork resumed> ) = 4711
 *
 * A child with a stack of its own (clone(), posix_spawn()) returns from none of
 * its parent's calls. Queries are not inherited, because a connection to a
 * database is not used by two processes.
 *
 * The arguments were captured for the parent and are not shown again.
 */
#include "tracer/report/inherited.h"

#include "process/regs.h"
#include "tracer/report/return_site.h"
#include "values/fetch.h"

static bool
shown_kind(enum tracepoint_kind kind)
{
	return kind == TRACEPOINT_ENTRY || kind == TRACEPOINT_GATE ||
	       kind == TRACEPOINT_CALLEE;
}

static void
take_call(struct session *session, struct thread_record *child,
	  const struct call *from)
{
	const struct open_call *begun = report_open(from);
	struct program *program =
		session_program(session, child->thread->process->space);
	struct open_call *open;
	struct call *call;

	/*
	 * With --if the arguments decide whether a call is shown, and a child
	 * has none.
	 */
	if (!shown_kind(begun->tracepoint->kind) || begun->held ||
	    begun->elsewhere ||
	    !return_site_shared(program, from->return_address))
		return;
	call = calls_inherit(&child->calls, from);
	open = arena_zalloc(&call->arena, sizeof(*open));
	call->user = open;
	open->tracepoint = begun->tracepoint;
	open->program = program;
	open->pid = child->thread->process->pid;
	open->tid = child->thread->tid;
	open->inherited = true;
	plan_ref(open->tracepoint->plan);
	if (from->event.arguments)
		call->event.arguments =
			arguments_unknown(from->event.arguments->proto,
					  program->space->arch, &call->arena);
}

void
inherited_take(struct session *session, struct thread_record *child,
	       const struct thread_record *parent)
{
	const struct calls *calls = &parent->calls;
	const struct regs *from, *to;

	/*
	 * If no event has announced the child, the parent runs, and its
	 * registers cannot be read.
	 */
	if (!calls->live.count || parent->thread->state != THREAD_STOPPED)
		return;
	from = thread_regs(&session->table, parent->thread);
	to = thread_regs(&session->table, child->thread);
	if (!from || !to || regs_sp(from) != regs_sp(to))
		return;
	child->stack_known = parent->stack_known;
	child->calls.own_low = calls->own_low;
	child->calls.own_high = calls->own_high;
	child->calls.pushed = calls->pushed;
	child->calls.popped = calls->popped;
	child->calls.copied = calls->copied;
	for (size_t i = 0; i < calls->live.count; i++)
		take_call(session, child, calls->live.at[i]);
}
