/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A call is begun in this order: its return address is read, its return site
 * is made sure of, the thread's calls take it up, its arguments are fetched,
 * and the sinks are told while the thread still stands at the entry. What the
 * sinks read then is captured in the call's arena, so that nothing is read
 * when the call is over but what the function filled in.
 *
 * A call whose return cannot be watched (no return address, as for _start, or
 * one that no trap may be put at) is told as an entry only.
 */
#include "tracer/report.h"

#include "arch/x86_64_insn.h"
#include "base/log.h"
#include "conf/lens.h"
#include "conf/proto.h"
#include "conf/type.h"
#include "process/maps.h"
#include "process/regs.h"
#include "tracer/interest.h"
#include "tracer/naming.h"
#include "tracer/plan.h"
#include "tracer/probes.h"
#include "tracer/prototypes.h"
#include "tracer/return_site.h"
#include "tracer/sockets.h"
#include "tracer/thread_errno.h"
#include "tracer/where.h"
#include "values/capture.h"
#include "values/fetch.h"
#include "values/show.h"

#include <errno.h>
#include <string.h>

/* More of a text is not looked at. */
#define WHOLE_TEXT ((size_t)1 << 24)

#define debug(...) debug_of(LOG_TRACER, __VA_ARGS__)

/* What the roof keeps of a call, in the call's arena. */
struct open_call {
	struct traced *traced;
	struct program *program;
	struct capture entry, after;
	bool held; /* told only if it proves to be of interest at its end */
	bool silent;
	struct probing probing;
	const struct socket_call *socket; /* TRACED_SOCKET */
	pid_t pid, tid;
};

/* The registers of a stopped thread, as values/ wants them. */
struct thread_registers {
	struct registers registers;
	struct table *table;
	struct thread *thread;
};

static const struct vregs *
vregs_of_thread(struct registers *registers)
{
	struct thread_registers *of =
		container_of(registers, struct thread_registers, registers);

	return thread_vregs(of->table, of->thread);
}

static const struct vregs *
no_vregs(struct registers *registers)
{
	(void)registers;
	return NULL;
}

static void
registers_init(struct thread_registers *of, struct session *session,
	       struct thread *thread, const struct regs *regs)
{
	*of = (struct thread_registers){
		.registers = { .regs = regs, .vregs = vregs_of_thread },
		.table = &session->table,
		.thread = thread,
	};
}

/* ---- telling ---------------------------------------------------------------
 */

static void
tell(struct session *session, pid_t pid, pid_t tid, struct call *call,
     enum event_kind kind, uint64_t when)
{
	struct event event = {
		.kind = kind,
		.when = when,
		.pid = pid,
		.tid = tid,
		.call = &call->event,
	};

	report_event(session, &event);
}

/* ---- the thread's own stack
 * ---------------------------------------------------- */

/* The kernel's gap below a main stack (mmap_base() in arch/x86/mm/mmap.c). */
#define MAIN_STACK_ROOM (UINT64_C(128) << 20)

static void
learn_stack(struct moment *moment)
{
	struct actor *actor = moment->actor;
	const struct thread *thread = actor->thread;
	bool main = thread->tid == thread->process->pid;
	addr_t within = main ? regs_sp(&moment->regs)
			     : regs_thread_pointer(&moment->regs);
	struct mapping mapping;

	if (maps_query(moment->program->space->pid, within, &mapping) < 0)
		return;
	actor->stack_known = true;
	if (main && !strcmp(mapping.path, "[stack]")) {
		actor->calls.own_high = mapping.end;
		actor->calls.own_low = mapping.end - MAIN_STACK_ROOM;
	} else if (main) {
		/* On a fiber's stack just now: ask again. */
		actor->stack_known = false;
	} else {
		actor->calls.own_low = mapping.start;
		actor->calls.own_high = within;
	}
	free(mapping.path);
}

/* ---- a call begins
 * ------------------------------------------------------------ */

/* Did the same call come through a gate of its caller a moment ago? It was
 * shown there, if anywhere. */
static bool
came_through_gate(const struct moment *moment, const struct traced *traced)
{
	const struct calls *calls = &moment->actor->calls;
	addr_t sp = regs_sp(&moment->regs);

	if (traced->kind != TRACED_CALLEE)
		return false;
	for (size_t i = calls->live.count; i-- > 0;) {
		const struct call *call = calls->live.at[i];
		const struct open_call *open = call->user;

		if (call->sp != sp)
			return false;
		if (open->traced->kind == TRACED_GATE &&
		    !strcmp(open->traced->name, traced->name))
			return true;
	}
	return false;
}

static bool
from_its_caller(const struct traced *traced, addr_t return_address)
{
	return traced->kind != TRACED_CALLEE ||
	       (return_address >= traced->caller_start &&
		return_address < traced->caller_end);
}

/* What the module is called that the call returns to. */
static const char *
label_of_caller(const struct moment *moment, addr_t return_address)
{
	const struct module *module =
		modmap_covering(&moment->program->modules, return_address);

	return module ? image_label(module->image) : NULL;
}

static void
fill_event(struct moment *moment, struct call *call, struct traced *traced)
{
	struct event_call *event = &call->event;
	bool several = traced->use && traced->use->several;

	event->id = ++moment->session->calls_begun;
	event->name = traced->name;
	event->display = several ? naming_qualified(traced) : traced->shown;
	event->module = traced->module;
	event->caller = traced->caller;
	event->entry = traced->address;
	event->return_address = call->return_address;
	event->began = moment->when;
	if (moment->session->wants_callers && !event->caller)
		event->caller = label_of_caller(moment, call->return_address);
	event->before = moment->before;
}

/* Found at the first call: few of many functions are ever called. */
static const struct proto *
proto_of(struct session *session, struct traced *traced)
{
	if (!traced->proto_known)
		traced->proto = prototypes_find(session->prototypes,
						traced->name, traced->module);
	traced->proto_known = true;
	return traced->proto;
}

/* Is one of its arguments SQL? */
static bool
takes_sql(struct session *session, struct traced *traced)
{
	bool known = traced->proto_known;
	const struct proto *proto = proto_of(session, traced);

	for (size_t i = 0; proto && !known && i < proto->count; i++) {
		if (lens_of_kind(proto->params[i].type->lens, LENS_SQL))
			traced->takes_sql = true;
	}
	return traced->takes_sql;
}

static void
fetch(struct moment *moment, struct call *call, struct open_call *open)
{
	const struct options *options = moment->session->options;
	struct thread_registers of;

	if (!moment->session->values &&
	    !(moment->session->values_of_sql &&
	      takes_sql(moment->session, open->traced)))
		return;
	registers_init(&of, moment->session, moment->actor->thread,
		       &moment->regs);
	if (moment->before) {
		of.registers.unknown = moment->unknown;
		of.registers.vregs = no_vregs;
	}
	capture_init(&open->entry, program_memory(moment->program),
		     &call->arena);
	call->event.arguments =
		arguments_fetch(proto_of(moment->session, open->traced),
				&of.registers, &open->entry, &call->arena);
	/* What is shown at the return is read now, but for what is filled in.
	 */
	if (open->traced->probe)
		return;
	if (open->held || show_arguments_late(call->event.arguments))
		arguments_keep(call->event.arguments,
			       moment->session->whole_texts
				       ? WHOLE_TEXT
				       : options->look.string_length,
			       options->look.array_length);
	interest_keep(moment->session->condition, call->event.arguments);
}

static void
fill_open(const struct moment *moment, struct open_call *open,
	  struct traced *traced)
{
	open->traced = traced;
	open->program = moment->program;
	open->pid = moment->actor->thread->process->pid;
	open->tid = moment->actor->thread->tid;
	plan_ref(traced->plan);
}

static struct probed
probed_of(struct session *session, struct actor *actor, struct call *call,
	  struct capture *memory)
{
	struct open_call *open = call->user;

	return (struct probed){
		.session = session,
		.program = open->program,
		.actor = actor,
		.call = call,
		.probing = &open->probing,
		.function = open->traced->address,
		.memory = memory,
	};
}

/* A call that nobody sees return is begun and over at once. */
static void
report_entry_only(struct moment *moment, struct traced *traced)
{
	struct calls *calls = &moment->actor->calls;
	struct call *call =
		calls_enter(calls, regs_sp(&moment->regs), 0, 0, traced, NULL);
	struct open_call *open = arena_zalloc(&call->arena, sizeof(*open));

	fill_open(moment, open, traced);
	call->user = open;
	fill_event(moment, call, traced);
	fetch(moment, call, open);
	where_capture(moment, call);
	tell(moment->session, open->pid, open->tid, call, EVENT_ENTRY,
	     moment->when);
	capture_seal(&open->entry);
	calls_end_last(calls, CALL_ENTRY_ONLY);
}

static struct call *
enter(struct moment *moment, struct traced *traced, addr_t return_address)
{
	struct calls *calls = &moment->actor->calls;

	calls->copied = moment->program->copies_stacks;
	return calls_enter(calls, regs_sp(&moment->regs), return_address,
			   moment->before ? 0 : regs_preserved(&moment->regs),
			   traced, program_memory(moment->program));
}

static int
begin_call(struct moment *moment, struct traced *traced, addr_t return_address)
{
	struct session *session = moment->session;
	struct open_call *open;
	struct call *call;
	int r = return_site_await(moment, return_address);

	if (r == -ENOTSUP && traced->kind != TRACED_RESOLVER)
		report_entry_only(moment, traced);
	if (r < 0)
		return r == -ESRCH ? r : 0;
	call = enter(moment, traced, return_address);
	open = arena_zalloc(&call->arena, sizeof(*open));
	fill_open(moment, open, traced);
	open->silent = traced->kind == TRACED_RESOLVER;
	open->held = !open->silent && session->options->condition;
	open->probing.probe = traced->probe;
	call->user = open;
	if (open->silent)
		return 0;
	fill_event(moment, call, traced);
	fetch(moment, call, open);
	if (traced->probe) {
		struct probed of =
			probed_of(session, moment->actor, call, &open->entry);

		open->held = !probes_enter(&of, moment->when);
		if (open->probing.shows)
			where_capture(moment, call);
	} else {
		where_capture(moment, call);
	}
	if (!open->held)
		tell(session, open->pid, open->tid, call, EVENT_ENTRY,
		     moment->when);
	capture_seal(&open->entry);
	return 0;
}

/* Sending or receiving: silent, and seldom of interest. */
static int
begin_socket(struct moment *moment, struct traced *traced,
	     addr_t return_address)
{
	struct socket_call socket;
	struct open_call *open;
	struct call *call;
	int r;

	if (!sockets_enter(moment, traced->socket, return_address, &socket))
		return 0;
	r = return_site_await(moment, return_address);
	if (r < 0)
		return r == -ESRCH ? r : 0;
	call = enter(moment, traced, return_address);
	open = arena_zalloc(&call->arena, sizeof(*open));
	fill_open(moment, open, traced);
	open->silent = true;
	open->socket = arena_copy(&call->arena, &socket, sizeof(socket));
	call->user = open;
	return 0;
}

int
report_in_flight(struct moment *moment, struct traced *traced,
		 addr_t return_address)
{
	if (!moment->actor->stack_known)
		learn_stack(moment);
	return begin_call(moment, traced, return_address);
}

/*
 * Where longjmp will put the stack pointer. glibc keeps it in the seventh word
 * of the jmp_buf, rotated left by 17 and xored with the guard at fs:0x30
 * (sysdeps/unix/sysv/linux/x86_64/pointer_guard.h); musl as it is.
 */
static bool
jump_target(struct moment *moment, addr_t *ret_sp)
{
	struct reader *memory = program_memory(moment->program);
	const struct calls *calls = &moment->actor->calls;
	addr_t buffer = regs_argument(&moment->regs, 0);
	uint64_t word, guard, plain;

	if (reader_u64(memory, buffer + 6 * sizeof(word), &word) < 0 ||
	    reader_u64(memory, regs_thread_pointer(&moment->regs) + 0x30,
		       &guard) < 0)
		return false;
	plain = (word >> 17 | word << 47) ^ guard;
	*ret_sp = plain >= calls->own_low && plain < calls->own_high ? plain
								     : word;
	return *ret_sp >= calls->own_low && *ret_sp < calls->own_high;
}

static void
report_jump(struct moment *moment)
{
	addr_t sp;

	if (jump_target(moment, &sp))
		calls_landed(&moment->actor->calls, sp);
	else
		moment->actor->jumped = true;
}

int
report_entry(struct moment *moment)
{
	struct reader *memory = program_memory(moment->program);
	addr_t return_address = 0;
	bool jump = false, filled = false, known = false;
	int r = 0;

	if (!moment->actor->stack_known)
		learn_stack(moment);
	for (struct traced *traced = moment->site->user; traced && r == 0;
	     traced = traced->next) {
		if (came_through_gate(moment, traced))
			continue;
		if (!known && reader_u64(memory, regs_sp(&moment->regs),
					 &return_address) < 0)
			return_address = 0;
		known = true;
		if (!from_its_caller(traced, return_address))
			continue;
		if (traced->kind == TRACED_JUMP)
			jump = true;
		else if (traced->kind == TRACED_FILLED)
			filled = true;
		else if (traced->entry_only)
			report_entry_only(moment, traced);
		else if (traced->kind == TRACED_SOCKET)
			r = begin_socket(moment, traced, return_address);
		else
			r = begin_call(moment, traced, return_address);
	}
	moment->actor->jumped = false;
	if (jump)
		report_jump(moment);
	if (r == 0 && filled)
		r = plan_filled(moment->program, moment->actor->thread);
	if (r == 0 && moment->program->pointed_open)
		r = plan_pointed_again(moment->program, moment->actor->thread);
	return r;
}

/* ---- a call is over
 * ------------------------------------------------------------- */

static bool
names_error(const struct type *type)
{
	return type->lens && type->lens->kind == LENS_ERRNO;
}

static void
take_result(struct session *session, struct actor *actor, struct call *call,
	    struct open_call *open)
{
	const struct regs *regs;
	struct thread_registers of;

	if (!call->event.arguments)
		return;
	regs = thread_regs(&session->table, actor->thread);
	if (!regs)
		return;
	registers_init(&of, session, actor->thread, regs);
	capture_init(&open->after, program_memory(open->program), &call->arena);
	call->event.result = arguments_result(call->event.arguments,
					      &of.registers, &open->after);
	if (open->traced->proto && names_error(open->traced->proto->returns))
		call->event.error_number = thread_errno(open->program, regs);
}

void
report_over(struct session *session, pid_t pid, pid_t tid, struct call *call,
	    bool *held, uint64_t now)
{
	if (*held && interest_holds(session->condition, &call->event)) {
		*held = false;
		tell(session, pid, tid, call, EVENT_ENTRY, call->event.began);
	}
	if (*held)
		return;
	tell(session, pid, tid, call, EVENT_RETURN, now);
	if (call->event.duration >= session->options->look.min_duration)
		session->calls_shown++;
}

static void
tell_end(struct session *session, struct actor *actor, struct call *call,
	 struct open_call *open, enum call_end how)
{
	uint64_t now = session_now(session);

	call->event.duration = now - call->event.began;
	call->event.end = how;
	if (how == CALL_RETURNED) {
		take_result(session, actor, call, open);
		if (!open->probing.probe || open->probing.shows)
			where_capture_late(open->program, actor, call);
	}
	if (open->probing.probe) {
		struct probed of =
			probed_of(session, actor, call,
				  how == CALL_RETURNED ? &open->after : NULL);

		call->taken = probes_leave(&of, now);
	} else {
		report_over(session, open->pid, open->tid, call, &open->held,
			    now);
	}
	if (how == CALL_RETURNED)
		capture_seal(&open->after);
}

struct probing *
report_probing(const struct call *call)
{
	struct open_call *open = call->user;

	return open ? &open->probing : NULL;
}

void
report_span(struct session *session, struct call *call, enum call_end how,
	    uint64_t now)
{
	struct open_call *open = call->user;
	struct probing *probing = &open->probing;
	const struct act *begin = probe_act(probing->probe, ACT_BEGIN);
	bool held = true;

	call->event.end = how;
	call->event.inside = probing->span->inside;
	call->event.duration = begin && begin->inside ? probing->span->inside
						      : now - call->event.began;
	probes_take_outcome(&call->event, &probing->outcome);
	if (probing->shows)
		report_over(session, open->pid, open->tid, call, &held, now);
	plan_unref(open->traced->plan);
	call_pool_give(&session->pool, call);
}

/* An IFUNC's resolver says where the function is. */
static void
take_resolved(struct session *session, struct actor *actor,
	      const struct open_call *open)
{
	const struct regs *regs = thread_regs(&session->table, actor->thread);

	if (regs && plan_resolved(open->program, open->traced,
				  regs_result(regs), actor->thread) < 0)
		debug("%d vanished", actor->thread->tid);
}

void
report_end(struct calls *calls, struct call *call, enum call_end how)
{
	struct actor *actor = calls->user;
	struct open_call *open = call->user;
	struct session *session = open->program->session;

	if (call->return_address)
		return_site_no_more(open->program, call->return_address);
	if (!open->silent)
		tell_end(session, actor, call, open, how);
	else if (how == CALL_RETURNED && open->socket)
		sockets_leave(session, actor, open->program, open->socket,
			      call->return_address);
	else if (how == CALL_RETURNED)
		take_resolved(session, actor, open);
	if (!call->taken)
		plan_unref(open->traced->plan);
	if (session->options->limit &&
	    session->calls_shown >= session->options->limit)
		atomic_store(&session->clockwork->leave, true);
}
