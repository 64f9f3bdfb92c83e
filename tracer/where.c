/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A program keeps the sources of its scripts' frames from the first call on
 * that wants them; a fork's child begins anew, since what is where in it may
 * soon differ. What a source has to say is said once in a run, however many
 * processes it is true of.
 */
#include "tracer/where.h"

#include "stacks/source.h"
#include "tracer/say.h"

static void
say_once(struct session *session, const char *sentence)
{
	if (strmap_get(&session->said, sentence))
		return;
	strmap_put(&session->said, sentence, session);
	say("%s", sentence);
}

static void
say_nothing_found(struct session *session, const struct program *program)
{
	if (session->said_no_script || !program->loader.settled)
		return;
	session->said_no_script = true;
	say("process %d: no interpreter of scripts is in it, so -w shows "
	    "nothing of it (native frames are not there yet)",
	    program->space->pid);
}

static void
walk_script(const struct moment *moment, struct stack *stack)
{
	struct program *program = moment->program;
	const char *complaint;
	size_t interpreters;

	if (!program->sources)
		program->sources = sources_new();
	interpreters =
		sources_walk(program->sources, &program->modules,
			     &program->space->reader, &moment->regs, stack);
	while ((complaint = sources_complaint(program->sources)))
		say_once(moment->session, complaint);
	if (interpreters == 0)
		say_nothing_found(moment->session, program);
}

/* The calls that the call is within, the innermost first. */
static void
walk_calls(const struct moment *moment, const struct call *call,
	   struct stack *stack)
{
	const struct calls *calls = &moment->actor->calls;

	for (size_t i = calls->live.count; i-- > 0 && !stack_full(stack);) {
		const struct call *outer = calls->live.at[i];
		struct frame *frame;

		if (outer == call || !outer->event.name)
			continue;
		frame = stack_push(stack, FRAME_NATIVE, outer->sp);
		frame->function = arena_strdup(stack->arena, outer->event.name);
		if (outer->event.module)
			frame->module =
				arena_strdup(stack->arena, outer->event.module);
		frame->pc = outer->event.entry;
	}
}

void
where_capture(const struct moment *moment, struct call *call)
{
	const struct options *options = moment->session->options;
	struct stack stack;

	if (options->frames == 0)
		return;
	stack_init(&stack, &call->arena, options->frames);
	if (options->stack == STACK_CALLS)
		walk_calls(moment, call, &stack);
	else
		walk_script(moment, &stack);
	call->event.frames = stack.at;
	call->event.frame_count = (unsigned)stack.count;
	call->event.frames_partial = stack.partial;
}
