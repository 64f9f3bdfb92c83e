/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A mark is a frame of xtrace's own within the innermost frame: "[GC]". It is a
 * native frame in no module. The name of a task is such a frame, too, within
 * the frame of the event loop that runs the task: "[task NAME]". The names that
 * asyncio gives are numbers, so they would split the stacks, and are left out.
 *
 * The frames of a fiber end with the fiber. Behind them are "[fiber]" and the
 * script's frames of the fiber that has resumed it; what this one has of native
 * frames is on another stack.
 */
#include "tracer/sampler/sample.h"

#include "base/clock.h"
#include "base/xmalloc.h"
#include "process/observation.h"
#include "process/space.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>

/* The most frames of a sample, if -w is not given. */
#define FRAMES_MOST 500u

#define NOT_SAMPLED "[not sampled]"

struct sample *
sample_new(struct program *program, const struct thread *thread)
{
	const struct options *options = program->session->options;
	struct sample *sample = xcalloc(1, sizeof(*sample));

	arena_init(&sample->arena);
	sample->session = program->session;
	sample->program = program;
	sample->serial = program->space->serial;
	sample->pid = thread->process->pid;
	sample->tid = thread->tid;
	sample->when = clock_now();
	stack_init(&sample->stack, &sample->arena,
		   options->frames && !options->look.frames_hidden
			   ? options->frames
			   : FRAMES_MOST);
	stack_init(&sample->resumers, &sample->arena, FRAMES_MOST);
	sample->walked.stack = &sample->stack;
	sample->walked.lines = true;
	return sample;
}

void
sample_free(struct sample *sample)
{
	if (!sample)
		return;
	arena_release(&sample->arena);
	free(sample);
}

/* The address at which the thread waits in futex(2), or 0. */
static addr_t
futex_of(const struct sample *sample)
{
	return sample->blocked && sample->at.number == SYS_futex
		       ? sample->at.arguments[0]
		       : 0;
}

void
sample_walk(struct sample *sample, struct reader *memory)
{
	const struct options *options = sample->program->session->options;
	const struct native_start start = {
		.regs = &sample->regs,
		.place = NATIVE_STOPPED,
		.few = sample->few,
	};

	sample->walked.memory = memory;
	where_begin_walk(sample->program,
			 options->stack == STACK_DEFAULT ? STACK_MERGED
							 : options->stack,
			 &start, &sample->walked);
	where_activity(sample->program, &sample->walked, &sample->regs,
		       futex_of(sample), &sample->activity);
	where_add_resumers(sample->program, &sample->walked, &sample->regs,
			   &sample->resumers);
	sample->has_task =
		where_task(sample->program, &sample->walked, &sample->task);
	sample->is_walked = true;
}

void
sample_walk_innermost(struct sample *sample, struct reader *memory)
{
	const struct native_start start = {
		.regs = &sample->regs,
		.place = NATIVE_STOPPED,
		.few = true,
	};

	stack_init(&sample->stack, &sample->arena, 1);
	sample->walked.memory = memory;
	where_begin_walk(sample->program, STACK_NATIVE, &start,
			 &sample->walked);
	sample->stack.partial = true;
	sample->few = sample->is_walked = true;
}

struct sample *
sample_observe(struct program *program, struct thread *thread)
{
	pid_t pid = thread->process->pid, tid = thread->tid;
	struct observation seen;
	struct sample *sample;

	if (observation_take(pid, tid, program->space, &seen) < 0 ||
	    !seen.blocked || seen.traced)
		return NULL;
	sample = sample_new(program, thread);
	sample->regs = seen.regs;
	sample->few = sample->blocked = true;
	sample->halted = seen.stopped;
	sample->at = seen.at;
	sample_walk(sample, program_memory(program));
	if (observation_holds(pid, tid, &seen))
		return sample;
	sample_free(sample);
	return NULL;
}

static const struct stack *
native_frames(const struct sample *sample)
{
	return sample->walked.merged ? &sample->walked.native : &sample->stack;
}

bool
sample_has_unknown(const struct sample *sample)
{
	const struct stack *stack = native_frames(sample);

	if (!sample->walked.has_native)
		return false;
	for (size_t i = 0; i < stack->count; i++)
		if (!stack->at[i].module)
			return true;
	return false;
}

static const char *
mark_of(const struct sample *sample)
{
	const struct source_activity *activity = &sample->activity;
	const struct options *options = sample->session->options;
	const char *lock = activity->lock_name, *name = NULL;
	char text[80];

	if (sample->blocked && sample->at.number >= 0)
		name = sample->program->space->arch->system_call->name(
			sample->at.number);
	if (activity->collects)
		snprintf(text, sizeof(text), "[GC]");
	else if (activity->lock == SOURCE_LOCK_AWAITED)
		snprintf(text, sizeof(text), "[waits for %s]", lock);
	else if (options->sample_mode == SAMPLE_GIL &&
		 activity->lock == SOURCE_LOCK_HELD)
		snprintf(text, sizeof(text), "[holds %s]", lock);
	else if (sample->waited && options->sample_mode == SAMPLE_WALL)
		snprintf(text, sizeof(text), "[waits for a CPU]");
	else if (sample->halted)
		snprintf(text, sizeof(text), "[stopped]");
	else if (name)
		snprintf(text, sizeof(text), "[blocked in %s]", name);
	else if (sample->blocked)
		snprintf(text, sizeof(text), "[blocked]");
	else
		return NULL;
	return arena_strdup(sample->stack.arena, text);
}

/* Puts a frame with that name before the frame with this index. */
static void
insert(struct sample *sample, size_t index, const char *name)
{
	struct stack *stack = &sample->stack;
	struct frame *at =
		arena_zalloc(stack->arena, (stack->count + 1) * sizeof(*at));

	for (size_t i = 0; i < stack->count; i++)
		at[i < index ? i : i + 1] = stack->at[i];
	at[index].function = name;
	stack->at = at;
	stack->count++;
	stack->apart += stack->apart > index;
}

static void
insert_task(struct sample *sample)
{
	const struct where_task *task = &sample->task;

	for (size_t i = 0; i < sample->stack.count; i++) {
		const struct frame *frame = &sample->stack.at[i];

		if (frame->kind < FRAME_SCRIPT || frame->at != task->at)
			continue;
		insert(sample, i,
		       arena_printf(sample->stack.arena, "[task%s%s]",
				    task->name[0] ? " " : "", task->name));
		break;
	}
}

static void
append_resumers(struct sample *sample)
{
	struct stack *stack = &sample->stack;
	const struct stack *resumers = &sample->resumers;

	for (size_t i = 0; i < resumers->count && !stack_full(stack); i++)
		*stack_push(stack, resumers->at[i].kind, 0) = resumers->at[i];
	stack->partial |= resumers->partial || resumers->count == FRAMES_MOST;
}

void
sample_name(struct sample *sample)
{
	const char *mark = mark_of(sample);

	where_end_walk(sample->program, &sample->walked);
	append_resumers(sample);
	if (sample->has_task)
		insert_task(sample);
	if (mark)
		insert(sample, 0, mark);
}

void
sample_tell(const struct sample *sample, const char *name, uint64_t weight)
{
	struct event_call call = {
		.frames = sample->stack.at,
		.frame_count = (unsigned)sample->stack.count,
		.frames_partial = sample->stack.partial,
		.frames_apart = (unsigned)sample->stack.apart,
	};
	const struct event event = {
		.kind = EVENT_SAMPLE,
		.when = sample->when,
		.track = sample->when,
		.pid = sample->pid,
		.tid = sample->tid,
		.call = &call,
		.weight = weight,
		.text = name,
	};

	report_event(sample->session, &event);
}

void
sample_tell_none(struct session *session, const struct thread *thread,
		 const char *name, uint64_t weight)
{
	const struct frame frame = { .function = NOT_SAMPLED };
	struct event_call call = { .frames = &frame, .frame_count = 1 };
	const struct event event = {
		.kind = EVENT_SAMPLE,
		.when = clock_now(),
		.track = clock_now(),
		.pid = thread->process->pid,
		.tid = thread->tid,
		.call = &call,
		.weight = weight,
		.text = name,
	};

	report_event(session, &event);
}
