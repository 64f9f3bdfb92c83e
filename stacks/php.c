/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * PHP without thread safety (NTS), which is how most distributions build the
 * command line, FPM and mod_php. One exported structure points to the frame
 * that runs now:
 *
 *	executor_globals -> execute_data { opline 0, func 24, This 32, prev 48 }
 *
 * A frame's opline has the line; in outer frames it is the line of the call. A
 * function of PHP itself has no line: its frame gets the place of its call, as
 * in PHP's own traces. The code of a file is named by the way it was loaded
 * (include, require_once, eval); the script's code is {main}.
 *
 * A generator that runs inside `yield from` of other generators has a
 * placeholder frame below it, which leads to the other generators. They are
 * shown between it and their caller, as in debug_backtrace().
 *
 * The version is found in the modules that the interpreter has registered: each
 * module names the interface for which it was built (zend_api), and whether it
 * was built for threads.
 *
 * There is one state for the process, so one thread runs PHP. The pointer to
 * the innermost jump buffer tells which thread (EG(bailout)): the buffer is on
 * that thread's stack, further out than the thread's stack pointer.
 */
#include "base/xmalloc.h"
#include "stacks/noted_reads.h"
#include "stacks/peek.h"
#include "stacks/php_statement.h"
#include "stacks/source_parts.h"
#include "stacks/cycle_guard.h"

#include <errno.h>
#include <stdlib.h>

#define TEXT_MOST 4096u
#define GENERATORS_MOST 64u

struct php_layout {
	uint32_t api;		   /* ZEND_MODULE_API_NO */
	uint16_t current, bailout; /* offsets in executor_globals */
	uint16_t file;		   /* offset in an op_array */
	bool collecting; /* zend_gc_globals is known, see collects() */
};

static const struct php_layout layouts[] = {
	{ 20190902, 488, 416, 136, false }, /* 7.4 */
	{ 20200930, 488, 416, 144, false }, /* 8.0 */
	{ 20210902, 488, 416, 144, false }, /* 8.1 */
	{ 20220829, 488, 416, 152, true },  /* 8.2 */
	{ 20230831, 488, 416, 144, false }, /* 8.3 */
	{ 20240924, 488, 416, 168, false }, /* 8.4 */
	{ 20250925, 512, 416, 168, false }, /* 8.5 */
};

/* Offsets that are the same in all versions. */
enum {
	FRAME_OPLINE = 0,
	FRAME_FUNCTION = 24,
	FRAME_THIS = 32,
	FRAME_THIS_TYPE = 40,
	FRAME_PASSED = 44,
	FRAME_PREVIOUS = 48,
	FRAME_SIZE = 80,
	FUNCTION_NAME = 8,
	FUNCTION_SCOPE = 16,
	CLASS_NAME = 8,
	OBJECT_CLASS = 16,
	OP_EXTENDED = 20,
	OP_LINE = 24,
	OP_CODE = 28,
	STRING_LENGTH = 16,
	STRING_TEXT = 24,
	/* a frame has its generator in the place of the result's pointer */
	FRAME_GENERATOR = 16,
	GENERATOR_FRAME = 56, /* offset in a generator; it is 64 in PHP 7.4 */
	GENERATOR_PARENT = 152 - GENERATOR_FRAME,
	TABLE_BUCKETS = 16,
	TABLE_USED = 24,
	MODULE_API = 4,
	MODULE_THREADS = 9,
};

/* zend_function.type */
enum { FUNCTION_INTERNAL = 1, FUNCTION_USER = 2, FUNCTION_EVAL = 4 };

/* GLOBALS_SIZE: the size of the largest executor_globals. LINES_AFTER_FILE: how
 * far line_start and line_end are behind the file name in an op_array. */
#define GLOBALS_SIZE 4096u
#define LINES_AFTER_FILE 8

#define TYPE_OBJECT 8u
#define CALL_TOP (UINT32_C(1) << 17)
#define ZVAL_SIZE 16
/* How many arguments are looked at. */
#define PASSED_MOST 64u
#define CALL_GENERATOR (UINT32_C(1) << 24)
#define OP_INCLUDE_OR_EVAL 73u

struct php {
	struct source source;
	const struct php_layout *layout; /* NULL: not known yet */
	addr_t globals, registry;
	addr_t gc_protected; /* the byte of that name, or 0 */
	char *label;
};

struct php_walk {
	const struct php *php;
	struct peek peek;
	struct stack *stack;
	/* how many frames at the end have no file and line yet */
	size_t placeless;
	/* last_has_code: the frame that was added last is no function of PHP
	 * itself. last_is_generator: it is a generator's frame. */
	bool last_has_code, last_is_generator;
};

/* ---- names -----------------------------------------------------------------
 */

static const char *
text_of(struct php_walk *walk, addr_t string)
{
	uint64_t length;
	char bytes[TEXT_MOST];

	if (!string)
		return NULL;
	length = peek_u64(&walk->peek, string + STRING_LENGTH);
	if (length > TEXT_MOST)
		length = TEXT_MOST;
	if (walk->peek.fault ||
	    !peek_bytes(&walk->peek, string + STRING_TEXT, bytes, length))
		return NULL;
	return arena_strndup(walk->stack->arena, bytes, length);
}

static bool
has_object(struct php_walk *walk, addr_t frame)
{
	return (peek_u32(&walk->peek, frame + FRAME_THIS_TYPE) & 0xff) ==
	       TYPE_OBJECT;
}

/* A function's name in a frame: "User->find", "User::all", "strlen". */
static const char *
function_of(struct php_walk *walk, addr_t frame, addr_t function)
{
	addr_t scope = peek_u64(&walk->peek, function + FUNCTION_SCOPE);
	const char *name =
		text_of(walk, peek_u64(&walk->peek, function + FUNCTION_NAME));
	const char *class = NULL;

	if (name && scope)
		class = text_of(walk,
				peek_u64(&walk->peek, scope + CLASS_NAME));
	if (!class)
		return name;
	return arena_printf(walk->stack->arena, "%s%s%s", class,
			    has_object(walk, frame) ? "->" : "::", name);
}

/* How the frame's current operation loads code. */
static const char *
inclusion(struct php_walk *walk, addr_t frame)
{
	static const struct {
		uint32_t kind;
		const char *name;
	} kinds[] = {
		{ 1, "eval" },	  { 2, "include" },	  { 4, "include_once" },
		{ 8, "require" }, { 16, "require_once" },
	};
	addr_t op = peek_u64(&walk->peek, frame + FRAME_OPLINE);
	uint32_t kind;

	if (peek_u8(&walk->peek, op + OP_CODE) != OP_INCLUDE_OR_EVAL)
		return NULL;
	kind = peek_u32(&walk->peek, op + OP_EXTENDED);
	for (size_t i = 0; i < array_size(kinds); i++) {
		if (kinds[i].kind == kind)
			return kinds[i].name;
	}
	return NULL;
}

/* ---- frames ----------------------------------------------------------------
 */

/* The name of code that is no function: the caller's current operation tells
 * how the code was loaded. Code without a caller is {main}. */
static const char *
code_name(struct php_walk *walk, addr_t frame)
{
	addr_t caller = peek_u64(&walk->peek, frame + FRAME_PREVIOUS);
	const char *name = NULL;

	if (!caller)
		return "{main}";
	if (peek_u64(&walk->peek, caller + FRAME_FUNCTION))
		name = inclusion(walk, caller);
	return name ? name : "include";
}

/*
 * After an exception was thrown, opline points into executor_globals, and the
 * field before it contains the operation that threw
 * (EG(opline_before_exception)). The opline of a function that has just begun
 * is not stored yet, and the word may be left from another frame.
 */
static unsigned
line_of(struct php_walk *walk, addr_t at, addr_t function)
{
	struct peek *peek = &walk->peek;
	addr_t op = peek_u64(peek, at + FRAME_OPLINE);
	uint32_t lines[2], line;

	if (op - walk->php->globals < GLOBALS_SIZE)
		op = peek_u64(peek, op - 8);
	if (peek->fault)
		return 0;
	line = op ? peek_u32(peek, op + OP_LINE) : 0;
	if (reader_read(peek->memory,
			function + walk->php->layout->file + LINES_AFTER_FILE,
			lines, sizeof(lines)) < 0)
		return line;
	peek_failed(peek);
	return line >= lines[0] && line <= lines[1] ? line : lines[0];
}

static void
add_user_frame(struct php_walk *walk, addr_t at, addr_t function)
{
	struct peek *peek = &walk->peek;
	unsigned line = line_of(walk, at, function);
	const char *file =
		text_of(walk,
			peek_u64(peek, function + walk->php->layout->file));
	uint32_t how = peek_u32(peek, at + FRAME_THIS_TYPE);
	struct frame *frame;

	stack_give_place(walk->stack, &walk->placeless, file, line);
	if (stack_full(walk->stack))
		return;
	frame = stack_push(walk->stack, FRAME_PHP, at);
	frame->outermost = how & CALL_TOP;
	frame->file = file;
	frame->line = line;
	frame->function = function_of(walk, at, function);
	if (!frame->function)
		frame->function = code_name(walk, at);
	walk->last_has_code = true;
	walk->last_is_generator = how & CALL_GENERATOR;
}

static void
add_internal_frame(struct php_walk *walk, addr_t at, addr_t function)
{
	const char *name = function_of(walk, at, function);
	struct frame *frame;

	/* The outermost frame of a fiber has no name, and is left out. */
	if (!name || stack_full(walk->stack))
		return;
	frame = stack_push(walk->stack, FRAME_PHP, at);
	frame->function = name;
	frame->at_call = true;
	walk->placeless++;
	walk->last_has_code = false;
}

static void
add_frame(struct php_walk *walk, addr_t at, addr_t function)
{
	uint8_t type = peek_u8(&walk->peek, function);

	if (type == FUNCTION_USER || type == FUNCTION_EVAL)
		add_user_frame(walk, at, function);
	else if (type == FUNCTION_INTERNAL)
		add_internal_frame(walk, at, function);
	else
		walk->peek.fault = true;
}

/* The address of a generator's pointer to its frame, which is at one of two
 * offsets: the frame points back to the generator. The generator's place in the
 * tree of generators is stored behind the pointer. Returns 0 if the pointer is
 * at neither offset. */
static addr_t
frame_of_generator(struct php_walk *walk, addr_t generator)
{
	for (addr_t at = generator + GENERATOR_FRAME;
	     at <= generator + GENERATOR_FRAME + 8; at += 8) {
		addr_t frame = peek_u64(&walk->peek, at);

		if (frame &&
		    peek_u64(&walk->peek, frame + FRAME_GENERATOR) == generator)
			return at;
		peek_failed(&walk->peek);
	}
	return 0;
}

/* Adds the generators that run inside each other by `yield from`. The
 * placeholder's generator is the outermost: the script has resumed it, and from
 * it a chain leads inwards to the running generator. The frames are added from
 * the innermost outwards. */
static void
add_generators(struct php_walk *walk, addr_t placeholder)
{
	struct peek *peek = &walk->peek;
	addr_t generator = peek_u64(peek, placeholder + FRAME_THIS);
	addr_t class = peek_u64(peek, generator + OBJECT_CLASS);
	addr_t chain[GENERATORS_MOST];
	size_t count = 0;

	while (count < GENERATORS_MOST && !peek->fault &&
	       peek_u64(peek, generator + OBJECT_CLASS) == class) {
		addr_t at = frame_of_generator(walk, generator), parent;

		parent = at ? peek_u64(peek, at + GENERATOR_PARENT) : 0;
		if (!parent)
			break;
		chain[count++] = peek_u64(peek, at);
		generator = parent;
	}
	while (count-- > 0 && !peek->fault) {
		addr_t function = peek_u64(peek, chain[count] + FRAME_FUNCTION);

		if (!function)
			continue;
		/* The interpreter runs the innermost generator and returns to
		 * none of the outer generators. So these frames belong to the
		 * run of the inner frames. */
		if (walk->stack->count > 0)
			walk->stack->at[walk->stack->count - 1].outermost =
				false;
		add_frame(walk, chain[count], function);
	}
}

/* Does the stack end in code that must have a caller? A generator that is just
 * being entered or left has no caller yet. */
static bool
is_loose(const struct php_walk *walk)
{
	const struct stack *stack = walk->stack;
	const struct frame *last;

	if (stack->count == 0 || stack_full(stack))
		return false;
	last = &stack->at[stack->count - 1];
	return last->line && last->kind == FRAME_PHP && walk->last_has_code &&
	       (!last->outermost || walk->last_is_generator);
}

static void
walk_frames(struct php_walk *walk, addr_t at)
{
	struct peek *peek = &walk->peek;
	struct cycle_guard guard = { 0 };

	for (; at && !peek->fault; at = peek_u64(peek, at + FRAME_PREVIOUS)) {
		addr_t function = peek_u64(peek, at + FRAME_FUNCTION);

		if (stack_full(walk->stack) && walk->placeless == 0)
			break;
		if (!cycle_guard_step(&guard, at))
			peek->fault = true;
		else if (function)
			add_frame(walk, at, function);
		else if (has_object(walk, at))
			add_generators(walk, at);
	}
	if (peek_failed(peek) || is_loose(walk))
		walk->stack->partial = true;
}

/* ---- the source ------------------------------------------------------------
 */

/* Finds the offsets for the version of PHP, which the first registered module
 * tells. Returns -EAGAIN as long as no module is registered. */
static int
find_layout(struct php *php, struct peek *peek, struct err *err)
{
	addr_t bucket = peek_u64(peek, php->registry + TABLE_BUCKETS);
	addr_t module;
	uint32_t api;

	if (peek_u32(peek, php->registry + TABLE_USED) == 0)
		return -EAGAIN;
	module = peek_u64(peek, bucket);
	api = peek_u32(peek, module + MODULE_API);
	if (peek->fault)
		return -EAGAIN;
	php->source.refused = true;
	if (peek_u8(peek, module + MODULE_THREADS))
		return err_set(err, -ENOTSUP,
			       "%s: PHP that is made for threads (ZTS) is not "
			       "known yet, frames of its scripts are not shown",
			       php->label);
	for (size_t i = 0; i < array_size(layouts); i++) {
		if (layouts[i].api != api)
			continue;
		php->layout = &layouts[i];
		php->source.refused = false;
		return 0;
	}
	return err_set(err, -ENOTSUP,
		       "%s: PHP with the interface of %u is not known, frames "
		       "of its scripts are not shown",
		       php->label, api);
}

/* Does PHP run in this thread? With glibc and musl a thread's own data, which
 * contain the thread pointer, are at the end of its stack, except in the main
 * thread. */
static bool
runs_here(struct php_walk *walk, const struct regs *regs)
{
	const struct php *php = walk->php;
	addr_t sp = regs_sp(regs), own = regs_thread_pointer(regs), buffer;

	buffer = peek_u64(&walk->peek, php->globals + php->layout->bailout);
	if (!buffer)
		return true;
	return buffer >= sp && (own < sp || buffer < own);
}

static void
php_walk(struct source *source, struct reader *memory, const struct regs *regs,
	 struct stack *stack, struct err *err)
{
	struct php *php = container_of(source, struct php, source);
	struct php_walk walk = {
		.php = php,
		.peek = { .memory = memory },
		.stack = stack,
	};

	if (php->source.refused ||
	    (!php->layout && find_layout(php, &walk.peek, err) < 0) ||
	    !runs_here(&walk, regs))
		return;
	walk_frames(&walk,
		    peek_u64(&walk.peek, php->globals + php->layout->current));
}

/*
 * zend_gc_globals begins with the bytes gc_enabled, gc_active and gc_protected
 * (Zend/zend_gc.c), each 0 or 1. The exported gc_protected() reads the last
 * one.
 */
static bool
is_collecting(struct php *php, struct reader *memory)
{
	uint8_t bytes[3];

	if (!php->layout->collecting || !php->gc_protected ||
	    reader_read(memory, php->gc_protected - 2, bytes, sizeof(bytes)) <
		    0)
		return false;
	return bytes[0] <= 1 && bytes[1] == 1 && bytes[2] <= 1;
}

static void
php_activity(struct source *source, struct reader *memory,
	     const struct regs *regs, addr_t futex,
	     struct source_activity *activity)
{
	struct php *php = container_of(source, struct php, source);
	struct php_walk walk = { .php = php, .peek = { .memory = memory } };

	(void)futex;
	if (php->layout && runs_here(&walk, regs))
		activity->collects |= is_collecting(php, memory);
}

static bool
php_find_statement(struct source *source, struct reader *memory,
		   const struct regs *regs, const struct stack *stack,
		   const struct statement *statement,
		   struct statement_text *ret_text)
{
	struct peek peek = { .memory = memory };

	(void)source;
	(void)regs;
	return php_statement(&peek, stack, statement, ret_text);
}

static bool
php_find_query(struct source *source, struct reader *memory,
	       const struct regs *regs, const struct stack *stack,
	       struct statement_query *ret_query)
{
	struct peek peek = { .memory = memory };

	(void)source;
	(void)regs;
	return php_query(&peek, stack, ret_query);
}

/* The arguments follow the frame's head: zvals of a value and a type, the value
 * of a number itself or the address of an object. How many were passed is
 * behind the type of This (Zend/zend_compile.h, ZEND_CALL_NUM_ARGS). */
static bool
php_frame_state(struct source *source, struct reader *memory,
		const struct frame *frame, struct source_frame_state *ret_state)
{
	struct peek peek = { .memory = memory };
	uint32_t count = peek_u32(&peek, frame->at + FRAME_PASSED);
	struct source_frame_state state = {
		.position = peek_u64(&peek, frame->at + FRAME_OPLINE),
		.coroutine = peek_u32(&peek, frame->at + FRAME_THIS_TYPE) &
			     CALL_GENERATOR,
	};

	(void)source;
	for (uint32_t i = 0; i < count && i < PASSED_MOST; i++)
		state.arguments = (state.arguments ^
				   peek_u64(&peek, frame->at + FRAME_SIZE +
							   ZVAL_SIZE * i)) *
				  UINT64_C(0x100000001b3);
	if (peek_failed(&peek))
		return false;
	*ret_state = state;
	return true;
}

static int
php_find(struct binary *binary, struct reader *memory,
	 struct source **ret_source, struct err *err)
{
	addr_t globals = binary_symbol(binary, "executor_globals");
	addr_t registry = binary_symbol(binary, "module_registry"), entry;
	struct noted_reads noted;
	struct php *php;

	if (!registry || !binary_symbol(binary, "execute_ex"))
		return -ENOENT;
	if (!globals)
		return err_set(err, -ENOTSUP,
			       "%s: PHP that is made for threads (ZTS) is not "
			       "known yet, frames of its scripts are not shown",
			       binary->label);
	php = xcalloc(1, sizeof(*php));
	php->globals = globals;
	php->registry = registry;
	entry = binary_symbol(binary, "gc_protected");
	if (entry && noted_reads_of(&noted, binary->arch, memory, entry))
		php->gc_protected = noted.at[noted.count - 1];
	php->label = xstrdup(binary->label);
	*ret_source = &php->source;
	return 0;
}

static void
php_free(struct source *source)
{
	struct php *php = container_of(source, struct php, source);

	free(php->label);
	free(php);
}

static const char *const evaluators[] = { "execute_ex", NULL };

/* Folders in which distributors and PHP's own tools install packages. */
static const char *const packages[] = { "/share/php/", "/vendor/", NULL };

const struct source_ops php_ops = {
	.mark = "execute_ex",
	.find = php_find,
	.walk = php_walk,
	.statement = php_find_statement,
	.query = php_find_query,
	.activity = php_activity,
	.frame_state = php_frame_state,
	.free = php_free,
	.evaluators = evaluators,
	.packages = packages,
};
