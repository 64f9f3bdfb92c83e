/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Ruby. One exported pointer leads to its virtual machine and from there to the
 * control frames of a thread, which are an array:
 *
 *	ruby_current_vm_ptr -> ractors -> threads -> execution context
 *	(to 2.7: -> threads)	 `- lists  `- id	  `- frames
 *
 * The thread is found by its pthread_t, the stopped thread's thread pointer: a
 * ractor may call another thread "running". Its execution context belongs to
 * the running fiber; the frames of other fibers are not shown.
 *
 * A control frame is { pc 0, sp 8, iseq 16, self 24, ep 32 }; the innermost
 * frame has the lowest address. A frame with an iseq and a pc is a script's. If
 * it has none, what ep points to tells whether it is a method in C. A method in
 * C has no file and line of its own: as in Ruby's own backtraces, it gets those
 * of the script's frame that called it. From 3.4 on names contain their
 * classes; from 4.0 on Ruby's own methods that are written in Ruby
 * (<internal:kernel>) are shown like methods in C.
 */
#include "base/map.h"
#include "base/xmalloc.h"
#include "stacks/ruby_activity.h"
#include "stacks/ruby_call.h"
#include "stacks/ruby_fiber.h"
#include "stacks/ruby_label.h"
#include "stacks/ruby_lines.h"
#include "stacks/ruby_names.h"
#include "stacks/ruby_places.h"
#include "stacks/ruby_statement.h"
#include "stacks/ruby_traceparent.h"
#include "stacks/source_parts.h"
#include "stacks/cycle_guard.h"

#include <errno.h>
#include <stdlib.h>

#define THREADS_KEPT 4096u
#define FIBERS_MOST 16u
/* After how many failed walks a message is printed. */
#define FAILURES_MOST 16u

/* Offsets in rb_execution_context_t, the same in all versions. */
#define EC_STACK 0
#define EC_STACK_SIZE 8
#define EC_FRAME 16

/* Offsets in rb_control_frame_t, rb_iseq_t and its body, the same in all
 * versions. */
#define FRAME_PC 0
#define FRAME_ISEQ 16
#define FRAME_EP 32
#define ISEQ_BODY 16
#define BODY_CODE 8
#define BODY_PATH 64

/* Bits of the first word of a frame's environment, *ep (vm_core.h). */
#define MAGIC_MASK 0x7fff0001u
#define MAGIC_C 0x55550001u
#define FLAG_FINISH 0x20u

/* More words than the stack of any thread has. */
#define STACK_WORDS_MOST (UINT64_C(1) << 27)

struct ruby {
	struct source source;
	const struct ruby_layout *layout;
	addr_t vm; /* the address of the pointer to the virtual machine */
	/* The pointer and the layout are known to be right. Before, they are
	 * candidates. */
	bool proven;
	unsigned failures;
	unsigned version;
	struct ruby_heap heap;
	struct ruby_places places;
	struct ruby_names names;
	struct map threads; /* thread pointer -> rb_thread_t */
	char *label;
};

struct ruby_walk {
	struct ruby *ruby;
	const struct ruby_layout *layout;
	struct peek peek;
	addr_t vm;
	addr_t thread_pointer;
	struct stack *stack;
	/* how many frames at the end have no file and line yet */
	size_t placeless;
	/* the frame of a rescue was added: its method's frame is not shown */
	bool shown;
	/* the path of the next inner frame, often the same as this frame's */
	addr_t path;
	const char *file;
};

/* ---- frames -------------------------------------------------------------- */

/* The path is a string, or an array with the string and the real path. */
static const char *
path_of(struct ruby_walk *walk, addr_t body)
{
	addr_t path = peek_u64(&walk->peek, body + BODY_PATH);

	if (ruby_type(&walk->peek, path) == RUBY_ARRAY)
		path = ruby_element(&walk->peek, path, 0);
	if (walk->path != path) {
		walk->path = path;
		walk->file = ruby_text(&walk->peek, walk->layout, path,
				       walk->stack->arena);
	}
	return walk->file;
}

/* The pc is behind the instruction that is being executed. */
static unsigned
line_of(struct ruby_walk *walk, addr_t frame, addr_t body)
{
	addr_t pc = peek_u64(&walk->peek, frame + FRAME_PC);
	addr_t code = peek_u64(&walk->peek, body + BODY_CODE);
	uint64_t place = (pc - code) / 8;

	return ruby_line(&walk->peek, walk->layout, body,
			 place ? place - 1 : 0);
}

static struct frame *
push(struct ruby_walk *walk, addr_t at, uint64_t flags)
{
	struct frame *frame = stack_push(walk->stack, FRAME_RUBY, at);

	frame->outermost = flags & FLAG_FINISH;
	return frame;
}

/* Is the frame shown already? From 3.4 on a method that runs its rescue is one
 * frame in backtraces, at the rescue's line. */
static bool
is_shown(struct ruby_walk *walk, addr_t iseq, uint64_t flags)
{
	struct stack *stack = walk->stack;
	bool shown = walk->shown;

	walk->shown = walk->layout->version >= 0x0304 &&
		      ruby_is_rescue(&walk->peek, iseq);
	if (shown && flags & FLAG_FINISH && stack->count > 0)
		stack->at[stack->count - 1].outermost = true;
	return shown;
}

static void
add_script_frame(struct ruby_walk *walk, addr_t at, addr_t iseq, uint64_t flags)
{
	addr_t body = peek_u64(&walk->peek, iseq + ISEQ_BODY);
	const char *file = path_of(walk, body);
	bool hidden = walk->layout->version >= 0x0400 && file &&
		      !strncmp(file, "<internal:", 10);
	unsigned line = hidden ? 0 : line_of(walk, at, body);
	struct frame *frame;

	if (is_shown(walk, iseq, flags))
		return;
	if (!hidden)
		stack_give_place(walk->stack, &walk->placeless, file, line);
	if (stack_full(walk->stack))
		return;
	frame = push(walk, at, flags);
	frame->function =
		ruby_script_label(&walk->peek, walk->layout, iseq,
				  peek_u64(&walk->peek, at + FRAME_EP),
				  walk->stack->arena);
	frame->file = hidden ? NULL : file;
	frame->line = line;
	walk->placeless += hidden;
}

static void
add_c_frame(struct ruby_walk *walk, addr_t at, uint64_t flags)
{
	struct frame *frame;

	if (stack_full(walk->stack))
		return;
	frame = push(walk, at, flags);
	frame->function =
		ruby_method_label(&walk->peek, walk->layout, &walk->ruby->names,
				  peek_u64(&walk->peek, at + FRAME_EP),
				  walk->stack->arena);
	frame->at_call = true;
	walk->placeless++;
}

static void
add_frame(struct ruby_walk *walk, addr_t at)
{
	struct peek *peek = &walk->peek;
	addr_t iseq = peek_u64(peek, at + FRAME_ISEQ);
	uint64_t flags = peek_u64(peek, peek_u64(peek, at + FRAME_EP));

	if (peek->fault)
		return;
	if ((flags & MAGIC_MASK) == MAGIC_C)
		add_c_frame(walk, at, flags);
	else if (iseq && peek_u64(peek, at + FRAME_PC) &&
		 ruby_type(peek, iseq) == RUBY_INTERNAL)
		add_script_frame(walk, at, iseq, flags);
}

static void
walk_frames(struct ruby_walk *walk, addr_t context)
{
	struct peek *peek = &walk->peek;
	const addr_t size = walk->layout->frame_size;
	addr_t low = peek_u64(peek, context + EC_STACK);
	uint64_t words = peek_u64(peek, context + EC_STACK_SIZE);
	addr_t at = peek_u64(peek, context + EC_FRAME);
	addr_t high = low + 8 * words;

	if (!low || !at)
		return;
	if (words > STACK_WORDS_MOST || at < low || at > high)
		peek->fault = true;
	/* The outermost two frames belong to no code. */
	for (; !peek->fault && at + 2 * size <= high; at += size) {
		if (stack_full(walk->stack) && walk->placeless == 0)
			break;
		add_frame(walk, at);
	}
	if (peek_failed(peek))
		walk->stack->partial = true;
}

/* ---- threads ------------------------------------------------------------- */

/* ccan's lists: { next 0, previous 8 }; a node is a field of its record. */
static bool
is_listed(struct ruby_walk *walk, addr_t node)
{
	addr_t previous = peek_u64(&walk->peek, node + 8);

	return peek_u64(&walk->peek, previous) == node;
}

static bool
is_thread(struct ruby_walk *walk, addr_t thread)
{
	return peek_u64(&walk->peek, thread + walk->layout->thread_vm) ==
	       walk->vm;
}

static bool
is_ours(struct ruby_walk *walk, addr_t thread)
{
	const struct ruby_layout *layout = walk->layout;
	addr_t native;

	if (layout->thread_id != RUBY_NONE)
		return peek_u64(&walk->peek, thread + layout->thread_id) ==
		       walk->thread_pointer;
	native = peek_u64(&walk->peek, thread + layout->thread_native);
	return native && peek_u64(&walk->peek, native + layout->native_id) ==
				 walk->thread_pointer;
}

static addr_t
search_threads(struct ruby_walk *walk, addr_t head)
{
	addr_t thread = peek_u64(&walk->peek, head);
	struct cycle_guard guard = { 0 };

	for (; thread != head && !walk->peek.fault;
	     thread = peek_u64(&walk->peek, thread)) {
		if (!cycle_guard_step(&guard, thread) ||
		    !is_thread(walk, thread)) {
			walk->peek.fault = true;
			break;
		}
		if (is_ours(walk, thread) && !walk->peek.fault)
			return thread;
	}
	return 0;
}

static addr_t
search_ractors(struct ruby_walk *walk)
{
	const struct ruby_layout *layout = walk->layout;
	addr_t head = walk->vm + layout->vm_list, node;
	struct cycle_guard guard = { 0 };
	addr_t thread = 0;

	if (layout->ractor_node == RUBY_NONE)
		return search_threads(walk, head);
	node = peek_u64(&walk->peek, head);
	for (; node != head && !thread && !walk->peek.fault;
	     node = peek_u64(&walk->peek, node)) {
		if (!cycle_guard_step(&guard, node)) {
			walk->peek.fault = true;
			break;
		}
		thread = search_threads(walk, node - layout->ractor_node +
						      layout->ractor_threads);
	}
	return thread;
}

static addr_t
find_thread(struct ruby_walk *walk)
{
	struct map *threads = &walk->ruby->threads;
	addr_t thread =
		(addr_t)(uintptr_t)map_get(threads, walk->thread_pointer);

	if (thread && is_thread(walk, thread) && is_ours(walk, thread) &&
	    is_listed(walk, thread) && !walk->peek.fault)
		return thread;
	peek_failed(&walk->peek);
	thread = search_ractors(walk);
	if (threads->count >= THREADS_KEPT)
		map_clear(threads);
	if (thread)
		map_put(threads, walk->thread_pointer,
			(void *)(uintptr_t)thread);
	return thread;
}

/* The execution context that the thread runs now. */
static addr_t
context_of(struct ruby_walk *walk, addr_t thread)
{
	const struct ruby_layout *layout = walk->layout;
	addr_t context = peek_u64(&walk->peek, thread + layout->thread_ec);

	if (context &&
	    peek_u64(&walk->peek, context + layout->ec_thread) != thread)
		walk->peek.fault = true;
	return walk->peek.fault ? 0 : context;
}

static void
walk_thread(struct ruby_walk *walk)
{
	addr_t thread = find_thread(walk), context = 0;

	if (thread)
		context = context_of(walk, thread);
	if (context)
		walk_frames(walk, context);
	if (peek_failed(&walk->peek))
		walk->stack->partial = true;
}

/* ---- the source ---------------------------------------------------------- */

static void
begin_walk(struct ruby_walk *walk, struct ruby *ruby, struct reader *memory,
	   const struct regs *regs, struct stack *stack)
{
	*walk = (struct ruby_walk){
		.ruby = ruby,
		.layout = ruby->layout,
		.peek = { .memory = memory },
		.thread_pointer = regs_thread_pointer(regs),
		.stack = stack,
	};
	walk->vm = peek_u64(&walk->peek, ruby->vm);
}

/* Does the layout lead to a virtual machine that contains this thread? */
static bool
makes_sense(struct ruby_walk *walk, bool *ret_damaged)
{
	addr_t thread = walk->vm ? search_ractors(walk) : 0;

	if (thread)
		context_of(walk, thread);
	*ret_damaged = peek_failed(&walk->peek);
	return thread && !*ret_damaged;
}

/* Finds out which pointer and which of the version's layouts are right. */
static bool
prove(struct ruby_walk *walk, struct reader *memory, const struct regs *regs)
{
	struct ruby *ruby = walk->ruby;
	const struct ruby_layout *layout;
	bool damaged = false;

	for (size_t i = 0; i < ruby->places.machines.count; i++) {
		for (size_t k = 0; (layout = ruby_layout_of(ruby->version, k));
		     k++) {
			ruby->vm = ruby->places.machines.at[i];
			ruby->layout = layout;
			begin_walk(walk, ruby, memory, regs, walk->stack);
			ruby->proven = makes_sense(walk, &damaged);
			if (ruby->proven)
				return true;
		}
	}
	ruby->failures += damaged;
	return false;
}

static void
ruby_walk(struct source *source, struct reader *memory, const struct regs *regs,
	  struct stack *stack, struct err *err)
{
	struct ruby *ruby = container_of(source, struct ruby, source);
	struct ruby_walk walk;

	begin_walk(&walk, ruby, memory, regs, stack);
	if (ruby->proven || prove(&walk, memory, regs)) {
		source->refused = false;
		walk_thread(&walk);
	} else if (ruby->failures >= FAILURES_MOST && !source->refused) {
		source->refused = true;
		err_set(err, -EBADMSG,
			"%s: its threads are not where Ruby %u.%u has them, "
			"frames of its scripts are not shown",
			ruby->label, ruby->version >> 8, ruby->version & 0xff);
	}
}

static void
ruby_activity(struct source *source, struct reader *memory,
	      const struct regs *regs, addr_t futex,
	      struct source_activity *activity)
{
	struct ruby *ruby = container_of(source, struct ruby, source);
	struct ruby_walk walk;

	(void)futex;
	if (!ruby->proven || !ruby->layout->heap_count)
		return;
	begin_walk(&walk, ruby, memory, regs, NULL);
	ruby_add_activity(&ruby->heap, walk.layout, &walk.peek, walk.vm,
			  find_thread(&walk), activity);
}

static void
ruby_add_resumers(struct source *source, struct reader *memory,
		  const struct regs *regs, struct stack *stack)
{
	struct ruby *ruby = container_of(source, struct ruby, source);
	addr_t thread, context;
	struct ruby_walk walk;

	if (!ruby->proven || ruby->version != RUBY_FIBER_VERSION)
		return;
	begin_walk(&walk, ruby, memory, regs, stack);
	thread = find_thread(&walk);
	context = thread ? context_of(&walk, thread) : 0;
	for (unsigned i = 0; i < FIBERS_MOST && context; i++) {
		context =
			ruby_resumer(&walk.peek, walk.layout, thread, context);
		if (!context || stack_full(stack))
			break;
		stack_push(stack, FRAME_NATIVE, 0)->function = "[fiber]";
		walk.placeless = 0;
		walk_frames(&walk, context);
	}
	stack->partial |= peek_failed(&walk.peek);
}

static bool
ruby_frame_state(struct source *source, struct reader *memory,
		 const struct frame *frame,
		 struct source_frame_state *ret_state)
{
	struct ruby *ruby = container_of(source, struct ruby, source);
	struct peek peek = { .memory = memory };

	return ruby_call_state(&peek, ruby->layout, frame->at, ret_state);
}

/* Begins a walk, and finds what the reading of objects needs. */
static bool
find_objects(struct source *source, struct reader *memory,
	     const struct regs *regs, struct ruby_walk *walk,
	     struct ruby_memory *ret_objects)
{
	struct ruby *ruby = container_of(source, struct ruby, source);

	if (!ruby->proven)
		return false;
	begin_walk(walk, ruby, memory, regs, NULL);
	*ret_objects =
		(struct ruby_memory){ &walk->peek, ruby->layout, &ruby->names };
	return true;
}

static bool
ruby_find_statement(struct source *source, struct reader *memory,
		    const struct regs *regs, const struct stack *stack,
		    const struct statement *statement,
		    struct statement_text *ret_text)
{
	struct ruby_memory objects;
	struct ruby_walk walk;

	return find_objects(source, memory, regs, &walk, &objects) &&
	       ruby_statement(&objects, stack, statement, ret_text);
}

static bool
ruby_find_query(struct source *source, struct reader *memory,
		const struct regs *regs, const struct stack *stack,
		struct statement_query *ret_query)
{
	struct ruby_memory objects;
	struct ruby_walk walk;

	return find_objects(source, memory, regs, &walk, &objects) &&
	       ruby_query(&objects, stack, ret_query);
}

static bool
ruby_find_traceparent(struct source *source, struct reader *memory,
		      const struct frame *frame, char *to, size_t most)
{
	struct ruby *ruby = container_of(source, struct ruby, source);
	struct peek peek = { .memory = memory };
	struct ruby_memory objects = { &peek, ruby->layout, &ruby->names };

	return ruby->proven && ruby->version == RUBY_TABLE_VERSION &&
	       ruby_traceparent(&objects, frame->at, to, most);
}

static int
ruby_find(struct binary *binary, struct reader *memory,
	  struct source **ret_source, struct err *err)
{
	addr_t named = binary_symbol(binary, "ruby_version");
	struct ruby *ruby;
	unsigned version;

	if (!named || !binary_symbol(binary, "rb_sym_all_symbols"))
		return -ENOENT;
	version = ruby_version_at(memory, named);
	if (!ruby_layout_of(version, 0))
		return err_set(err, -ENOTSUP,
			       "%s: Ruby %u.%u is not known, frames of its "
			       "scripts are not shown",
			       binary->label, version >> 8, version & 0xff);
	ruby = xcalloc(1, sizeof(*ruby));
	ruby->version = version;
	ruby->heap.arch = binary->arch;
	ruby->heap.gc_count = binary_symbol(binary, "rb_gc_count");
	ruby_names_init(&ruby->names);
	ruby_places_find(&ruby->places, binary, memory);
	ruby_names_find(&ruby->names, binary, memory);
	ruby->label = xstrdup(binary->label);
	map_init(&ruby->threads);
	*ret_source = &ruby->source;
	return 0;
}

static void
ruby_free(struct source *source)
{
	struct ruby *ruby = container_of(source, struct ruby, source);

	map_release(&ruby->threads);
	ruby_names_release(&ruby->names);
	ruby_places_release(&ruby->places);
	free(ruby->label);
	free(ruby);
}

static const char *const evaluators[] = { "rb_vm_exec", NULL };

/* Folders in which distributors and Ruby's own tools install packages. */
static const char *const packages[] = { "/vendor_ruby/", "/lib/ruby/", "/gems/",
					NULL };

const struct source_ops ruby_ops = {
	.mark = "rb_sym_all_symbols",
	.find = ruby_find,
	.walk = ruby_walk,
	.statement = ruby_find_statement,
	.query = ruby_find_query,
	.activity = ruby_activity,
	.add_resumers = ruby_add_resumers,
	.frame_state = ruby_frame_state,
	.traceparent = ruby_find_traceparent,
	.free = ruby_free,
	.evaluators = evaluators,
	.packages = packages,
};
