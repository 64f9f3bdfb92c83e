/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * CPython. Its state is found from one exported symbol:
 *
 *	_PyRuntime -> interpreters -> thread states -> frames
 *				   `- next	    `- next	  `- back, code
 *
 * A thread state belongs to the stopped thread if its thread_id is the thread
 * pointer: in glibc and musl the thread pointer is pthread_self(), and unlike a
 * thread's number it is the same inside and outside a PID namespace. A thread
 * may have states in several interpreters (sub-interpreters that call each
 * other). Their frames follow each other; the frames of the youngest
 * interpreter come first, because it is the head of the list.
 *
 * The state of each thread is remembered, and used only as long as the state is
 * in the list, because a freed state looks unchanged.
 *
 * In 3.11 and 3.12 the thread state points to the current frame through a
 * _PyCFrame on the C stack, see python_loop.c. From 3.12 on the evaluation loop
 * puts a frame without code between its own frames and its caller's; this frame
 * is not shown.
 *
 * How the states of threads are linked changes with every version, and half of
 * the pointers that we follow cannot be checked beforehand. A state must point
 * back to its interpreter, and a frame to a code object, whose type must be
 * PyCode_Type. If this is not so, the walk stops.
 */
#include "base/map.h"
#include "base/xmalloc.h"
#include "stacks/python_layout.h"
#include "stacks/python_lines.h"
#include "stacks/python_loop.h"
#include "stacks/python_awaited.h"
#include "stacks/python_dict.h"
#include "stacks/python_sockets.h"
#include "stacks/python_statement.h"
#include "stacks/python_tasks.h"
#include "stacks/python_text.h"
#include "stacks/python_task_name.h"
#include "stacks/python_traceparent.h"
#include "stacks/source_parts.h"
#include "stacks/cycle_guard.h"

#include <errno.h>
#include <stdlib.h>

#define INTERPRETERS_MOST 64u
#define THREADS_KEPT 4096u
/* _frameowner, from 3.12 on: a frame with this value or more has no code. */
#define OWNED_BY_CSTACK 3
#define OWNED_BY_GENERATOR 1
/* PyFrameState of a generator that has ended; while it can run, it is less. */
#define GENERATOR_COMPLETED 1

struct python {
	struct source source;
	struct python_layout layout;
	addr_t runtime;
	addr_t code_type;
	struct python_code code; /* code.loop is 0 if the loop is not known */
	struct python_window window;
	struct map threads; /* thread pointer and interpreter -> thread state */
	bool proven;	    /* a thread state has passed all checks */
	char *label;
};

struct python_walk {
	struct python *python;
	const struct python_layout *layout;
	struct peek peek;
	const struct regs *regs;
	addr_t thread_pointer;
	struct stack *stack;
};

/* ---- frames ----------------------------------------------------------------
 */

static unsigned
line_of(struct python_walk *walk, addr_t frame, addr_t code)
{
	const struct python_layout *layout = walk->layout;
	struct peek *peek = &walk->peek;
	addr_t table = peek_u64(peek, code + layout->code_table);
	uint64_t size = peek_u64(peek, table + layout->bytes_size);
	uint32_t first = peek_u32(peek, code + layout->code_line);
	int64_t at;

	if (layout->lines == PYTHON_LOCATIONS)
		at = (int64_t)(peek_u64(peek, frame + layout->frame_at) - code -
			       layout->code_bytes);
	else
		at = (int32_t)peek_u32(peek, frame + layout->frame_at);
	/* In Python 3.10 the position in a frame counts instructions, of two
	 * bytes each. */
	if (layout->lines == PYTHON_LINETABLE)
		at *= 2;
	if (peek->fault)
		return 0;
	return python_line(peek, layout->lines, table + layout->bytes_data,
			   size, first, at);
}

static void
add_frame(struct python_walk *walk, addr_t at, addr_t code)
{
	const struct python_layout *layout = walk->layout;
	struct frame *frame = stack_push(walk->stack, FRAME_PYTHON, at);
	struct peek *peek = &walk->peek;
	struct arena *arena = walk->stack->arena;

	frame->outermost = layout->runs == PYTHON_RUN_EACH ||
			   (layout->runs == PYTHON_RUN_FLAG &&
			    peek_u8(peek, at + layout->frame_run) == 1);
	frame->function =
		python_text(peek, layout,
			    peek_u64(peek, code + layout->code_name), arena);
	frame->file =
		python_text(peek, layout,
			    peek_u64(peek, code + layout->code_file), arena);
	frame->line = line_of(walk, at, code);
}

/* Is this a frame without code, which the evaluation loop has put between its
 * own frames and those of its caller? */
static bool
is_boundary(struct python_walk *walk, addr_t frame)
{
	return walk->layout->runs == PYTHON_RUN_OWNER &&
	       peek_u8(&walk->peek, frame + walk->layout->frame_run) >=
		       OWNED_BY_CSTACK;
}

static addr_t
code_of(struct python_walk *walk, addr_t frame)
{
	return python_frame_code(&walk->peek, walk->layout,
				 walk->python->code_type, frame);
}

static void
walk_frames(struct python_walk *walk, addr_t frame)
{
	struct stack *stack = walk->stack;
	struct cycle_guard guard = { 0 };
	size_t before = stack->count;

	for (; frame && !stack_full(stack) && !walk->peek.fault;
	     frame = peek_u64(&walk->peek, frame + walk->layout->frame_back)) {
		addr_t code;

		if (!cycle_guard_step(&guard, frame)) {
			stack->partial = true;
			return;
		}
		if (is_boundary(walk, frame)) {
			if (stack->count > before)
				stack->at[stack->count - 1].outermost = true;
			continue;
		}
		code = code_of(walk, frame);
		if (code)
			add_frame(walk, frame, code);
		else if (walk->layout->runs != PYTHON_RUN_OWNER)
			walk->peek.fault = true;
	}
	if (peek_failed(&walk->peek))
		stack->partial = true;
}

/* ---- thread states ---------------------------------------------------------
 */

static bool
is_thread(struct python_walk *walk, addr_t state, addr_t interpreter)
{
	const struct python_layout *layout = walk->layout;

	return peek_u64(&walk->peek, state + layout->thread_interp) ==
	       interpreter;
}

static bool
is_ours(struct python_walk *walk, addr_t state)
{
	return peek_u64(&walk->peek, state + walk->layout->thread_id) ==
	       walk->thread_pointer;
}

/* Does the previous state in the list point to this state? */
static bool
is_listed(struct python_walk *walk, addr_t state, addr_t interpreter)
{
	const struct python_layout *layout = walk->layout;
	addr_t previous = peek_u64(&walk->peek, state + layout->thread_next -
							sizeof(addr_t));

	if (previous)
		return peek_u64(&walk->peek, previous + layout->thread_next) ==
		       state;
	return peek_u64(&walk->peek, interpreter + layout->interp_threads) ==
	       state;
}

static addr_t
search_thread(struct python_walk *walk, addr_t interpreter)
{
	const struct python_layout *layout = walk->layout;
	addr_t state =
		peek_u64(&walk->peek, interpreter + layout->interp_threads);
	struct cycle_guard guard = { 0 };

	for (; state && !walk->peek.fault;
	     state = peek_u64(&walk->peek, state + layout->thread_next)) {
		if (!cycle_guard_step(&guard, state) ||
		    !is_thread(walk, state, interpreter)) {
			walk->peek.fault = true;
			break;
		}
		walk->python->proven = true;
		if (is_ours(walk, state))
			return walk->peek.fault ? 0 : state;
	}
	return 0;
}

static addr_t
find_thread(struct python_walk *walk, addr_t interpreter)
{
	struct map *threads = &walk->python->threads;
	uint64_t key = walk->thread_pointer ^ interpreter;
	addr_t state = (addr_t)(uintptr_t)map_get(threads, key);

	if (state && is_thread(walk, state, interpreter) &&
	    is_ours(walk, state) && is_listed(walk, state, interpreter) &&
	    !walk->peek.fault)
		return state;
	peek_failed(&walk->peek);
	state = search_thread(walk, interpreter);
	if (threads->count >= THREADS_KEPT)
		map_clear(threads);
	if (state)
		map_put(threads, key, (void *)(uintptr_t)state);
	return state;
}

static addr_t
innermost_frame(struct python_walk *walk, addr_t state)
{
	const struct python_layout *layout = walk->layout;
	addr_t at = peek_u64(&walk->peek, state + layout->thread_frame);
	struct python_loop loop = {
		.layout = layout,
		.peek = &walk->peek,
		.code_type = walk->python->code_type,
		.code = &walk->python->code,
		.window = walk->python->window,
		.regs = walk->regs,
		.state = state,
	};
	addr_t frame;

	if (!at || layout->cframe == PYTHON_NONE)
		return at;
	if (python_loop_frame(&loop, at, &frame))
		return frame;
	walk->stack->partial = true;
	return 0;
}

static void
walk_interpreters(struct python_walk *walk)
{
	const struct python_layout *layout = walk->layout;
	addr_t interpreter =
		peek_u64(&walk->peek,
			 walk->python->runtime + layout->interpreters);

	for (unsigned i = 0; interpreter && i < INTERPRETERS_MOST; i++) {
		addr_t state = find_thread(walk, interpreter);

		if (state)
			walk_frames(walk, innermost_frame(walk, state));
		interpreter = peek_u64(&walk->peek,
				       interpreter + layout->interp_next);
		if (walk->peek.fault || stack_full(walk->stack))
			break;
	}
	if (peek_failed(&walk->peek))
		walk->stack->partial = true;
}

/* ---- the source ------------------------------------------------------------
 */

static void
python_walk(struct source *source, struct reader *memory,
	    const struct regs *regs, struct stack *stack, struct err *err)
{
	struct python *python = container_of(source, struct python, source);
	struct python_walk walk = {
		.python = python,
		.layout = &python->layout,
		.peek = { .memory = memory },
		.regs = regs,
		.thread_pointer = regs_thread_pointer(regs),
		.stack = stack,
	};

	walk_interpreters(&walk);
	if (python->proven)
		source->refused = false;
	if (!stack->partial || python->proven || source->refused)
		return;
	source->refused = true;
	err_set(err, -EBADMSG,
		"%s: its threads are not where Python %u.%u has them, frames "
		"of its scripts are not shown",
		python->label, python->layout.version >> 8,
		python->layout.version & 0xff);
}

/*
 * A thread that waits for the lock waits for a change of the condition or of
 * the mutex in it (Python/ceval_gil.h, take_gil()). The holder's state is in
 * _PyRuntime. Only the holder collects garbage.
 */
static void
python_activity(struct source *source, struct reader *memory,
		const struct regs *regs, addr_t futex,
		struct source_activity *activity)
{
	struct python *python = container_of(source, struct python, source);
	const struct python_layout *layout = &python->layout;
	struct peek peek = { .memory = memory };
	addr_t holder, interpreter;
	uint32_t collecting;

	if (!layout->lock || !python->proven)
		return;
	if (futex >= python->runtime + layout->lock &&
	    futex < python->runtime + layout->lock_end) {
		activity->lock = SOURCE_LOCK_AWAITED;
		activity->lock_name = "GIL";
		return;
	}
	holder = peek_u64(&peek, python->runtime + layout->holder);
	if (!holder ||
	    peek_u64(&peek, holder + layout->thread_id) !=
		    regs_thread_pointer(regs) ||
	    peek.fault)
		return;
	activity->lock = SOURCE_LOCK_HELD;
	activity->lock_name = "GIL";
	interpreter = peek_u64(&peek, holder + layout->thread_interp);
	collecting = peek_u32(&peek, interpreter + layout->collecting);
	activity->collects |= !peek.fault && collecting == 1;
}

static struct python_memory
objects_of(const struct python *python, struct peek *peek)
{
	return (struct python_memory){ peek, &python->layout,
				       python->code_type };
}

static bool
python_find_statement(struct source *source, struct reader *memory,
		      const struct regs *regs, const struct stack *stack,
		      const struct statement *statement,
		      struct statement_text *ret_text)
{
	struct python *python = container_of(source, struct python, source);
	struct peek peek = { .memory = memory };
	struct python_memory objects = objects_of(python, &peek);

	(void)regs;
	for (size_t i = 0; i < stack->count; i++) {
		if (python_statement(&objects, &stack->at[i], statement,
				     stack->arena, ret_text))
			return true;
	}
	return false;
}

static bool
python_find_query(struct source *source, struct reader *memory,
		  const struct regs *regs, const struct stack *stack,
		  struct statement_query *ret_query)
{
	struct python *python = container_of(source, struct python, source);
	struct peek peek = { .memory = memory };
	struct python_memory objects = objects_of(python, &peek);

	(void)regs;
	return python_query(&objects, stack, ret_query);
}

/* Makes a stack of the chain of coroutines, in the arena. The outermost
 * coroutine is the last frame. */
static struct stack *
stack_of_chain(struct python_walk *walk, const struct python_chain *chain,
	       struct arena *arena)
{
	walk->stack = arena_zalloc(arena, sizeof(*walk->stack));
	stack_init(walk->stack, arena, chain->count);
	for (size_t i = chain->count; i-- > 0;) {
		addr_t code = code_of(walk, chain->frames[i]);

		if (code)
			add_frame(walk, chain->frames[i], code);
	}
	return walk->stack;
}

static void
python_coroutines(struct source *source, struct reader *memory,
		  const struct stack *stack, struct statement_queries *queries)
{
	struct python *python = container_of(source, struct python, source);
	struct python_walk walk = { .python = python,
				    .layout = &python->layout,
				    .peek = { .memory = memory } };
	struct python_memory objects = objects_of(python, &walk.peek);
	struct python_tasks tasks;
	struct python_chain chain;

	if (!python_tasks_begin(&objects, stack, &tasks))
		return;
	while (python_tasks_next(&objects, &tasks, &chain)) {
		struct statement_query query = {
			.stack = stack_of_chain(&walk, &chain, stack->arena),
		};

		if (!peek_failed(&walk.peek) &&
		    python_awaited(&objects, query.stack, &query))
			vec_push(&queries->list, query);
	}
}

/* Is the frame a part of a generator or coroutine that has not ended? From 3.11
 * on its owner says so (pycore_frame.h); in 3.11 the owner is behind is_entry.
 * The state of a generator is before its frame, with padding (genobject.h). */
static bool
is_coroutine(struct peek *peek, const struct python_layout *layout,
	     addr_t frame)
{
	addr_t owner =
		frame + layout->frame_run + (layout->runs == PYTHON_RUN_FLAG);

	return layout->lines == PYTHON_LOCATIONS &&
	       peek_u8(peek, owner) == OWNED_BY_GENERATOR &&
	       (int8_t)peek_u8(peek, frame - 5) < GENERATOR_COMPLETED;
}

static bool
python_frame_state(struct source *source, struct reader *memory,
		   const struct frame *frame,
		   struct source_frame_state *ret_state)
{
	struct python *python = container_of(source, struct python, source);
	const struct python_layout *layout = &python->layout;
	struct peek peek = { .memory = memory };
	struct python_memory objects = objects_of(python, &peek);
	struct source_frame_state state = {
		.position = peek_u64(&peek, frame->at + layout->frame_at),
		.arguments = python_arguments(&objects, frame->at),
		.coroutine = is_coroutine(&peek, layout, frame->at),
	};

	if (layout->lines != PYTHON_LOCATIONS)
		state.position &= UINT32_MAX;
	if (peek_failed(&peek))
		return false;
	*ret_state = state;
	return true;
}

static size_t
python_descriptors(struct source *source, struct reader *memory,
		   const struct frame *frame, int *ret_descriptors, size_t most)
{
	struct python *python = container_of(source, struct python, source);
	struct peek peek = { .memory = memory };
	struct python_memory objects = objects_of(python, &peek);

	return python_sockets(&objects, frame->at, ret_descriptors, most);
}

static bool
python_find_traceparent(struct source *source, struct reader *memory,
			const struct frame *frame, char *to, size_t most)
{
	struct python *python = container_of(source, struct python, source);
	struct peek peek = { .memory = memory };
	struct python_memory objects = objects_of(python, &peek);

	return python->layout.version == PYTHON_DICT_VERSION &&
	       python_traceparent(&objects, frame->at, to, most);
}

static bool
python_find_task(struct source *source, struct reader *memory,
		 const struct frame *frame, char *to, size_t most)
{
	struct python *python = container_of(source, struct python, source);
	struct peek peek = { .memory = memory };
	struct python_memory objects = objects_of(python, &peek);

	return python->layout.version == PYTHON_DICT_VERSION &&
	       python_task_name(&objects, frame, to, most);
}

static int
python_find(struct binary *binary, struct reader *memory,
	    struct source **ret_source, struct err *err)
{
	struct python_places places = {
		.runtime = binary_symbol(binary, "_PyRuntime"),
		.code_type = binary_symbol(binary, "PyCode_Type"),
		.version = binary_symbol(binary, "Py_Version"),
	};
	struct python_layout layout;
	struct python *python;
	int r;

	if (!places.code_type || !binary_symbol(binary, "PyEval_EvalCode"))
		return -ENOENT;
	r = python_layout_find(&places, memory, binary->label, &layout, err);
	if (r < 0)
		return r;
	python = xcalloc(1, sizeof(*python));
	python->layout = layout;
	python->runtime = places.runtime;
	python->code_type = places.code_type;
	python->code = (struct python_code){
		.arch = binary->arch,
		.loop = binary_symbol(binary, "_PyEval_EvalFrameDefault"),
		.state_record = layout.thread_frame,
		.record_words = layout.cframe,
		.frame_back = layout.frame_back,
	};
	if (python->code.loop && layout.cframe != PYTHON_NONE &&
	    !python_window_find(memory, &python->code, &python->window))
		python->window = (struct python_window){ 0, 0 };
	python->label = xstrdup(binary->label);
	map_init(&python->threads);
	*ret_source = &python->source;
	return 0;
}

static void
python_free(struct source *source)
{
	struct python *python = container_of(source, struct python, source);

	map_release(&python->threads);
	free(python->label);
	free(python);
}

static const char *const evaluators[] = { "_PyEval_EvalFrameDefault", NULL };

/* Folders in which distributors and Python's own tools install packages. */
static const char *const packages[] = { "/dist-packages/", "/site-packages/",
					"/lib/python3", NULL };

const struct source_ops python_ops = {
	.mark = "PyEval_EvalCode",
	.find = python_find,
	.walk = python_walk,
	.statement = python_find_statement,
	.query = python_find_query,
	.coroutines = python_coroutines,
	.activity = python_activity,
	.frame_state = python_frame_state,
	.descriptors = python_descriptors,
	.traceparent = python_find_traceparent,
	.task = python_find_task,
	.free = python_free,
	.evaluators = evaluators,
	.packages = packages,
};
