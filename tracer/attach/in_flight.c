/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * When a program hangs in a query, the query began before xtrace attached. So
 * xtrace walks the native stack of each thread once. A frame of a traced
 * function is a call in flight, and the call returns to the next outer frame.
 *
 * 	frame i, of f	   stack pointer and registers as they are now
 * 	frame i+1, caller  stack pointer behind f's return address; pc: f's
 * 			   return address; preserved registers as they were
 * 			   when f was called
 *
 * A function f that has ended in a jump to another function has no frame; the
 * call instruction in the caller tells that f was called (called() of arch).
 *
 * From these frames the hit at the entry is reconstructed, except the registers
 * that f has overwritten since (see in_flight_arguments).
 *
 * A thread that blocks is not stopped (process/observation), unless its frames
 * need more registers and the kernel restarts its system call unnoticed. The
 * thread may return from that call before the traps at the returns are planted.
 * Then its observed stack is out of date, and xtrace reads it again.
 *
 * The traps at the entries are already planted. A running thread may be in such
 * a trap before wait(2) has reported it; then its innermost call has not begun.
 *
 * The same walk finds threads in sigaction() past its guard (tracer/sigtrap).
 *
 * A thread that waits for a CPU stops only when it gets one, after the other
 * threads of its program, which would run for a while each time. So when xtrace
 * meets one such thread it asks all running threads at once, and resumes none
 * before all stacks were read. If it is told to leave, it reads no more stacks.
 */
#include "tracer/attach/in_flight.h"

#include "arch/code.h"
#include "base/clock.h"
#include "base/log.h"
#include "process/observation.h"
#include "process/regs.h"
#include "process/resume.h"
#include "process/siginfo.h"
#include "process/status.h"
#include "process/woken.h"
#include "stacks/native.h"
#include "symbols/symtab.h"
#include "tracer/attach/in_flight_arguments.h"
#include "tracer/attach/in_flight_awaited.h"
#include "tracer/plan/plan.h"
#include "tracer/plan/sets.h"
#include "tracer/remote_calls/inject.h"
#include "tracer/report/report.h"
#include "tracer/report/return_site.h"
#include "tracer/report/where.h"
#include "tracer/sigtrap/guards.h"
#include "tracer/sigtrap/sigtrap.h"

#include <errno.h>
#include <signal.h>

#define FRAMES_MOST 256u
/* How often to read the stack of a blocked thread that runs now and then. */
#define TRIES_MOST 5u
/* A thread that takes longer than this to stop waits for a CPU. */
#define STOPS_WITHIN_NS 1000000

struct flight {
	struct session *session;
	struct program *program; /* freed at an exec */
	unsigned serial;	 /* serial of the program's space */
	struct thread *thread;
	bool waits_for_cpu; /* a thread did not stop at once */
	bool holds;	    /* keeps threads stopped, to resume them together */
	vec_of(pid_t) held;
	addr_t thread_pointer;
	struct blocked at; /* the system call in which the thread blocks */
	struct arena arena;
	struct stack stack;
	struct native_registers registers[FRAMES_MOST];
	struct map wanted; /* entry -> struct tracepoint, not yet planted */
	/* A gate has no frame: its callee's name identifies it. */
	vec_of(struct tracepoint *) gates;
};

/* ---- what is traced --------------------------------------------------------
 */

/* Notes a tracepoint whose calls in flight are searched, unless xtrace runs as
 * ltrace, which does not know calls that began before it attached. */
static void
take_tracepoint(struct flight *flight, struct tracepoint *tracepoint)
{
	if (flight->session->options->as_ltrace)
		return;
	if (tracepoint->kind == TRACEPOINT_GATE)
		vec_push(&flight->gates, tracepoint);
	else if ((tracepoint_is_entry(tracepoint) ||
		  tracepoint->kind == TRACEPOINT_SOCKET ||
		  tracepoint->kind == TRACEPOINT_CALLEE) &&
		 !tracepoint->entry_only && tracepoint->address &&
		 !map_get(&flight->wanted, tracepoint->address))
		map_put(&flight->wanted, tracepoint->address, tracepoint);
}

static void
take_everything(struct flight *flight)
{
	const struct program *program = flight->program;
	struct pages_cursor cursor = { 0 };
	struct site *site;

	for (size_t i = 0; i < program->planned->pending.count; i++)
		take_tracepoint(flight, program->planned->pending.at[i].user);
	while ((site = pages_next(&program->sites.pages, &cursor))) {
		if (!site_owned(site, SITE_OWNER_CALL))
			continue;
		for (struct tracepoint *t = site->user; t; t = t->next)
			take_tracepoint(flight, t);
	}
}

/* The gate of the caller's module that leads to the function at entry. */
static struct tracepoint *
gate_to(const struct flight *flight, addr_t entry, const struct frame *caller)
{
	const struct modmap *modules = &flight->program->modules;
	const struct module *from = modmap_covering(modules, caller->pc);
	const struct module *to = modmap_covering(modules, entry);

	for (size_t i = 0; from && to && i < flight->gates.count; i++) {
		struct tracepoint *gate = flight->gates.at[i];
		const struct symbol *symbol;

		if (gate->plan->image != from->image)
			continue;
		symbol = symtab_find(to->image, SYMTAB_DYNAMIC, gate->name);
		if (symbol && to->bias + symbol->address == entry)
			return gate;
	}
	return NULL;
}

static struct tracepoint *
tracepoint_by(const struct flight *flight, addr_t entry,
	      const struct frame *caller)
{
	struct tracepoint *tracepoint;

	if (!entry)
		return NULL;
	tracepoint = map_get(&flight->wanted, entry);
	if (tracepoint && tracepoint->kind == TRACEPOINT_CALLEE &&
	    (caller->pc < tracepoint->caller_start ||
	     caller->pc >= tracepoint->caller_end))
		tracepoint = NULL;
	return tracepoint ? tracepoint : gate_to(flight, entry, caller);
}

/* The function that the call instruction before return_address has entered; 0
 * if that is not known. */
static addr_t
called(const struct program *program, addr_t return_address)
{
	return program->space->arch->code->called(program_memory(program),
						  return_address);
}

/* Is frame i a call of sigaction(), whose return xtrace must see? */
static bool
sets_action(const struct flight *flight, size_t i)
{
	const struct program *program = flight->program;

	return guards_action(program, flight->stack.at[i].start) ||
	       guards_action(program,
			     called(program, flight->stack.at[i + 1].pc));
}

/* The tracepoint of the call of frame i, or NULL. *ret_entry is the called
 * function, which may have jumped to the function of this frame. */
static struct tracepoint *
tracepoint_at(const struct flight *flight, size_t i, addr_t *ret_entry)
{
	const struct frame *function = &flight->stack.at[i];
	const struct frame *caller = &flight->stack.at[i + 1];
	struct tracepoint *tracepoint;

	*ret_entry = function->start;
	tracepoint = tracepoint_by(flight, *ret_entry, caller);
	if (tracepoint)
		return tracepoint;
	*ret_entry = called(flight->program, caller->pc);
	return tracepoint_by(flight, *ret_entry, caller);
}

/* ---- the hit at the entry --------------------------------------------------
 */

static uint64_t
register_of(const struct native_registers *registers, unsigned number)
{
	return registers->known >> number & 1 ? registers->value[number] : 0;
}

/* Does frame i belong to a function of the C library that makes the system call
 * of the same name, with the same arguments? */
static bool
makes_call(const struct flight *flight, size_t i,
	   const struct tracepoint *tracepoint)
{
	const struct modmap *modules = &flight->program->modules;

	return flight->at.number >= 0 && tracepoint &&
	       tracepoint->kind == TRACEPOINT_SOCKET &&
	       modmap_covering(modules, flight->stack.at[0].pc) ==
		       modmap_covering(modules, flight->stack.at[i].pc);
}

static void
put_together(struct flight *flight, size_t i, addr_t entry,
	     const struct tracepoint *tracepoint, struct hit *ret_hit)
{
	struct session *session = flight->session;
	const struct frame *caller = &flight->stack.at[i + 1];
	const struct native_registers *kept = &flight->registers[i + 1];
	struct hit hit = {
		.session = session,
		.program = flight->program,
		.record = session_record(session, flight->thread),
		.when = session_now(session),
		.before = true,
		.unknown = ~0u,
	};
	const struct flight_frame inner = { flight->stack.at[i].pc,
					    &flight->registers[i] };
	const struct flight_frame outer = { caller->pc, kept };
	const struct arch_dwarf *dwarf = flight->program->space->arch->dwarf;

	regs_set_pc(&hit.regs, entry);
	regs_set_sp(&hit.regs, caller->at - hit_calling(&hit)->pushed);
	for (unsigned n = 0; n < dwarf->count; n++)
		if (dwarf->preserved >> n & 1)
			dwarf->set(&hit.regs, n, register_of(kept, n));
	if (!hit_calling(&hit)->pushed)
		dwarf->set(&hit.regs, dwarf->back, caller->pc);
	regs_set_thread_pointer(&hit.regs, flight->thread_pointer);
	in_flight_arguments(&hit, &inner, &outer);
	if (makes_call(flight, i, tracepoint))
		in_flight_of_system_call(&hit, &flight->at);
	*ret_hit = hit;
}

/* ---- a thread --------------------------------------------------------------
 */

static void
walk(struct flight *flight, const struct regs *regs, bool few)
{
	const struct native_start start = { .regs = regs,
					    .place = NATIVE_STOPPED,
					    .few = few,
					    .registers = flight->registers };

	arena_clear(&flight->arena);
	stack_init(&flight->stack, &flight->arena, FRAMES_MOST);
	flight->thread_pointer = regs_thread_pointer(regs);
	where_walk(flight->program, STACK_NATIVE, &start, false,
		   &flight->stack);
}

static bool
trap_stands(const struct flight *flight, addr_t address)
{
	const struct site *site = sites_find(&flight->program->sites, address);

	return site && site->planted;
}

/* If the thread has hit a trap that is not reported yet, its pc is behind the
 * trap; moves it back to the site. */
static void
step_back(const struct flight *flight, struct regs *regs, bool trapped)
{
	addr_t trap = regs_pc(regs) - flight->program->space->arch->trap.behind;

	if (trapped && trap_stands(flight, trap))
		regs_set_pc(regs, trap);
}

/* Is the thread in a stop for a trap that is not reported yet? */
static bool
waits_trapped(struct thread *thread, const struct observation *seen)
{
	siginfo_t info;

	return seen->at.number < 0 && !seen->stopped &&
	       thread_siginfo(thread, &info) == 0 && info.si_signo == SIGTRAP &&
	       info.si_code == thread->process->space->arch->trap.code;
}

/* True if the call is at the trap at its entry, which is not reported yet. */
static bool
begins(const struct flight *flight, size_t i)
{
	const struct frame *frame = &flight->stack.at[i];

	return i == 0 && frame->pc == frame->start &&
	       trap_stands(flight, frame->start);
}

/* Visits the calls in flight, the outermost first, to plant traps at their
 * returns or (begin) to report them. Returns how many, or -ESRCH. */
static int
each_call(struct flight *flight,
	  int (*act)(struct hit *hit, struct tracepoint *tracepoint,
		     addr_t return_address))
{
	int count = 0;

	for (size_t i = flight->stack.count; i-- > 0;) {
		addr_t entry;
		struct tracepoint *tracepoint =
			i + 1 < flight->stack.count && !begins(flight, i)
				? tracepoint_at(flight, i, &entry)
				: NULL;
		struct hit hit;
		int r;

		if (!tracepoint)
			continue;
		put_together(flight, i, entry, tracepoint, &hit);
		r = act(&hit, tracepoint, flight->stack.at[i + 1].pc);
		if (r == -ESRCH)
			return r;
		count++;
	}
	return count;
}

static int
await(struct hit *hit, struct tracepoint *tracepoint, addr_t return_address)
{
	(void)tracepoint;
	return return_site_await(hit, return_address);
}

static int
await_no_more(struct hit *hit, struct tracepoint *tracepoint,
	      addr_t return_address)
{
	(void)tracepoint;
	return_site_no_more(hit->program, return_address);
	return 0;
}

/* If the thread has hit a trap before, this call is known already, or a call
 * within it is. To report this call now would end the inner one. */
static int
tell(struct hit *hit, struct tracepoint *tracepoint, addr_t return_address)
{
	if (calls_reach(&hit->record->calls, regs_sp(&hit->regs)))
		return 0;
	return report_in_flight(hit, tracepoint, return_address);
}

/* Is a call of a probed function in flight? */
static bool
any_probed(const struct flight *flight)
{
	for (size_t i = 0; i + 1 < flight->stack.count; i++) {
		addr_t entry;
		const struct tracepoint *tracepoint =
			tracepoint_at(flight, i, &entry);

		if (tracepoint && tracepoint->kind == TRACEPOINT_PROBED)
			return true;
	}
	return false;
}

static int
await_actions(struct flight *flight)
{
	int r = 0;

	for (size_t i = 0; i + 1 < flight->stack.count && r == 0; i++) {
		struct hit hit;

		if (begins(flight, i) || !sets_action(flight, i))
			continue;
		put_together(flight, i, flight->stack.at[i].start, NULL, &hit);
		r = sigtrap_in_flight(&hit, flight->stack.at[i + 1].pc);
	}
	return r;
}

static int
look_at_stopped(struct flight *flight)
{
	struct session *session = flight->session;
	struct thread *thread = flight->thread;
	const struct regs *regs = thread_regs(&session->table, thread);
	struct regs at;
	int r;

	if (!regs)
		return 0;
	at = *regs;
	in_flight_interrupted(flight->program, regs, &flight->at);
	step_back(flight, &at, thread_trap_comes(thread));
	walk(flight, &at, false);
	if (!any_probed(flight))
		in_flight_awaited(flight->program, thread, &at,
				  flight->at.number);
	r = each_call(flight, tell);
	return r < 0 || await_actions(flight) == 0 ? r : -ESRCH;
}

/* Reports the calls in flight of a blocked thread; -EAGAIN if it has run. */
static int
look_at_blocked(struct flight *flight, const struct observation *seen)
{
	pid_t pid = flight->thread->process->pid;
	pid_t tid = flight->thread->tid;
	int r, told;

	if (await_actions(flight) < 0)
		return -ESRCH;
	r = each_call(flight, await);
	if (r < 0)
		return r;
	if (!any_probed(flight))
		in_flight_awaited_by(flight->program, flight->thread);
	if (r == 0)
		return 0;
	told = observation_holds(pid, tid, seen) ? each_call(flight, tell)
						 : -EAGAIN;
	each_call(flight, await_no_more);
	return told;
}

/* Stops the thread and reports its calls in flight. -EAGAIN: it has begun to
 * block, and is not stopped. -ESRCH: the process runs this program no more. */
static int
look_at_running(struct flight *flight, pid_t pid, pid_t tid)
{
	struct session *session = flight->session;
	uint64_t since = clock_now();
	int r = woken_may_stop(&session->table, flight->thread);

	if (r < 0)
		return r == -EAGAIN ? r : 0;
	flight->thread = inject_stop(session, tid);
	if (clock_now() - since > STOPS_WITHIN_NS)
		flight->waits_for_cpu = true;
	if (!flight->thread)
		return session_runs(session, pid, flight->serial) ? 0 : -ESRCH;
	r = look_at_stopped(flight);
	thread_mend_interrupted(&session->table, flight->thread);
	if (flight->holds)
		vec_push(&flight->held, tid);
	else
		thread_resume(&session->table, flight->thread, 0);
	return r;
}

static int
look_at(struct flight *flight, pid_t pid, pid_t tid)
{
	struct session *session = flight->session;
	int r = -EAGAIN;

	for (unsigned i = 0; i < TRIES_MOST && r == -EAGAIN; i++) {
		struct observation seen;

		flight->thread = table_thread(&session->table, tid);
		if (!flight->thread || flight->thread->state != THREAD_RUNNING)
			return 0;
		if (flight->thread->asked)
			return look_at_running(flight, pid, tid);
		if (observation_take(pid, tid, flight->program->space, &seen) <
		    0)
			return 0;
		step_back(flight, &seen.regs,
			  seen.blocked && waits_trapped(flight->thread, &seen));
		flight->at = seen.at;
		if (seen.blocked)
			walk(flight, &seen.regs, true);
		if (!seen.blocked ||
		    (flight->stack.partial && observation_may_stop(tid, &seen)))
			r = look_at_running(flight, pid, tid);
		else
			r = look_at_blocked(flight, &seen);
	}
	return r == -EAGAIN ? 0 : r;
}

/* Asks the running threads from `place` on to stop and moves them to the front
 * of that part. Returns the place behind them. */
static size_t
ask_running(struct flight *flight, struct pids *tids, size_t place)
{
	struct table *table = &flight->session->table;

	woken_ask_running(table, tids, place);
	for (size_t i = place; i < tids->list.count; i++) {
		pid_t tid = tids->list.at[i];
		struct thread *thread = table_thread(table, tid);

		if (!thread || !thread->asked)
			continue;
		tids->list.at[i] = tids->list.at[place];
		tids->list.at[place++] = tid;
	}
	return place;
}

static void
let_go_on(struct flight *flight)
{
	struct table *table = &flight->session->table;

	for (size_t i = 0; i < flight->held.count; i++) {
		struct thread *thread = table_thread(table, flight->held.at[i]);

		if (thread && thread->state == THREAD_STOPPED)
			thread_resume(table, thread, 0);
	}
	vec_clear(&flight->held);
}

/* Reads the stacks of all running threads from *place on, and moves *place
 * behind them. */
static int
look_at_crowd(struct flight *flight, pid_t pid, struct pids *tids,
	      size_t *place)
{
	size_t end = ask_running(flight, tids, *place);
	int r = 0;

	flight->holds = true;
	for (; *place < end && r >= 0; ++*place)
		r = look_at(flight, pid, tids->list.at[*place]);
	flight->holds = false;
	let_go_on(flight);
	return r;
}

static int
look_at_all(struct flight *flight, pid_t pid, struct pids *tids)
{
	size_t place = 0;
	int r = 0;

	while (place < tids->list.count && r >= 0 &&
	       !table_hurried(&flight->session->table)) {
		flight->waits_for_cpu = false;
		r = look_at(flight, pid, tids->list.at[place++]);
		if (r >= 0 && flight->waits_for_cpu)
			r = look_at_crowd(flight, pid, tids, &place);
	}
	debug("%d: %zu of its %zu threads' stacks were read", pid, place,
	      tids->list.count);
	return r < 0 ? r : 0;
}

static bool
anything_wanted(const struct flight *flight)
{
	return flight->wanted.count > 0 || flight->gates.count > 0 ||
	       flight->program->guards->list.count > 0 ||
	       sets_wire(flight->session->sets);
}

int
in_flight_find(struct program *program, struct process *process)
{
	struct flight *flight = xcalloc(1, sizeof(*flight));
	struct pids tids = table_tids(&program->session->table, process);
	const pid_t pid = process->pid;
	int r = 0;

	flight->session = program->session;
	flight->program = program;
	flight->serial = program->space->serial;
	arena_init(&flight->arena);
	map_init(&flight->wanted);
	take_everything(flight);
	if (anything_wanted(flight))
		r = look_at_all(flight, pid, &tids);
	/* The process may have ended meanwhile. */
	if (session_runs(flight->session, pid, flight->serial))
		where_release(program);
	vec_release(&tids.list);
	vec_release(&flight->gates);
	vec_release(&flight->held);
	map_release(&flight->wanted);
	arena_release(&flight->arena);
	free(flight);
	return r;
}
