/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A call begins in these steps: xtrace reads its return address, makes sure
 * that a return site is planted there, enters the call in the list of the
 * thread's calls, fetches the arguments, and tells the sinks while the thread
 * is still stopped at the entry. What the sinks read then is captured in the
 * call's arena. So when the call ends, xtrace reads only what the function
 * filled in.
 *
 * Some calls have a return that cannot be watched: _start has no return
 * address, and at some addresses no trap may be planted. Such a call is
 * reported as an entry only.
 */
#include "tracer/report/report.h"

#include "arch/libc.h"
#include "base/clock.h"
#include "base/log.h"
#include "process/regs.h"
#include "tracer/model/interest.h"
#include "tracer/plan/naming.h"
#include "tracer/plan/plan.h"
#include "tracer/report/call_arguments.h"
#include "tracer/report/heat.h"
#include "tracer/report/left_out.h"
#include "tracer/report/own_stack.h"
#include "tracer/report/return_site.h"
#include "tracer/report/where.h"
#include "values/capture.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>

static const struct behaviour *
behaviour_of(const struct session *session, const struct tracepoint *tracepoint)
{
	return &session->rooms->behaviours[tracepoint->kind];
}

/* ---- a call begins ------------------------------------------------------ */

/* Has the thread just passed through a gate for this call? If so, the call was
 * reported at the gate, if it is shown at all. */
static bool
came_through_gate(const struct hit *hit, const struct tracepoint *tracepoint)
{
	const struct calls *calls = &hit->record->calls;
	addr_t sp = regs_sp(&hit->regs);

	if (tracepoint->kind != TRACEPOINT_CALLEE)
		return false;
	for (size_t i = calls->live.count; i-- > 0;) {
		const struct call *call = calls->live.at[i];
		const struct open_call *open = call->user;

		if (call->sp != sp)
			return false;
		if (open->tracepoint->kind == TRACEPOINT_GATE &&
		    !strcmp(open->tracepoint->name, tracepoint->name))
			return true;
	}
	return false;
}

static bool
from_its_caller(const struct tracepoint *tracepoint, addr_t return_address)
{
	return tracepoint->kind != TRACEPOINT_CALLEE ||
	       (return_address >= tracepoint->caller_start &&
		return_address < tracepoint->caller_end);
}

/* The label of the module to which the call returns. */
static const char *
label_of_caller(const struct hit *hit, addr_t return_address)
{
	const struct module *module =
		modmap_covering(&hit->program->modules, return_address);

	return module ? image_label(module->image) : NULL;
}

static void
fill_event(struct hit *hit, struct call *call, struct tracepoint *tracepoint,
	   addr_t return_address)
{
	struct event_call *event = &call->event;
	bool several = tracepoint->use && tracepoint->use->several;

	event->id = ++hit->session->counts.begun;
	event->name = tracepoint->name;
	event->display =
		several ? naming_qualified(tracepoint) : tracepoint->shown;
	event->module = tracepoint->module;
	event->caller = tracepoint->caller;
	event->entry = tracepoint->address;
	event->return_address = return_address;
	session_begin_time(hit->session, hit->record->thread, hit->when, event);
	event->request = hit->record->request;
	if (hit->session->wants.callers && !event->caller)
		event->caller = label_of_caller(hit, return_address);
	event->before = hit->before;
	event->point = tracepoint->kind == TRACEPOINT_SDT;
}

static void
fill_open(const struct hit *hit, struct open_call *open,
	  struct tracepoint *tracepoint)
{
	open->tracepoint = tracepoint;
	open->program = hit->program;
	open->pid = hit->record->thread->process->pid;
	open->tid = hit->record->thread->tid;
	plan_ref(tracepoint->plan);
}

/* The call has begun, and no site watches its return. */
static void
begin_unwatched(struct hit *hit, struct tracepoint *tracepoint,
		struct call *call, addr_t return_address)
{
	struct open_call *open = arena_zalloc(&call->arena, sizeof(*open));

	fill_open(hit, open, tracepoint);
	open->held = hit->session->wants.ends;
	call->user = open;
	fill_event(hit, call, tracepoint, return_address);
	call_arguments_fetch(hit, call, false);
	where_capture(hit, call);
	if (!open->held && !open->elsewhere)
		report_tell_entry(hit, call);
	capture_seal(&open->entry);
}

/* A call whose return is not watched begins and ends at once. return_address is
 * 0 if it has none. */
static void
report_entry_only(struct hit *hit, struct tracepoint *tracepoint,
		  addr_t return_address)
{
	begin_unwatched(hit, tracepoint,
			calls_enter(&hit->record->calls, regs_sp(&hit->regs), 0,
				    0, tracepoint, NULL),
			return_address);
	calls_end_last(&hit->record->calls, CALL_ENTRY_ONLY);
}

/* The call takes the place below the stack pointer, so that it is within the
 * function that makes it, even if that function has pushed nothing. */
void
report_begin_inside(struct hit *hit, struct tracepoint *tracepoint)
{
	if (!hit->record->stack_known && hit->record->calls.live.count)
		own_stack_learn(hit);
	begin_unwatched(hit, tracepoint,
			calls_enter(&hit->record->calls,
				    regs_sp(&hit->regs) - 1, 0, 0, tracepoint,
				    NULL),
			regs_pc(&hit->regs));
}

struct call *
report_begin_script(struct hit *hit, struct tracepoint *tracepoint)
{
	struct call *call =
		calls_enter_placeless(&hit->record->calls, tracepoint);

	begin_unwatched(hit, tracepoint, call, 0);
	return call;
}

static struct call *
enter(struct hit *hit, struct tracepoint *tracepoint, addr_t return_address)
{
	struct calls *calls = &hit->record->calls;

	calls->copied = hit->program->loader.copies_stacks;
	calls->pushed = hit_calling(hit)->pushed;
	calls->popped = hit_calling(hit)->popped;
	return calls_enter(calls, regs_sp(&hit->regs), return_address,
			   hit->before
				   ? 0
				   : hit_calling(hit)->preserved(&hit->regs),
			   tracepoint, program_memory(hit->program));
}

struct call *
report_begin_counted(struct hit *hit, struct tracepoint *tracepoint, addr_t sp,
		     addr_t return_address)
{
	struct calls *calls = &hit->record->calls;
	struct open_call *open;
	struct call *call;

	if (!return_site_shared(hit->program, return_address))
		debug("%#" PRIxADDR " has no site any more", return_address);
	calls->pushed = hit_calling(hit)->pushed;
	calls->popped = hit_calling(hit)->popped;
	call = calls_enter(calls, sp, return_address, 0, tracepoint, NULL);
	open = arena_zalloc(&call->arena, sizeof(*open));
	fill_open(hit, open, tracepoint);
	call->user = open;
	fill_event(hit, call, tracepoint, return_address);
	return call;
}

int
report_begin(struct hit *hit, struct tracepoint *tracepoint,
	     addr_t return_address, struct call **ret_call)
{
	struct open_call *open;
	struct call *call;
	int r = return_site_await(hit, return_address);

	if (r < 0)
		return r;
	call = enter(hit, tracepoint, return_address);
	open = arena_zalloc(&call->arena, sizeof(*open));
	fill_open(hit, open, tracepoint);
	call->user = open;
	*ret_call = call;
	return 0;
}

int
report_begin_shown(struct hit *hit, struct tracepoint *tracepoint,
		   addr_t return_address, struct call **ret_call)
{
	struct call *call;
	int r = report_begin(hit, tracepoint, return_address, &call);

	if (r == -ENOTSUP)
		report_entry_only(hit, tracepoint, return_address);
	if (r < 0)
		return r;
	report_open(call)->held = hit->session->wants.ends;
	fill_event(hit, call, tracepoint, return_address);
	call_arguments_fetch(hit, call, true);
	*ret_call = call;
	return 0;
}

/* Does the call wait for names of frames, or for its arguments? */
static bool
is_incomplete(const struct session *session, const struct call *call)
{
	size_t unnamed = session->completion->unnamed.count;
	size_t unlearned = session->completion->unlearned.count;

	return (unnamed &&
		session->completion->unnamed.at[unnamed - 1]->call == call) ||
	       (unlearned &&
		session->completion->unlearned.at[unlearned - 1]->call == call);
}

void
report_tell_entry(const struct hit *hit, struct call *call)
{
	struct session *session = hit->session;
	const struct open_call *open = report_open(call);

	if (is_incomplete(session, call)) {
		/* Reads now what the sinks will show of the call. */
		call_arguments_keep(session, call);
		vec_push(&session->completion->untold, call);
		return;
	}
	report_tell(session, open->pid, open->tid, call, EVENT_ENTRY,
		    hit->when);
}

int
report_call_entered(struct hit *hit, struct tracepoint *tracepoint,
		    addr_t return_address)
{
	struct call *call;
	int r = report_begin_shown(hit, tracepoint, return_address, &call);

	if (r < 0)
		return r == -ESRCH ? r : 0;
	where_capture(hit, call);
	if (!report_open(call)->held && !report_open(call)->elsewhere)
		report_tell_entry(hit, call);
	capture_seal(&report_open(call)->entry);
	return 0;
}

int
report_resolver_entered(struct hit *hit, struct tracepoint *tracepoint,
			addr_t return_address)
{
	struct call *call;
	int r;

	if (tracepoint->shows_resolver)
		return report_call_entered(hit, tracepoint, return_address);
	r = report_begin(hit, tracepoint, return_address, &call);
	return r == -ESRCH ? r : 0;
}

int
report_in_flight(struct hit *hit, struct tracepoint *tracepoint,
		 addr_t return_address)
{
	if (!hit->record->stack_known)
		own_stack_learn(hit);
	return behaviour_of(hit->session, tracepoint)
		->entered(hit, tracepoint, return_address);
}

/* The stack pointer that longjmp() will set. */
static bool
jump_target(struct hit *hit, addr_t *ret_sp)
{
	const struct arch_libc *libc = hit->program->space->arch->libc;
	const struct calls *calls = &hit->record->calls;
	addr_t sps[JUMP_SPS_MOST];
	unsigned count =
		libc->jump_sps(&hit->regs, program_memory(hit->program), sps);

	for (unsigned i = 0; i < count; i++) {
		if (!calls_own_stack(calls, sps[i]))
			continue;
		*ret_sp = sps[i];
		return true;
	}
	return false;
}

int
report_jump(struct hit *hit)
{
	addr_t sp;

	if (jump_target(hit, &sp))
		calls_landed(&hit->record->calls, sp);
	else
		hit->record->jumped = true;
	return 0;
}

int
report_filled(struct hit *hit)
{
	return plan_filled(hit->program, hit->record->thread);
}

/* Calls after() once for each kind of function that was entered at the site. */
static int
after_entries(struct hit *hit, unsigned kinds)
{
	const struct behaviour *behaviours = hit->session->rooms->behaviours;
	int r = 0;

	for (enum tracepoint_kind kind = 0; kind < TRACEPOINT_KINDS && r == 0;
	     kind++)
		if (kinds & 1u << kind && behaviours[kind].after)
			r = behaviours[kind].after(hit);
	return r;
}

int
report_entry(struct hit *hit)
{
	struct reader *memory = program_memory(hit->program);
	addr_t return_address = 0;
	bool known = false;
	unsigned kinds = 0;
	int r = 0;

	if (!hit->record->stack_known)
		own_stack_learn(hit);
	for (struct tracepoint *tracepoint = hit->site->user;
	     tracepoint && r == 0; tracepoint = tracepoint->next) {
		const struct behaviour *behaviour =
			behaviour_of(hit->session, tracepoint);

		if (came_through_gate(hit, tracepoint) ||
		    left_out_skips(tracepoint))
			continue;
		if (!known &&
		    hit_calling(hit)->return_address(&hit->regs, memory,
						     &return_address) < 0)
			return_address = 0;
		known = true;
		if (!from_its_caller(tracepoint, return_address))
			continue;
		kinds |= 1u << tracepoint->kind;
		if (behaviour->entered && tracepoint->entry_only)
			report_entry_only(hit, tracepoint, 0);
		else if (behaviour->entered)
			r = behaviour->entered(hit, tracepoint, return_address);
	}
	hit->record->jumped = false;
	if (r == 0)
		r = after_entries(hit, kinds);
	if (r == 0 && hit->program->planned->pointed_open)
		r = plan_pointed_again(hit->program, hit->record->thread);
	if (r == 0 && !kinds)
		r = heat_useless(hit);
	return r;
}

/* ---- a call is over ---- */

void
report_over(struct session *session, pid_t pid, pid_t tid, struct call *call,
	    bool *held, uint64_t now)
{
	if (*held &&
	    interest_outcome(session->options->outcome, &call->event) &&
	    interest_holds(session->condition, &call->event)) {
		*held = false;
		report_tell(session, pid, tid, call, EVENT_ENTRY,
			    call->event.began);
	}
	if (*held)
		return;
	report_tell(session, pid, tid, call, EVENT_RETURN, now);
	if (event_longest(&call->event) >= session->options->look.min_duration)
		session->counts.shown++;
}

void
report_take_end(struct session *session, struct thread_record *record,
		struct call *call, enum call_end how)
{
	session_measure(session, record->thread, session_now(session),
			&call->event);
	if (report_open(call)->ended) {
		call->event.wall = report_open(call)->ended->duration;
		call->event.duration = (int64_t)call->event.wall;
		call->event.older = 0;
	}
	call->event.end = how;
	if (how == CALL_RETURNED)
		call_arguments_result(session, record, call);
}

void
report_call_over(struct session *session, struct thread_record *record,
		 struct call *call, enum call_end how)
{
	struct open_call *open = report_open(call);

	report_take_end(session, record, call, how);
	if (open->elsewhere) {
		capture_seal(&open->after);
		return;
	}
	if (how == CALL_RETURNED && !open->inherited)
		where_capture_late(open->program, record, call);
	if (open->inherited)
		report_tell(session, open->pid, open->tid, call,
			    EVENT_CHILD_RETURN, session_now(session));
	else
		report_over(session, open->pid, open->tid, call, &open->held,
			    session_now(session));
	if (how == CALL_RETURNED)
		capture_seal(&open->after);
}

/* The result of an IFUNC's resolver is the address of the function. */
void
report_resolver_over(struct session *session, struct thread_record *record,
		     struct call *call, enum call_end how)
{
	const struct open_call *open = report_open(call);
	const struct regs *regs;

	if (open->tracepoint->shows_resolver)
		report_call_over(session, record, call, how);
	if (how != CALL_RETURNED)
		return;
	regs = thread_regs(&session->table, record->thread);
	if (regs &&
	    plan_resolved(open->program, open->tracepoint,
			  open->program->space->arch->calling->result(regs),
			  record->thread) < 0)
		debug("%d vanished", record->thread->tid);
}

void
report_end(struct calls *calls, struct call *call, enum call_end how)
{
	struct thread_record *record = calls->user;
	struct open_call *open = report_open(call);
	struct session *session = open->program->session;
	const struct behaviour *behaviour =
		behaviour_of(session, open->tracepoint);

	report_complete(session);
	if (call->return_address)
		return_site_no_more(open->program, call->return_address);
	session->counts.lost += how == CALL_UNFINISHED;
	behaviour->over(session, record, call, how);
	if (!call->taken)
		plan_unref(open->tracepoint->plan);
	if (session->options->limit &&
	    session->counts.shown >= session->options->limit)
		atomic_store(&session->clockwork->leave, true);
}
