/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Most arguments are fetched at the entry. The prototype is looked up at the
 * first call, because most functions are never called. If debug information
 * must be read for it, only the registers, and the memory to which they may
 * lead, are read at the entry (values/foresee).
 *
 * A call that has no return is told at once, with the prototype of the files.
 */
#include "tracer/report/call_arguments.h"

#include "conf/model/lens.h"
#include "conf/model/proto.h"
#include "conf/model/type.h"
#include "process/regs.h"
#include "tracer/model/interest.h"
#include "tracer/plan/learned.h"
#include "tracer/report/descriptors.h"
#include "tracer/report/thread_errno.h"
#include "values/fetch.h"
#include "values/foresee.h"
#include "values/operands.h"
#include "values/show.h"

/* The most bytes of a text that are read. */
#define WHOLE_TEXT ((size_t)1 << 24)

/* The registers of a stopped thread in the form that values/ needs. */
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
		.registers = { .arch = thread->process->space->arch,
			       .regs = regs,
			       .vregs = vregs_of_thread },
		.table = &session->table,
		.thread = thread,
	};
}

/* Is one of the function's arguments SQL? Only prototype files say that, not
 * debug information. */
static bool
takes_sql(struct program *program, struct tracepoint *tracepoint)
{
	bool known = tracepoint->proto_known || tracepoint->files_asked;
	const struct proto *proto;

	learned_known(program, tracepoint);
	proto = tracepoint->proto;
	for (size_t i = 0; proto && !known && i < proto->count; i++) {
		if (lens_of_kind(proto->params[i].type->lens, LENS_SQL))
			tracepoint->takes_sql = true;
	}
	return tracepoint->takes_sql;
}

void
call_arguments_keep(const struct session *session, struct call *call)
{
	const struct look *look = &session->options->look;

	if (call->event.arguments)
		arguments_keep(call->event.arguments,
			       session->wants.whole_texts ? WHOLE_TEXT
							  : look->string_length,
			       look->array_length);
}

static struct arguments *
arguments(struct call *call, struct registers *registers)
{
	struct open_call *open = report_open(call);
	const struct tracepoint *tracepoint = open->tracepoint;

	if (tracepoint->sdt)
		return arguments_at_operands(tracepoint->proto,
					     tracepoint->sdt->operands,
					     open->program->space->arch,
					     registers, &open->entry,
					     &call->arena);
	return arguments_fetch(tracepoint->proto, registers, &open->entry,
			       &call->arena);
}

static void
fetch(struct call *call, struct registers *registers)
{
	struct open_call *open = report_open(call);
	struct session *session = open->program->session;

	call->event.arguments = arguments(call, registers);
	/* What is shown at the return is read now, except what the function
	 * fills in. */
	descriptors_take(session, open->tid, call);
	descriptors_take_paths(session, call);
	open->elsewhere = !descriptors_touch(session, open->tid, call);
	if (open->tracepoint->probe)
		return;
	if (open->held || show_arguments_late(call->event.arguments))
		call_arguments_keep(session, call);
	interest_keep(session->condition, call->event.arguments);
	interest_keep(session->options->measured, call->event.arguments);
}

static void
learn_later(const struct hit *hit, struct call *call,
	    struct registers *registers)
{
	struct unlearned *unlearned =
		arena_zalloc(&call->arena, sizeof(*unlearned));
	const struct vregs *vregs = registers->vregs(registers);

	unlearned->call = call;
	unlearned->regs = hit->regs;
	unlearned->unknown = registers->unknown;
	unlearned->has_vregs = vregs != NULL;
	if (vregs)
		unlearned->vregs = *vregs;
	foresee(registers, &report_open(call)->entry);
	report_later(hit->session);
	vec_push(&hit->session->completion->unlearned, unlearned);
}

void
call_arguments_fetch(const struct hit *hit, struct call *call, bool may_wait)
{
	struct open_call *open = report_open(call);
	struct session *session = hit->session;
	struct thread_registers of;

	if (!session->wants.values &&
	    !(session->wants.sql && takes_sql(hit->program, open->tracepoint)))
		return;
	registers_init(&of, session, hit->record->thread, &hit->regs);
	of.registers.system_call = hit->system_call;
	if (hit->before) {
		of.registers.unknown = hit->unknown;
		of.registers.vregs = no_vregs;
	}
	capture_init(&open->entry, program_memory(hit->program), &call->arena);
	if (!learned_known(hit->program, open->tracepoint) && may_wait)
		learn_later(hit, call, &of.registers);
	else
		fetch(call, &of.registers);
}

void
call_arguments_fetch_kept(const struct hit *hit, struct call *call,
			  const struct metered_text *texts, size_t count)
{
	struct open_call *open = report_open(call);
	struct thread_registers of;

	if (!hit->session->wants.values)
		return;
	registers_init(&of, hit->session, hit->record->thread, &hit->regs);
	/* A probe may read the text of a prepared statement, which does not
	 * change while the statement is executed. */
	capture_init(&open->entry,
		     open->tracepoint->probe ? program_memory(hit->program)
					     : NULL,
		     &call->arena);
	for (size_t i = 0; i < count; i++)
		capture_add(&open->entry, texts[i].at, texts[i].bytes,
			    texts[i].length);
	learned_known(hit->program, open->tracepoint);
	fetch(call, &of.registers);
}

struct arguments *
call_arguments_made(struct call *call, const struct proto *proto,
		    unsigned handle, struct capture *memory)
{
	const struct open_call *open = report_open(call);
	const struct arch *arch = open->program->space->arch;
	struct regs regs = { 0 };
	struct registers registers = { .arch = arch,
				       .regs = &regs,
				       .vregs = no_vregs };
	struct arguments *made;

	arch->calling->set_argument(&regs, handle, open->ended->handle);
	made = arguments_fetch(proto, &registers, memory, &call->arena);
	arch->system_call->set_result(&regs, open->ended->last_result);
	(void)arguments_result(made, &registers, memory);
	return made;
}

static const struct vregs *
kept_vregs(struct registers *registers)
{
	struct unlearned *unlearned =
		container_of((const struct regs *)registers->regs,
			     struct unlearned, regs);

	return unlearned->has_vregs ? &unlearned->vregs : NULL;
}

void
call_arguments_learn(struct unlearned *unlearned)
{
	struct open_call *open = report_open(unlearned->call);
	struct registers registers = { .arch = open->program->space->arch,
				       .regs = &unlearned->regs,
				       .vregs = kept_vregs,
				       .unknown = unlearned->unknown };

	learned_ask(open->program, open->tracepoint);
	fetch(unlearned->call, &registers);
}

static bool
names_error(const struct proto *proto)
{
	const struct lens *lens = proto ? proto->returns->lens : NULL;

	return lens && lens->kind == LENS_ERRNO;
}

void
call_arguments_result(struct session *session, struct thread_record *record,
		      struct call *call)
{
	struct open_call *open = report_open(call);
	const struct regs *regs;
	struct thread_registers of;
	struct regs at;

	if (!call->event.arguments)
		return;
	regs = thread_regs(&session->table, record->thread);
	if (!regs)
		return;
	at = *regs;
	if (open->ended)
		open->program->space->arch->system_call->set_result(
			&at, open->ended->result);
	registers_init(&of, session, record->thread, &at);
	capture_init(&open->after, program_memory(open->program), &call->arena);
	call->event.result = arguments_result(call->event.arguments,
					      &of.registers, &open->after);
	if (names_error(open->tracepoint->proto))
		call->event.error_number = thread_errno(open->program, regs);
	descriptors_take_result(session, open->tid, call);
}
