/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The frames of the loop's methods are on the stack of its thread. A loop of
 * uvloop has no frames, but the stack has a frame of the function that runs the
 * loop: a function of asyncio itself (asyncio.run()), or of a module that has
 * imported asyncio.
 *
 *	frame of asyncio/base_events.py		local variable self: the loop
 *	another frame				local or global variable loop,
 *						or self.loop, or self._loop
 *	its globals (8 in a frame)		tasks: the module; or asyncio:
 *						the package, which has tasks
 *	a module's dict (16)			_all_tasks: a WeakSet
 *	its attribute data			a set of weak references
 *	a reference (16)			a task
 *	a task					16: its loop; anywhere: its
 *						coroutine
 *
 * A coroutine, a generator and an asynchronous generator end with their frame,
 * whose variables are not counted in the size of the type. Before the frame, at
 * -5, is its state: -1 if it is suspended (Include/internal/pycore_frame.h).
 * The frame has at 64 the number of its variables and of the values behind
 * them, of which the last one is what the coroutine awaits.
 *
 * (Modules/_asynciomodule.c, Lib/asyncio/tasks.py, Include/cpython/genobject.h
 * of 3.11.) The tasks of another language's loop are not found.
 */
#include "stacks/python_tasks.h"

#include "base/attr.h"
#include "stacks/python_dict.h"
#include "stacks/python_loop.h"
#include "stacks/stack.h"

#include <string.h>

#define LOOP_FILE "/asyncio/base_events.py"
#define FRAME_GLOBALS 8
#define FRAME_TOP 64
#define FRAME_VARIABLES 72
#define FRAME_STATE 5 /* how many bytes before the frame */
#define SUSPENDED 0xffu
#define MODULE_DICT 16
#define REFERENCE_TO 16
#define TASK_LOOP 16
#define TASK_SIZE_MOST 512u
/* The offset of the coroutine in a coroutine_wrapper, and of the generator in
 * an async_generator_asend. */
#define WRAPPED 16
#define FRAME_OFFSET_MOST 256u
#define VALUES_MOST 4096u
#define TASKS_MOST 4096u

static addr_t
member_tasks(struct python_memory *memory, addr_t module)
{
	return python_is(memory, module, "module")
		       ? python_dict_value(memory,
					   peek_u64(memory->peek,
						    module + MODULE_DICT),
					   "tasks")
		       : 0;
}

/* The set of references to all tasks, if the globals of the frame lead to it;
 * or 0. */
static addr_t
set_by(struct python_memory *memory, const struct frame *frame)
{
	addr_t globals = peek_u64(memory->peek, frame->at + FRAME_GLOBALS);
	addr_t module = 0, tasks;

	if (strstr(frame->file, "/asyncio/"))
		module = python_dict_value(memory, globals, "tasks");
	else
		module = member_tasks(memory, python_dict_value(memory, globals,
								"asyncio"));
	if (!module || !python_is(memory, module, "module"))
		return 0;
	tasks = python_dict_value(memory,
				  peek_u64(memory->peek, module + MODULE_DICT),
				  "_all_tasks");
	return tasks ? python_attribute(memory, tasks, "data") : 0;
}

/* The object if it is a loop of uvloop, whose type has the name Loop; or 0. */
static addr_t
loop_if(struct python_memory *memory, addr_t object)
{
	return object && python_is(memory, object, "Loop") ? object : 0;
}

/* The loop of uvloop that a local or global variable of the frame leads to; or
 * 0. */
static addr_t
loop_by(struct python_memory *memory, const struct frame *frame)
{
	addr_t globals = peek_u64(memory->peek, frame->at + FRAME_GLOBALS);
	addr_t self = python_local_named(memory, frame->at, "self"), loop = 0;

	if (self)
		loop = loop_if(memory, python_attribute(memory, self, "_loop"));
	if (!loop && self)
		loop = loop_if(memory, python_attribute(memory, self, "loop"));
	if (!loop)
		loop = loop_if(memory,
			       python_local_named(memory, frame->at, "loop"));
	if (!loop)
		loop = loop_if(memory,
			       python_dict_value(memory, globals, "loop"));
	return loop;
}

bool
python_tasks_begin(struct python_memory *memory, const struct stack *stack,
		   struct python_tasks *ret_tasks)
{
	addr_t loop = 0, set = 0;

	*ret_tasks = (struct python_tasks){ 0 };
	if (memory->layout->version != PYTHON_DICT_VERSION)
		return false;
	for (size_t i = 0; i < stack->count && !(loop && set); i++) {
		const struct frame *frame = &stack->at[i];

		if (!frame->file)
			continue;
		if (strstr(frame->file, LOOP_FILE)) {
			loop = python_local_named(memory, frame->at, "self");
			set = set_by(memory, frame);
			break;
		}
		if (!loop)
			loop = loop_by(memory, frame);
		if (!peek_failed(memory->peek) && !set)
			set = set_by(memory, frame);
		peek_failed(memory->peek);
	}
	ret_tasks->loop = loop;
	ret_tasks->set = set;
	ret_tasks->places = set ? python_set_places(memory, set) : 0;
	return !peek_failed(memory->peek) && loop && set;
}

/* ---- the chain of a task ---- */

static bool
has_frame(struct python_memory *memory, addr_t object)
{
	return python_is(memory, object, "coroutine") ||
	       python_is(memory, object, "generator") ||
	       python_is(memory, object, "async_generator");
}

/* The suspended frame of the object, or 0. The coroutine of an extension has no
 * frame: there is no code object where the frame would have one. */
static addr_t
frame_in(struct python_memory *memory, addr_t object)
{
	uint64_t size;
	addr_t frame;

	if (!has_frame(memory, object))
		return 0;
	size = python_size(memory, object);
	if (size <= FRAME_VARIABLES || size > FRAME_OFFSET_MOST)
		return 0;
	frame = object + size - FRAME_VARIABLES;
	if (peek_u8(memory->peek, frame - FRAME_STATE) != SUSPENDED ||
	    !python_frame_code(memory->peek, memory->layout, memory->code_type,
			       frame) ||
	    peek_failed(memory->peek))
		return 0;
	return frame;
}

/* What the suspended frame awaits. */
static addr_t
awaited_by(struct python_memory *memory, addr_t frame)
{
	uint32_t top = peek_u32(memory->peek, frame + FRAME_TOP);

	if (memory->peek->fault || top == 0 || top > VALUES_MOST)
		return 0;
	return peek_u64(memory->peek,
			frame + FRAME_VARIABLES + UINT64_C(8) * (top - 1));
}

static bool
take_chain(struct python_memory *memory, addr_t object,
	   struct python_chain *chain)
{
	chain->count = 0;
	while (object && chain->count < array_size(chain->frames)) {
		addr_t frame;

		if (python_is(memory, object, "coroutine_wrapper") ||
		    python_is(memory, object, "async_generator_asend"))
			object = peek_u64(memory->peek, object + WRAPPED);
		frame = frame_in(memory, object);
		if (!frame)
			break;
		chain->frames[chain->count++] = frame;
		object = awaited_by(memory, frame);
	}
	return !peek_failed(memory->peek) && chain->count > 0;
}

/* ---- the tasks ---- */

static uint64_t
find_coroutine(struct python_memory *memory, addr_t task)
{
	uint64_t size = python_size(memory, task);

	for (uint64_t at = TASK_LOOP + 8;
	     size <= TASK_SIZE_MOST && at + 8 <= size; at += 8) {
		addr_t object = peek_u64(memory->peek, task + at);

		if (object % 8 == 0 && python_is(memory, object, "coroutine"))
			return at;
	}
	return 0;
}

/* The coroutine of the task in that place of the set, or 0. */
static addr_t
coroutine_at(struct python_memory *memory, struct python_tasks *tasks,
	     size_t place)
{
	addr_t reference = python_set_member(memory, tasks->set, place);
	addr_t task = reference
			      ? peek_u64(memory->peek, reference + REFERENCE_TO)
			      : 0;

	if (!task || !python_is(memory, task, "Task") ||
	    peek_u64(memory->peek, task + TASK_LOOP) != tasks->loop)
		return 0;
	tasks->seen++;
	if (!tasks->offset)
		tasks->offset = find_coroutine(memory, task);
	return tasks->offset ? peek_u64(memory->peek, task + tasks->offset) : 0;
}

bool
python_tasks_next(struct python_memory *memory, struct python_tasks *tasks,
		  struct python_chain *ret_chain)
{
	while (tasks->next < tasks->places && tasks->seen < TASKS_MOST) {
		addr_t coroutine = coroutine_at(memory, tasks, tasks->next++);

		if (!peek_failed(memory->peek) && coroutine &&
		    take_chain(memory, coroutine, ret_chain))
			return true;
	}
	return false;
}
