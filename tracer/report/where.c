/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * From the first walk on, a program keeps what its stacks are walked with: the
 * sources of its scripts' frames and the tables of its modules. A fork's child
 * begins without them, because its modules may soon differ. A complaint of a
 * source is printed once in a run, even if it is true of several processes.
 *
 * At an entry the first frame is the caller's. At the return of a call that
 * took long enough (--stack-min-time) the first frame is the caller's too: the
 * callee's frame no longer exists, and the other frames are unchanged.
 */
#include "tracer/report/where.h"

#include "process/auxv.h"
#include "process/regs.h"
#include "stacks/languages.h"
#include "stacks/merge.h"
#include "stacks/packages.h"
#include "stacks/source.h"
#include "tracer/model/say.h"
#include "tracer/report/findings.h"

static void
say_once(struct session *session, const char *sentence)
{
	if (strmap_get(&session->said, sentence))
		return;
	strmap_put(&session->said, sentence, session);
	say("%s", sentence);
}

static void
say_nothing_found(struct program *program)
{
	struct session *session = program->session;

	if (session->said_no_script || !program->loader.settled)
		return;
	session->said_no_script = true;
	say("process %d: it contains no interpreter of scripts, so "
	    "--stack=script shows no frames of it",
	    program->space->pid);
}

/* Returns the number of interpreters in the program. */
static size_t
walk_script(struct program *program, const struct regs *regs,
	    struct stack *stack)
{
	const char *complaint;
	size_t interpreters;

	if (!program->findings->sources)
		program->findings->sources = sources_new();
	interpreters =
		sources_walk(program->findings->sources, &program->modules,
			     program_memory(program), regs, stack);
	while ((complaint = sources_complaint(program->findings->sources)))
		say_once(program->session, complaint);
	return interpreters;
}

static void
walk_native(struct program *program, const struct native_start *start,
	    struct stack *stack)
{
	struct auxv auxv;

	if (!program->findings->native) {
		program->findings->native = native_new(program->space->arch);
		if (auxv_read(program->space->pid, &auxv) == 0)
			native_vdso(program->findings->native, auxv.vdso);
	}
	native_walk(program->findings->native, &program->modules,
		    program_memory(program), start, stack);
}

static void
walk_merged(struct program *program, const struct native_start *start,
	    struct stack *stack)
{
	struct stack native, script;

	/* Native frames belong to no package. */
	stack_init(&native, stack->arena,
		   stack->from_own ? STACK_SEARCHED_MOST : stack->most);
	stack_init(&script, stack->arena, stack->most);
	script.from_own = stack->from_own;
	script.packages = stack->packages;
	walk_native(program, start, &native);
	walk_script(program, start->regs, &script);
	merge_stacks(&native, &script, stack);
}

void
where_walk(struct program *program, enum stack_choice choice,
	   const struct native_start *start, struct stack *stack)
{
	switch (choice) {
	case STACK_NATIVE:
		stack->from_own = false;
		walk_native(program, start, stack);
		return;
	case STACK_MERGED:
		walk_merged(program, start, stack);
		return;
	case STACK_SCRIPT:
		if (walk_script(program, start->regs, stack) == 0)
			say_nothing_found(program);
		return;
	case STACK_DEFAULT:
	case STACK_CALLS:
		break;
	}
	if (walk_script(program, start->regs, stack) > 0)
		return;
	stack->from_own = false;
	walk_native(program, start, stack);
}

/* Adds the calls that enclose this call, the innermost first. */
static void
walk_calls(const struct calls *calls, const struct call *call,
	   struct stack *stack)
{
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

/* Counts the first frames by their packages. */
static void
skip(struct event_call *call, const struct stack *stack, unsigned count)
{
	struct frames_skipped *skipped =
		arena_alloc(stack->arena, count * sizeof(*skipped));
	unsigned i, kinds = 0;

	for (unsigned n = 0; n < count; n++) {
		const struct frame *frame = &stack->at[n];
		const char *package = frame->package
					      ? frame->package
					      : frame_kind_name(frame->kind);

		for (i = 0; i < kinds; i++) {
			if (!strcmp(skipped[i].package, package))
				break;
		}
		if (i == kinds)
			skipped[kinds++] =
				(struct frames_skipped){ package, 0 };
		skipped[i].count++;
	}
	call->skipped = skipped;
	call->skipped_count = kinds;
}

/* Without a frame of the application, the stack is shown from its top. */
static void
fill_in(struct call *call, const struct stack *stack)
{
	struct event_call *event = &call->event;
	unsigned count = (unsigned)stack->count;
	unsigned own = (unsigned)stack_own(stack), skipped = 0;

	if (stack->from_own && own < count && own > 0)
		skip(event, stack, skipped = own);
	event->frames = stack->at + skipped;
	event->frame_count = count - skipped;
	if (event->frame_count > stack->most)
		event->frame_count = (unsigned)stack->most;
	event->frames_partial =
		stack->partial && skipped + event->frame_count == count;
	if (stack->apart > skipped)
		event->frames_apart = (unsigned)stack->apart - skipped;
	event->frames_own = own - skipped;
}

static void
begin_stack(struct stack *stack, struct call *call,
	    const struct session *session)
{
	unsigned most = session->options->frames;

	stack_init(stack, &call->arena, most ? most : 1);
	stack->from_own = session->options->from_own &&
			  session->options->stack != STACK_CALLS;
	stack->packages = session->options->packages;
}

static void
capture(const struct hit *hit, struct call *call)
{
	const struct options *options = hit->session->options;
	const struct native_start start = { .regs = &hit->regs,
					    .place = NATIVE_CALLED };
	struct stack stack;

	begin_stack(&stack, call, hit->session);
	if (options->stack == STACK_CALLS)
		walk_calls(&hit->record->calls, call, &stack);
	else
		where_walk(hit->program, options->stack, &start, &stack);
	fill_in(call, &stack);
}

void
where_capture(const struct hit *hit, struct call *call)
{
	const struct options *options = hit->session->options;

	if (options->frames > 0 && !options->stack_min_time)
		capture(hit, call);
}

bool
where_unknown_wanted(const struct session *session)
{
	return session->options->frames == 0 && session->wants.sql;
}

void
where_capture_unknown(const struct hit *hit, struct call *call)
{
	if (where_unknown_wanted(hit->session))
		capture(hit, call);
}

void
where_capture_late(struct program *program, struct thread_record *record,
		   struct call *call)
{
	const struct options *options = program->session->options;

	if (!options->stack_min_time ||
	    event_shown(call->event.duration) < options->stack_min_time)
		return;
	where_returned(program, record, call);
	call->event.frames_late = call->event.frames != NULL;
}

void
where_returned(struct program *program, struct thread_record *record,
	       struct call *call)
{
	struct session *session = program->session;
	const struct options *options = session->options;
	struct native_start start = { .place = NATIVE_RETURNED };
	struct stack stack;
	struct regs at;
	const struct regs *regs = thread_regs(&session->table, record->thread);

	if (!regs)
		return;
	begin_stack(&stack, call, session);
	/* The thread's pc is already in the slot of the return site. */
	at = *regs;
	regs_set_pc(&at, call->return_address);
	start.regs = &at;
	if (options->stack == STACK_CALLS)
		walk_calls(&record->calls, call, &stack);
	else
		where_walk(program, options->stack, &start, &stack);
	fill_in(call, &stack);
}

void
where_say_unmatched(const struct session *session)
{
	const struct packages *packages = session->options->packages;

	for (size_t i = 0; packages && i < packages->patterns.count; i++) {
		if (!packages->patterns.at[i].found)
			say("--packages %s: no script's file in a stack "
			    "matches it",
			    packages->patterns.at[i].text);
	}
}
