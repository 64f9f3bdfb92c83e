/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A return has the names of its function, and ends the innermost open call of
 * this function. Two things disturb this order:
 *
 * A return without a probe. Ruby leaves Kernel#raise without one. Such a call
 * ends (CALL_UNWOUND) when a return of an outer function, or an entry, proves
 * that its function runs no more. What proves it is the stack pointer, because
 * a thread's own stack grows down: a function that runs within another one
 * cannot have a higher stack pointer at its probe. It has a lower one if the
 * interpreter calls itself for each function (own_frame).
 *
 * Several stacks. Fibers run on native stacks of their own, and greenlets copy
 * theirs away and back. A call there is only compared with calls of the same
 * stack: PHP has the same stack pointer at both probes of a call, and Ruby and
 * Python have the same frame of the interpreter.
 *
 * A return whose entry was not seen is not told: the function began before
 * xtrace attached, before a fork in it, or it is a method of Ruby that an
 * exception leaves while no TracePoint asks for calls.
 */
#include "tracer/scripts/script_calls.h"

#include "arch/operand.h"
#include "conf/model/proto.h"
#include "conf/model/type.h"
#include "process/regs.h"
#include "stacks/source.h"
#include "tracer/plan/plan_scripts.h"
#include "tracer/plan/ruby_core.h"
#include "tracer/report/findings.h"
#include "tracer/report/report.h"
#include "tracer/scripts/script_functions.h"
#include "values/operands.h"

#include <stdlib.h>
#include <string.h>

/* The most bytes of a name that are read. */
#define NAME_MOST 512
/* How many open calls a thread may have. If there are more, the oldest is
 * ended: calls of fibers that are never resumed have no other end. */
#define OPEN_MOST 65536u
/* How far the caller's frame is from the frame of a method in C, at most. */
#define RUBY_FRAME_SIZE 128

struct scripts {
	struct script_functions functions;
	struct arena arena; /* for one hit */
	struct param params[SCRIPT_ARGUMENTS_MOST];
};

/* Where a function runs. */
struct script_place {
	bool own_stack; /* on the thread's own stack, which is not copied */
	addr_t sp;
	/* The address of the interpreter's innermost frame, if that tells calls
	 * apart; else 0. */
	addr_t frame;
};

/* What is kept of an open call, in open_call->own. */
struct script_call {
	const struct known_function *function;
	const struct script_probe *probe;
	struct script_place place;
};

struct scripts *
scripts_new(const struct options *options)
{
	struct scripts *scripts;

	if (!options->script_calls)
		return NULL;
	scripts = xcalloc(1, sizeof(*scripts));
	script_functions_init(&scripts->functions, options);
	arena_init(&scripts->arena);
	for (size_t i = 0; i < SCRIPT_ARGUMENTS_MOST; i++)
		scripts->params[i].type = type_builtin("long");
	return scripts;
}

void
scripts_free(struct scripts *scripts)
{
	if (!scripts)
		return;
	script_functions_release(&scripts->functions);
	arena_release(&scripts->arena);
	free(scripts);
}

/* ---- what a probe tells ------------------------------------------------- */

static const struct vregs *
no_vregs(struct registers *registers)
{
	(void)registers;
	return NULL;
}

/* The arguments of the probe as numbers; texts are addresses. */
static const struct arguments *
numbers_of(struct scripts *scripts, const struct hit *hit,
	   const struct tracepoint *tracepoint)
{
	struct registers registers = { .arch = hit->program->space->arch,
				       .regs = &hit->regs,
				       .vregs = no_vregs };
	struct capture *capture =
		arena_zalloc(&scripts->arena, sizeof(*capture));
	struct proto *proto = arena_zalloc(&scripts->arena, sizeof(*proto));

	*proto = *tracepoint->proto;
	proto->params = scripts->params;
	if (proto->count > SCRIPT_ARGUMENTS_MOST)
		proto->count = SCRIPT_ARGUMENTS_MOST;
	capture_init(capture, program_memory(hit->program), &scripts->arena);
	return arguments_at_operands(proto, tracepoint->sdt->operands,
				     hit->program->space->arch, &registers,
				     capture, &scripts->arena);
}

/* The text of one argument; "" if it is none, "?" if it cannot be read. */
static const char *
text_of(struct scripts *scripts, const struct hit *hit,
	const struct arguments *numbers, int which)
{
	char *text = arena_zalloc(&scripts->arena, NAME_MOST);
	int64_t address;

	if (which < 0)
		return "";
	if ((size_t)which >= numbers->count ||
	    value_integer(&numbers->at[which].value, &address) < 0)
		return "?";
	if (!address)
		return "";
	return reader_cstr(program_memory(hit->program), (addr_t)address, text,
			   NAME_MOST, NULL) < 0
		       ? "?"
		       : text;
}

static struct known_function *
function_at(struct scripts *scripts, const struct hit *hit,
	    const struct tracepoint *tracepoint)
{
	const struct script_probe *probe = tracepoint->script;
	const struct arguments *numbers = numbers_of(scripts, hit, tracepoint);
	bool by_file = probe->language == SCRIPT_PYTHON;
	const struct script_function function = {
		.language = probe->language,
		.class = ruby_core_class(hit->program,
					 text_of(scripts, hit, numbers,
						 probe->class)),
		.function = text_of(scripts, hit, numbers, probe->function),
		.file = text_of(scripts, hit, numbers,
				by_file ? probe->file : -1),
	};

	return script_functions_find(&scripts->functions, &function);
}

/* ---- where a function runs ---------------------------------------------- */

/* The frame of the interpreter in which the thread is, or NULL. */
static const struct frame *
innermost_frame(struct scripts *scripts, const struct hit *hit)
{
	struct program *program = hit->program;
	struct stack stack;

	stack_init(&stack, &scripts->arena, 1);
	sources_walk(findings_sources(program), &program->modules,
		     program_memory(program), &hit->regs, &stack);
	return stack.count > 0 ? &stack.at[0] : NULL;
}

static struct script_place
place_of(struct scripts *scripts, const struct hit *hit,
	 const struct script_probe *probe)
{
	const struct calls *calls = &hit->record->calls;
	addr_t sp = regs_sp(&hit->regs);
	struct script_place place = {
		.own_stack = !hit->program->loader.copies_stacks &&
			     calls_own_stack(calls, sp),
		.sp = sp,
	};

	if (!place.own_stack && !probe->same_frame) {
		const struct frame *frame = innermost_frame(scripts, hit);

		place.frame = frame ? frame->at : 0;
	}
	return place;
}

static bool
same_place(const struct script_call *call, const struct script_place *place)
{
	addr_t between = call->place.frame - place->frame;

	if (call->probe->same_frame)
		return call->place.sp == place->sp;
	if (call->place.own_stack != place->own_stack)
		return false;
	if (place->own_stack || !place->frame || !call->place.frame)
		return place->own_stack || call->place.frame == place->frame;
	/* The frame of a method in C does not exist at its entry yet, and
	 * still exists if an exception ends it. */
	return between == 0 || (call->probe->language == SCRIPT_RUBY &&
				between <= RUBY_FRAME_SIZE);
}

/* ---- calls -------------------------------------------------------------- */

/* The call, if it is a function of a script of this language. */
static const struct script_call *
script_call_of(const struct call *call, enum script_language language)
{
	const struct script_call *script;

	if (!call->placeless)
		return NULL;
	script = report_open(call)->own;
	return script && script->probe->language == language ? script : NULL;
}

/* Does an entry at this place prove that the function of the call has ended? */
static bool
has_left(const struct script_call *call, const struct script_probe *probe,
	 const struct script_place *place)
{
	bool own_frames = call->probe->own_frame && probe->own_frame;

	if (call->probe->own_frame != probe->own_frame)
		return false;
	if (call->place.own_stack && place->own_stack)
		return call->place.sp < place->sp ||
		       (own_frames && call->place.sp == place->sp);
	/* On another stack, the entry proves only that a call at exactly its
	 * own place has ended. */
	return own_frames && call->place.own_stack == place->own_stack &&
	       call->place.sp == place->sp && call->place.frame == place->frame;
}

/* Ends calls whose functions have ended. On the thread's own stack, all
 * functions that such a function has called have ended, too. */
static void
end_left(struct calls *calls, const struct script_probe *probe,
	 const struct script_place *place)
{
	size_t first = calls->live.count;
	bool own_stack = place->own_stack;

	for (size_t i = calls->live.count; i-- > 0;) {
		const struct script_call *call =
			script_call_of(calls->live.at[i], probe->language);

		if (call && has_left(call, probe, place))
			first = i;
	}
	for (size_t i = calls->live.count; i-- > first;) {
		const struct script_call *call =
			script_call_of(calls->live.at[i], probe->language);

		if (call && call->place.own_stack == own_stack &&
		    (own_stack || has_left(call, probe, place)))
			calls_end(calls, i, CALL_UNWOUND);
	}
}

static bool
ends_with(const char *text, const char *end)
{
	size_t length = strlen(text), of_end = strlen(end);

	return length >= of_end && !strcmp(text + length - of_end, end);
}

/* Ends the innermost call if it is a call of Kernel#raise or Kernel#fail, and
 * the thread does not run this method any more. The method has then raised its
 * exception. */
static void
end_raised(struct scripts *scripts, const struct hit *hit,
	   const struct script_place *place)
{
	struct calls *calls = &hit->record->calls;
	const struct script_call *call = NULL;
	const struct frame *frame;
	size_t i = calls->live.count;

	while (i > 0 && (!call || call->place.own_stack != place->own_stack))
		call = script_call_of(calls->live.at[--i], SCRIPT_RUBY);
	if (!call || !call->function->raises ||
	    call->place.own_stack != place->own_stack)
		return;
	frame = innermost_frame(scripts, hit);
	if (frame && !(frame->at_call && frame->function &&
		       ends_with(frame->function, call->function->raises)))
		calls_end(calls, i, CALL_UNWOUND);
}

static void
enter(struct scripts *scripts, struct hit *hit,
      const struct tracepoint *tracepoint, struct known_function *function)
{
	const struct script_probe *probe = tracepoint->script;
	struct calls *calls = &hit->record->calls;
	struct operand *operands =
		arena_zalloc(&scripts->arena, 2 * sizeof(*operands));
	struct sdt_point point = { .operands = operands };
	struct script_place place = place_of(scripts, hit, probe);
	struct script_call *script;
	struct call *call;

	end_left(calls, probe, &place);
	if (probe->language == SCRIPT_RUBY)
		end_raised(scripts, hit, &place);
	if (calls->live.count >= OPEN_MOST)
		calls_end(calls, 0, CALL_UNWOUND);
	if ((size_t)probe->file < tracepoint->proto->count &&
	    (size_t)probe->line < tracepoint->proto->count) {
		operands[0] = tracepoint->sdt->operands[probe->file];
		operands[1] = tracepoint->sdt->operands[probe->line];
	}
	/* The tracepoint needs this point only while report_begin_script()
	 * fetches the arguments of the call. */
	function->tracepoint.sdt = &point;
	call = report_begin_script(hit, &function->tracepoint);
	function->tracepoint.sdt = NULL;
	script = arena_zalloc(&call->arena, sizeof(*script));
	*script = (struct script_call){ function, probe, place };
	report_open(call)->own = script;
}

static void
leave(struct scripts *scripts, const struct hit *hit,
      const struct script_probe *probe, const struct known_function *function)
{
	struct calls *calls = &hit->record->calls;
	struct script_place place = place_of(scripts, hit, probe);
	size_t found = calls->live.count;

	while (found-- > 0) {
		const struct script_call *call =
			script_call_of(calls->live.at[found], probe->language);

		if (call && call->function == function &&
		    same_place(call, &place))
			break;
	}
	if (found == SIZE_MAX)
		return;
	for (size_t i = calls->live.count; i-- > found + 1;) {
		const struct script_call *call =
			script_call_of(calls->live.at[i], probe->language);

		if (call && place.own_stack && call->place.own_stack)
			calls_end(calls, i, CALL_UNWOUND);
	}
	calls_end(calls, found, CALL_RETURNED);
}

static void
note(struct scripts_heard *heard, const struct script_probe *probe)
{
	heard->any[probe->language] = true;
	heard->ruby_methods |=
		probe->language == SCRIPT_RUBY && !probe->own_frame;
}

int
scripts_hit(struct hit *hit, struct tracepoint *tracepoint,
	    addr_t return_address)
{
	struct scripts *scripts = hit->session->scripts;
	const struct script_probe *probe = tracepoint->script;
	struct known_function *function;

	(void)return_address;
	ruby_core_mend(hit->program, tracepoint->sdt);
	if (probe->returns && hit->record->calls.live.count == 0)
		return 0;
	if (!probe->returns)
		note(&hit->session->scripts_heard, probe);
	arena_clear(&scripts->arena);
	function = function_at(scripts, hit, tracepoint);
	if (function->chosen && !probe->returns)
		enter(scripts, hit, tracepoint, function);
	else if (function->chosen)
		leave(scripts, hit, probe, function);
	return 0;
}
