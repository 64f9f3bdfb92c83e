/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A thread that is resumed with PTRACE_SYSCALL stops at the entry and at the
 * end of each system call. While a call is shown it is the last of the thread's
 * calls, because nothing else begins in the thread until it has ended:
 *
 *	entry --> open --> end                      shown with its result
 *	              `--> exec                     returned 0: the program that
 *	                                            made it exists no more
 *	              `--> the thread ends          <no return ...>
 *
 * Not shown are: calls that xtrace injects (process/remote takes their stops
 * itself) and those of its handler in the program, ends of calls whose entry
 * was not seen, our action for SIGTRAP, and what an interrupt of xtrace does.
 * Such an interrupt ends a blocking call with one of the kernel's codes for a
 * restart, or with EINTR, which is changed to such a code. Then the thread
 * makes the call again. So this end is kept, and forgotten at the entry that
 * continues the call. If any other stop comes first, a signal was there, too:
 * the end is true, and is told.
 *
 * No seccomp filter makes this faster: it would outlive xtrace, and each
 * filtered call would fail with ENOSYS.
 */
#include "tracer/system_calls/system_calls.h"

#include "base/log.h"
#include "breakpoints/outlive/area.h"
#include "conf/filter/filter.h"
#include "conf/filter/tampering.h"
#include "conf/model/lens.h"
#include "conf/model/type.h"
#include "process/regs.h"
#include "process/resume.h"
#include "process/space.h"
#include "process/system_call.h"
#include "tracer/model/say.h"
#include "tracer/plan/plan.h"
#include "tracer/plan/prototypes.h"
#include "tracer/report/descriptors.h"
#include "tracer/report/report.h"
#include "tracer/report/tampered.h"
#include "tracer/report/where.h"
#include "tracer/sigtrap/sigtrap.h"
#include "values/capture.h"
#include "values/fetch.h"
#include "values/items.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>

/* The label of the kernel as a module, as in ltrace: open@SYS. */
#define LABEL "SYS"
/* In the map of known calls, marks the numbers of foreign calls. */
#define FOREIGN (UINT64_C(1) << 63)
#define FOREIGN_PREFIX "compat_"
#define NAME_ROOM 64u
/* A program can make calls with any number, and all fail. So many numbers are
 * kept at most, besides those of chosen calls. */
#define KNOWN_MOST 4096u

struct known_call {
	bool chosen; /* the filters have chosen this call */
	struct tracepoint tracepoint;
};

struct system_calls {
	const struct options *options;
	struct plan *plan;
	struct map known;	   /* number -> struct known_call */
	struct known_call ignored; /* all calls that are not chosen */
};

struct system_calls *
system_calls_new(const struct options *options)
{
	struct system_calls *calls;

	if (!options->system_calls)
		return NULL;
	calls = xcalloc(1, sizeof(*calls));
	calls->options = options;
	calls->plan = plan_new(NULL);
	map_init(&calls->known);
	return calls;
}

void
system_calls_free(struct system_calls *calls)
{
	size_t cursor = 0;
	void *known;

	if (!calls)
		return;
	while (map_next(&calls->known, &cursor, NULL, &known))
		if (known != &calls->ignored)
			free(known);
	map_release(&calls->known);
	plan_unref(calls->plan);
	free(calls);
}

/* ---- which call it is --------------------------------------------------- */

static bool
is_chosen(const struct options *options, const char *name)
{
	const struct filter_module module = { .label = LABEL };
	const struct filter_symbol symbol = { .name = name };
	bool chosen = options->system_call_filters.count == 0;

	for (size_t i = 0; i < options->system_call_filters.count; i++)
		chosen |= filter_chooses(options->system_call_filters.at[i],
					 &module, &symbol);
	return chosen;
}

/* A foreign call has a name of its own, because it is not the call that
 * programs of this kind make by the same name. */
static void
name_of(const struct system_call_stop *at, char name[NAME_ROOM])
{
	const char *prefix = at->foreign ? FOREIGN_PREFIX : "";
	const char *known =
		at->arch ? at->arch->system_call->name(at->number) : NULL;

	if (known)
		snprintf(name, NAME_ROOM, "%s%s", prefix, known);
	else
		snprintf(name, NAME_ROOM, "%ssyscall_%ld", prefix,
			 at->own_number);
}

/* Is it a system call that xtrace must see to keep the program as it is, for
 * example because it changes the action of SIGTRAP? --inject does not change
 * such a call. */
static bool
is_followed(const char *name)
{
	static const char *const names[] = {
		"rt_sigaction", "rt_sigprocmask", "rt_sigreturn",
		"sigaction",	"signal",	  "sigprocmask",
		"ssetmask",	"sigreturn",	  "restart_syscall",
		"ptrace",
	};

	for (size_t i = 0; i < array_size(names); i++) {
		if (!strcmp(names[i], name))
			return true;
	}
	return false;
}

static uint64_t
tamperings_of(const struct session *session, const char *name)
{
	const struct filter_module module = { .label = LABEL };
	uint64_t tamperings = plan_tamperings(session, &module, name, NULL);

	if (!tamperings || !is_followed(name))
		return tamperings;
	say("--inject: %s is made: xtrace must see what it does", name);
	return 0;
}

static struct known_call *
learn(struct session *session, const struct system_call_stop *at)
{
	struct system_calls *calls = session->system_calls;
	char room[NAME_ROOM];
	struct known_call *known;
	const char *name;
	const struct proto *proto;

	name_of(at, room);
	if (!is_chosen(calls->options, room))
		return &calls->ignored;
	known = xcalloc(1, sizeof(*known));
	name = arena_printf(&calls->plan->arena, "%s", room);
	proto = at->foreign ? NULL
			    : prototypes_find_system_call(session->prototypes,
							  name);
	known->chosen = true;
	known->tracepoint = (struct tracepoint){
		.kind = TRACEPOINT_SYSTEM_CALL,
		.name = name,
		.shown = arena_printf(&calls->plan->arena, "%s@" LABEL, name),
		.module = LABEL,
		.proto = proto,
		.proto_known = true,
		.plan = calls->plan,
		.tamperings = tamperings_of(session, name),
	};
	return known;
}

static struct known_call *
known_call(struct session *session, const struct system_call_stop *at)
{
	struct map *map = &session->system_calls->known;
	uint64_t key = (uint64_t)at->number & ~FOREIGN;
	struct known_call *known;

	key |= at->foreign ? FOREIGN : 0;
	known = map_get(map, key);
	if (!known) {
		known = learn(session, at);
		if (known->chosen || map->count < KNOWN_MOST)
			map_put(map, key, known);
	}
	return known;
}

/* ---- a call ends -------------------------------------------------------- */

static const struct vregs *
no_vregs(struct registers *registers)
{
	(void)registers;
	return NULL;
}

/* "? ERESTARTSYS": the kernel repeats the call under a condition. */
static const struct value *
restart_value(struct arena *arena, int64_t result)
{
	static const struct {
		int code;
		const char *text;
	} restarts[] = {
		{ RESTARTSYS, "? ERESTARTSYS (restarts if SA_RESTART is set)" },
		{ RESTARTNOINTR, "? ERESTARTNOINTR (restarts)" },
		{ RESTARTNOHAND, "? ERESTARTNOHAND (restarts if no handler "
				 "runs)" },
		{ RESTART_RESTARTBLOCK,
		  "? ERESTART_RESTARTBLOCK (restarts if no handler runs)" },
	};
	struct value *value = arena_zalloc(arena, sizeof(*value));
	struct value_item item = { .plain = true };

	for (size_t i = 0; i < array_size(restarts); i++)
		if (result == -restarts[i].code)
			item.bytes = restarts[i].text;
	item.length = item.whole = strlen(item.bytes);
	item_value(value, arena, &item);
	return value;
}

/* -1, whatever the call's prototype says of its result. */
static const struct value *
failure_value(struct arena *arena)
{
	static const struct lens lens = { .kind = LENS_ERRNO };
	static const struct type type = {
		.kind = TYPE_INT, .bytes = 8, .is_signed = true, .lens = &lens
	};
	static const int64_t failure = -1;
	struct value *value = arena_zalloc(arena, sizeof(*value));

	value_of_bytes(value, &type, &failure, sizeof(failure), NULL, NULL);
	return value;
}

static void
take_result(struct call *call, struct open_call *open, int64_t result,
	    bool failed)
{
	const struct arch *arch = open->program->space->arch;
	struct regs regs = { 0 };
	struct registers registers = { .arch = arch,
				       .regs = &regs,
				       .vregs = no_vregs };

	if (!call->event.arguments)
		return;
	/* A result of -1 tells values/ that the call has failed and so has
	 * filled in nothing. */
	arch->system_call->set_result(&regs, failed ? -1 : result);
	capture_init(&open->after, program_memory(open->program), &call->arena);
	call->event.result = arguments_result(call->event.arguments, &registers,
					      &open->after);
	if (!failed)
		return;
	if (system_call_restarts(result)) {
		call->event.result = restart_value(&call->arena, result);
		call->event.restarts = true;
		return;
	}
	call->event.result = failure_value(&call->arena);
	call->event.error_number = (int)-result;
}

void
system_call_over(struct session *session, struct thread_record *record,
		 struct call *call, enum call_end how)
{
	struct open_call *open = report_open(call);
	uint64_t now = session_now(session);

	record->system_call = (struct system_call_open){ 0 };
	session_measure(session, record->thread, now, &call->event);
	call->event.end = how;
	if (how == CALL_RETURNED)
		where_capture_late(open->program, record, call);
	descriptors_take_result(session, open->tid, call);
	if (!open->elsewhere)
		report_over(session, open->pid, open->tid, call, &open->held,
			    now);
	if (open->after.live)
		capture_seal(&open->after);
}

/* The thread's last call, if it is a system call. */
static struct call *
last_call(struct thread_record *record)
{
	struct calls *calls = &record->calls;
	struct call *last = calls->live.count
				    ? calls->live.at[calls->live.count - 1]
				    : NULL;

	return last && report_open(last)->tracepoint->kind ==
				       TRACEPOINT_SYSTEM_CALL
		       ? last
		       : NULL;
}

static void
end(struct thread_record *record, int64_t result, bool failed)
{
	struct call *call = last_call(record);

	record->system_call.open = false;
	if (!call)
		return;
	take_result(call, report_open(call), result, failed);
	calls_end_last(&record->calls, CALL_RETURNED);
}

static void
end_held(struct thread_record *record)
{
	if (record->system_call.held)
		end(record, record->system_call.result, true);
}

/* An interrupt stop tells nothing about the call that the interrupt has ended,
 * because it comes before the thread makes the call again. */
void
system_calls_end_held(struct session *session, const struct stop *stop)
{
	if (session->system_calls && stop->kind != STOP_SYSCALL &&
	    stop->kind != STOP_INTERRUPT)
		end_held(session_record(session, stop->thread));
}

static void
system_calls_execed(struct thread_record *record)
{
	long number = record->system_call.number;

	if (record->system_call.open &&
	    (number == SYS_execve || number == SYS_execveat))
		end(record, 0, false);
}

const struct life system_calls_life = {
	.execed = system_calls_execed,
};

/* ---- stops -------------------------------------------------------------- */

/* Does the thread continue the call that an interrupt of xtrace has ended? */
static bool
continues(const struct system_call_open *open,
	  const struct system_call_stop *at)
{
	return open->held && open->pc == at->pc &&
	       open->foreign == at->foreign &&
	       (open->number == at->number ||
		at->number == SYS_restart_syscall);
}

/* The registers of the thread in the call. Only to walk the stack, or to find
 * out where it is, all of them are read. */
static bool
call_regs(struct session *session, struct thread *thread,
	  const struct system_call_stop *at, struct regs *regs)
{
	const struct thread_record *record = session_record(session, thread);
	bool whole = session->options->frames > 0 ||
		     (record->calls.live.count > 0 && !record->stack_known);

	if (whole) {
		const struct regs *own = thread_regs(&session->table, thread);

		if (!own)
			return false;
		*regs = *own;
	}
	regs_set_pc(regs, at->pc);
	regs_set_sp(regs, at->sp);
	return true;
}

/* Is the pc in our SIGTRAP handler? It makes system calls when it passes on a
 * SIGTRAP of the program's own. */
static bool
in_handler(const struct program *program, addr_t pc)
{
	const struct survive *survive = &program->sites.survive;

	return survive->code &&
	       pc - survive->code <= area_code_used(survive->inside);
}

/* The address to which the call writes the former action of SIGTRAP, or 0. */
static addr_t
old_action(const struct system_call_stop *at)
{
	return !at->foreign && at->number == SYS_rt_sigaction &&
			       at->arguments[0] == SIGTRAP
		       ? at->arguments[2]
		       : 0;
}

/* Makes the thread skip the call, and sets its result at once. So the result is
 * the same if xtrace is killed before the end of the call. */
static void
set_result(struct session *session, struct thread *thread,
	   const struct tampering *tampering)
{
	const struct arch_system_call *calls =
		thread->process->space->arch->system_call;
	const struct regs *now = thread_regs(&session->table, thread);
	struct regs regs;

	if (!now)
		return;
	regs = *now;
	calls->leave(&regs);
	calls->set_result(&regs, tampering->error ? -tampering->error
						  : tampering->result);
	thread_set_regs(thread, &regs);
}

/* Does to a call that has begun what --inject asks for. Returns true if the
 * thread is delayed before it makes the call. */
static bool
tamper(struct session *session, struct thread_record *record,
       const struct known_call *known)
{
	const struct tampering *tampering =
		known->tracepoint.tamperings
			? tampered_call(session, known->tracepoint.tamperings)
			: NULL;
	struct stop stop = { .kind = STOP_SYSCALL,
			     .thread = record->thread,
			     .tid = record->thread->tid };

	if (!tampering)
		return false;
	tampered_mark(record, tampering);
	if (tampering->has_result || tampering->error)
		set_result(session, record->thread, tampering);
	record->call_delayed = tampered_delay(session, &stop, tampering);
	return record->call_delayed;
}

/* Begins a system call of the trace. Returns true if the thread is delayed. */
static bool
begin(struct session *session, struct thread_record *record,
      const struct system_call_stop *at)
{
	struct thread *thread = record->thread;
	struct hit hit = {
		.session = session,
		.program = session_program(session, thread->process->space),
		.record = record,
		.when = session_now(session),
		.system_call = at->arguments,
	};
	struct known_call *known;

	end_held(record);
	if (!hit.program)
		return false;
	if (in_handler(hit.program, at->pc))
		return false;
	known = known_call(session, at);
	if (!known->chosen || !call_regs(session, thread, at, &hit.regs))
		return false;
	report_begin_inside(&hit, &known->tracepoint);
	record->system_call = (struct system_call_open){
		.open = true,
		.foreign = at->foreign,
		.number = at->number,
		.pc = at->pc,
		.old_action = old_action(at),
	};
	return tamper(session, record, known);
}

/* True if an interrupt of xtrace may have ended the call. */
static bool
may_continue(const struct thread *thread, const struct system_call_stop *at)
{
	return thread->ask_again && at->failed &&
	       (at->result == -EINTR || system_call_restarts(at->result));
}

/* Serves a stop at the entry of a system call. Returns true if the thread is
 * delayed. */
static bool
at_entry(struct session *session, struct thread_record *record,
	 const struct system_call_stop *at)
{
	if (!continues(&record->system_call, at))
		return begin(session, record, at);
	record->system_call.held = false;
	return false;
}

/* Replaces our action by the program's own where the call has written it,
 * before the trace shows it. */
static void
tell_action(struct session *session, const struct thread_record *record,
	    const struct system_call_stop *at)
{
	addr_t old = record->system_call.old_action;
	struct program *program =
		session_program(session, record->thread->process->space);

	if (old && !at->failed && program &&
	    sigtrap_action_told(program, old) < 0)
		debug("%d: its former action is not told", record->thread->tid);
}

static void
at_end(struct session *session, struct thread_record *record,
       const struct system_call_stop *at)
{
	struct system_call_open *open = &record->system_call;

	if (open->open && may_continue(record->thread, at)) {
		open->held = true;
		open->result = at->result;
	} else if (open->open) {
		tell_action(session, record, at);
		end(record, at->result, at->failed);
	}
}

/* Is this stop to be followed by a trial stop? An interrupt disturbs nothing at
 * the end of a call that has not failed. */
static bool
is_trial(struct session *session, const struct thread *thread,
	 const struct system_call_stop *at)
{
	return !at->entry && !at->failed && !thread->ask_again &&
	       lag_asks(&session->table.lag_calls);
}

bool
system_calls_delayed(struct session *session, const struct stop *stop)
{
	struct thread_record *record = session_record(session, stop->thread);
	bool delayed = record->call_delayed;

	record->call_delayed = false;
	return delayed;
}

void
system_calls_stop(struct session *session, const struct stop *stop)
{
	struct table *table = &session->table;
	struct thread *thread = stop->thread;
	struct thread_record *record = session_record(session, thread);
	struct system_call_stop at;
	bool trial;

	if (!session->system_calls || session->leaving || record->silent ||
	    thread_system_call(table, thread, &at) < 0) {
		thread_resume(table, thread, 0);
		return;
	}
	if (at.entry && at_entry(session, record, &at))
		return;
	if (!at.entry)
		at_end(session, record, &at);
	trial = is_trial(session, thread, &at);
	if (trial)
		thread_resume_to_interrupt(table, thread);
	else
		thread_resume(table, thread, 0);
}
