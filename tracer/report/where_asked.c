/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the sources of a program's script frames tell besides the frames. They
 * know nothing of a program whose stacks were never walked. */
#include "tracer/report/where.h"

#include "stacks/source.h"
#include "tracer/model/session.h"
#include "tracer/report/findings.h"

void
where_activity(struct program *program, const struct walked *walked,
	       const struct regs *regs, addr_t futex,
	       struct source_activity *ret_activity)
{
	*ret_activity = (struct source_activity){ 0 };
	if (program->findings->sources)
		sources_activity(program->findings->sources, walked->memory,
				 regs, futex, ret_activity);
}

void
where_add_resumers(const struct program *program, const struct walked *walked,
		   const struct regs *regs, struct stack *stack)
{
	if (program->findings->sources)
		sources_add_resumers(program->findings->sources, walked->memory,
				     regs, stack);
}

bool
where_task(const struct program *program, const struct walked *walked,
	   struct where_task *ret_task)
{
	const struct stack *stack =
		walked->merged ? &walked->script : walked->stack;
	struct sources *sources = program->findings->sources;

	for (size_t i = 0; sources && i < stack->count; i++) {
		const struct frame *frame = &stack->at[i];

		if (frame->kind < FRAME_SCRIPT ||
		    !sources_task(sources, walked->memory, frame,
				  ret_task->name, sizeof(ret_task->name)))
			continue;
		ret_task->at = frame->at;
		return true;
	}
	return false;
}

bool
where_frame_state(const struct program *program, const struct frame *frame,
		  struct source_frame_state *ret_state)
{
	struct sources *sources = program->findings->sources;

	return sources && sources_frame_state(sources, frame, ret_state);
}

bool
where_traceparent(const struct program *program, const struct frame *frame,
		  char *to, size_t most)
{
	struct sources *sources = program->findings->sources;

	return sources && sources_traceparent(sources, frame, to, most);
}

size_t
where_descriptors(const struct program *program, const struct frame *frame,
		  int *ret_descriptors, size_t most)
{
	struct sources *sources = program->findings->sources;

	return sources ? sources_descriptors(sources, frame, ret_descriptors,
					     most)
		       : 0;
}
