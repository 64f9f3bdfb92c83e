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
#include "tracer/model/rooms.h"
#include "tracer/model/say.h"
#include "tracer/report/findings.h"

static void
say_nothing_found(struct program *program)
{
	if (!program->loader.consistent ||
	    !say_first(program->session, "no script"))
		return;
	say("process %d: it contains no interpreter of scripts, so "
	    "--stack=script shows no frames of it",
	    program->space->pid);
}

/* Returns the number of interpreters in the program. */
static size_t
walk_script(struct program *program, struct reader *memory,
	    const struct regs *regs, struct stack *stack)
{
	const char *complaint;
	size_t interpreters;

	interpreters = sources_walk(findings_sources(program),
				    &program->modules, memory, regs, stack);
	while ((complaint = sources_complaint(program->findings->sources))) {
		if (say_first(program->session, complaint))
			say("%s", complaint);
	}
	return interpreters;
}

static struct native *
native_of(struct program *program)
{
	struct auxv auxv;

	if (!program->findings->native) {
		program->findings->native = native_new(program->space->arch);
		if (auxv_read(program->space->pid, program_word(program),
			      &auxv) == 0)
			native_vdso(program->findings->native, auxv.vdso);
	}
	return program->findings->native;
}

static void
walk_native(struct program *program, const struct native_start *start,
	    struct walked *walked)
{
	walked->stack->from_own = false;
	walked->has_native = true;
	native_walk(native_of(program), &program->modules, walked->memory,
		    start, walked->stack);
}

static void
walk_merged(struct program *program, const struct native_start *start,
	    struct walked *walked)
{
	const struct stack *stack = walked->stack;

	/* Native frames belong to no package. */
	stack_init(&walked->native, stack->arena,
		   stack->from_own ? STACK_SEARCHED_MOST : stack->most);
	stack_init(&walked->script, stack->arena, stack->most);
	walked->script.from_own = stack->from_own;
	walked->script.packages = stack->packages;
	walked->has_native = walked->merged = true;
	native_walk(native_of(program), &program->modules, walked->memory,
		    start, &walked->native);
	walk_script(program, walked->memory, start->regs, &walked->script);
}

static void
walk(struct program *program, enum stack_choice choice,
     const struct native_start *start, struct walked *walked)
{
	if (!walked->memory)
		walked->memory = program_memory(program);
	switch (choice) {
	case STACK_NATIVE:
		walk_native(program, start, walked);
		return;
	case STACK_MERGED:
		walk_merged(program, start, walked);
		return;
	case STACK_SCRIPT:
		if (walk_script(program, walked->memory, start->regs,
				walked->stack) == 0)
			say_nothing_found(program);
		return;
	case STACK_DEFAULT:
	case STACK_CALLS:
		break;
	}
	if (walk_script(program, walked->memory, start->regs, walked->stack) ==
	    0)
		walk_native(program, start, walked);
}

static struct stack *
native_frames(struct walked *walked)
{
	return walked->merged ? &walked->native : walked->stack;
}

static bool
are_known(const struct program *program, struct walked *walked)
{
	return !walked->has_native ||
	       native_knows(program->findings->native, native_frames(walked),
			    walked->lines);
}

/* ltrace's lines have the paths of modules. */
static void
add_paths(const struct program *program, struct stack *stack)
{
	for (size_t i = 0; i < stack->count; i++) {
		struct frame *frame = &stack->at[i];
		const struct module *module =
			modmap_covering(&program->modules, frame->within);

		if (frame->kind == FRAME_NATIVE && module)
			frame->path = arena_strdup(stack->arena,
						   image_name(module->image));
	}
}

static void
name(struct program *program, struct walked *walked)
{
	if (walked->has_native)
		native_name(program->findings->native, &program->modules,
			    native_frames(walked), walked->lines);
	if (walked->has_native && program->session->options->as_ltrace)
		add_paths(program, native_frames(walked));
	if (walked->merged)
		merge_stacks(&walked->native, &walked->script, walked->stack);
}

void
where_walk(struct program *program, enum stack_choice choice,
	   const struct native_start *start, bool lines, struct stack *stack)
{
	struct walked walked = { .stack = stack, .lines = lines };

	walk(program, choice, start, &walked);
	name(program, &walked);
}

void
where_begin_walk(struct program *program, enum stack_choice choice,
		 const struct native_start *start, struct walked *walked)
{
	walk(program, choice, start, walked);
}

void
where_end_walk(struct program *program, struct walked *walked)
{
	name(program, walked);
}

static bool
walks_wanted(const struct options *options)
{
	return options->frames > 0 || options->sample > 0;
}

void
where_release(struct program *program)
{
	if (walks_wanted(program->session->options))
		return;
	native_free(program->findings->native);
	program->findings->native = NULL;
}

void
where_prepare_later(struct program *program)
{
	struct session *session = program->session;

	if (!walks_wanted(session->options) || !program->loader.consistent ||
	    program->findings->prepared == program->modules.changes)
		return;
	report_later(session);
	vec_push(&session->completion->unprepared, program);
}

void
where_prepare(struct program *program)
{
	const struct options *options = program->session->options;
	bool script = options->stack != STACK_NATIVE, any = false;

	program->findings->prepared = program->modules.changes;
	if (!walks_wanted(options) || options->stack == STACK_CALLS)
		return;
	if (script)
		any = sources_prepare(findings_sources(program),
				      &program->modules,
				      program_memory(program)) > 0;
	if (options->stack == STACK_SCRIPT ||
	    (options->stack == STACK_DEFAULT && any && !options->sample))
		return;
	native_prepare(native_of(program), &program->modules,
		       program_memory(program));
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

/* Counts the frames before the application's first frame, by their packages. */
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

/* How many frames of a stack are shown. */
static unsigned
shown_most(const struct session *session)
{
	unsigned most = session->options->frames;

	return most ? most : 1;
}

/* Without a frame of the application, the stack is shown from its top. */
static void
fill_in(const struct session *session, struct call *call,
	const struct stack *stack)
{
	struct event_call *event = &call->event;
	unsigned most = shown_most(session);
	unsigned count = (unsigned)stack->count;
	unsigned own = (unsigned)stack_own(stack), skipped = 0;

	if (stack->from_own && own < count && own > 0)
		skip(event, stack, skipped = own);
	event->frames = stack->at + skipped;
	event->frame_count = count - skipped;
	if (event->frame_count > most)
		event->frame_count = most;
	event->frames_partial =
		stack->partial && skipped + event->frame_count == count;
	if (stack->apart > skipped)
		event->frames_apart = (unsigned)stack->apart - skipped;
	event->frames_own = own - skipped;
}

/* Is the request of a query found in the stack of its thread? */
static bool
tells_request(const struct session *session, const struct thread_record *record)
{
	return session->options->request_frame ||
	       (session->options->requests && record && record->mixes);
}

/* record may be NULL. */
static void
begin_stack(struct stack *stack, struct call *call,
	    const struct session *session, const struct thread_record *record)
{
	stack_init(stack, &call->arena,
		   tells_request(session, record) ? STACK_SEARCHED_MOST
						  : shown_most(session));
	stack->from_own = session->options->from_own &&
			  session->options->stack != STACK_CALLS;
	stack->packages = session->options->packages;
}

static struct unnamed *
begin_walk(struct program *program, const struct thread_record *record,
	   struct call *call)
{
	struct unnamed *unnamed = arena_zalloc(&call->arena, sizeof(*unnamed));

	unnamed->program = program;
	unnamed->call = call;
	unnamed->walked.stack = &unnamed->stack;
	unnamed->walked.lines = true;
	begin_stack(&unnamed->stack, call, program->session, record);
	return unnamed;
}

/* Walks the stack from the call on. */
static struct unnamed *
walk_from(struct program *program, struct thread_record *record,
	  const struct native_start *start, struct call *call)
{
	const struct options *options = program->session->options;
	struct unnamed *unnamed = begin_walk(program, record, call);

	if (options->stack == STACK_CALLS)
		walk_calls(&record->calls, call, &unnamed->stack);
	else
		walk(program, options->stack, start, &unnamed->walked);
	if (tells_request(program->session, record))
		program->session->rooms->walked(
			program, record,
			unnamed->walked.merged ? &unnamed->walked.script
					       : &unnamed->stack,
			call);
	return unnamed;
}

void
where_name(struct unnamed *unnamed)
{
	name(unnamed->program, &unnamed->walked);
	fill_in(unnamed->program->session, unnamed->call, &unnamed->stack);
}

/* Names the frames now if that reads no file. */
static void
name_or_keep(struct unnamed *unnamed)
{
	struct session *session = unnamed->program->session;

	if (are_known(unnamed->program, &unnamed->walked)) {
		where_name(unnamed);
		return;
	}
	report_later(session);
	vec_push(&session->completion->unnamed, unnamed);
}

static void
capture(const struct hit *hit, struct call *call)
{
	const struct native_start start = { .regs = &hit->regs,
					    .place = call->event.point
							     ? NATIVE_STOPPED
							     : NATIVE_CALLED };

	name_or_keep(walk_from(hit->program, hit->record, &start, call));
}

/* Walks the stack of a thread that has just returned from the call. Returns
 * NULL if the thread has vanished. */
static struct unnamed *
walk_returned(struct program *program, struct thread_record *record,
	      struct call *call)
{
	struct native_start start = { .place = NATIVE_RETURNED };
	struct table *table = &program->session->table;
	const struct regs *regs = thread_regs(table, record->thread);
	struct regs at;

	if (!regs)
		return NULL;
	/* The thread's pc is already in the slot of the return site, so the
	 * return address is used as the pc. */
	at = *regs;
	regs_set_pc(&at, call->return_address);
	start.regs = &at;
	return walk_from(program, record, &start, call);
}

void
where_capture(const struct hit *hit, struct call *call)
{
	const struct options *options = hit->session->options;

	if (options->frames > 0 && !options->stack_min_time)
		capture(hit, call);
}

void
where_blocked(struct program *program, struct thread_record *record,
	      const struct regs *regs, struct call *call)
{
	const struct native_start start = { .regs = regs,
					    .place = NATIVE_STOPPED,
					    .few = true };
	const struct options *options = program->session->options;

	if (options->frames > 0 && !options->stack_min_time)
		name_or_keep(walk_from(program, record, &start, call));
}

static const char *
copied(struct arena *arena, const char *text)
{
	return text ? arena_strdup(arena, text) : NULL;
}

void
where_coroutine(struct program *program, struct thread_record *record,
		const struct stack *frames, struct call *call)
{
	const struct options *options = program->session->options;
	struct stack *stack;

	if (tells_request(program->session, record))
		program->session->rooms->walked(program, record, frames, call);
	if (options->frames == 0 || options->stack_min_time)
		return;
	stack = arena_zalloc(&call->arena, sizeof(*stack));
	begin_stack(stack, call, program->session, NULL);
	for (size_t i = 0; i < frames->count && !stack_full(stack); i++) {
		const struct frame *from = &frames->at[i];
		struct frame *frame = stack_push(stack, from->kind, from->at);

		frame->function = copied(stack->arena, from->function);
		frame->file = copied(stack->arena, from->file);
		frame->line = from->line;
	}
	fill_in(program->session, call, stack);
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

/* The least duration with which a call has its stack walked at its return;
 * UINT64_MAX: the stack was walked at the entry, or is not wanted. */
static uint64_t
least_for_walk(const struct options *options, const struct call *call)
{
	const struct open_call *open = call->user;

	if (options->stack_min_time)
		return options->stack_min_time;
	return options->frames > 0 && open->kept ? options->look.min_duration
						 : UINT64_MAX;
}

void
where_capture_late(struct program *program, struct thread_record *record,
		   struct call *call)
{
	struct unnamed *unnamed;

	if (event_longest(&call->event) <
	    least_for_walk(program->session->options, call))
		return;
	unnamed = walk_returned(program, record, call);
	if (unnamed)
		where_name(unnamed);
	call->event.frames_late = call->event.frames != NULL;
}

void
where_returned(struct program *program, struct thread_record *record,
	       struct call *call)
{
	struct unnamed *unnamed = walk_returned(program, record, call);

	if (unnamed)
		name_or_keep(unnamed);
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
