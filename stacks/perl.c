/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Perl, with threads (an interpreter is a struct, and PL_thr_key is the key of
 * a thread's interpreter) or without (the members are variables). Calls, evals
 * and files being loaded are on a stack of contexts; each run of the
 * interpreter has one:
 *
 *	curcop			the statement that runs now
 *	curstackinfo -> PERL_SI { cxstack, prev, cxix, type }
 *	cxstack[i]		PERL_CONTEXT { type, oldcop: the caller's
 *				statement, sub.retop, sub.cv, eval.old_namesv }
 *
 * The frames are as in caller(): subroutines, "(eval)" for eval and "require"
 * for files, each with its current line. The script itself is {main}. A
 * subroutine in C (XS) has no context: the first frame is its caller.
 *
 * A context is counted before it is filled and until it is emptied. The
 * innermost context is left out while it is not in force: a call counts in its
 * function's depth (CvDEPTH), and a run knows which of its contexts is its
 * innermost call or eval (si_cxsubix, since 5.32). Whether the context is being
 * entered or left then decides where its caller is; if we cannot tell, the line
 * is unknown.
 */
#include "base/xmalloc.h"
#include "stacks/perl_call.h"
#include "stacks/perl_interpreter.h"
#include "stacks/perl_ops.h"
#include "stacks/perl_statement.h"
#include "stacks/perl_text.h"
#include "stacks/source_parts.h"
#include "stacks/cycle_guard.h"

#include <errno.h>
#include <stdlib.h>

/* Offsets that are the same in all versions. */
enum {
	INFO_PREVIOUS = 16,
	INFO_CALL = 40, /* since 5.32 */
	CONTEXT_TYPE = 0,
	CONTEXT_EVAL = 2, /* 16 bits: the operation, from bit 7 on */
	CONTEXT_COP = 16,
	CONTEXT_RETURN = 48,
	DEPTH_AFTER_CODE = 8, /* blk_sub.olddepth */
};
#define VERSION_CALL 32u

/* Kinds of contexts and of runs: CXt_* and CXp_*, PERLSI_* of cop.h. */
enum {
	CONTEXT_BLOCK = 0, /* CXt_NULL */
	CONTEXT_SUB = 9,
	CONTEXT_FORMAT = 10,
	CONTEXT_IS_EVAL = 11
};
#define CONTEXT_KIND 0x0fu
/* flag of a context that has an @_ of its own */
#define CONTEXT_ARGUMENTS 0x20u
/* flag of a context for code inside a pattern, or for try */
#define CONTEXT_UNSEEN 0x80u
#define INFO_MAIN 1
#define INFO_SORT 3

struct perl {
	struct source source;
	struct perl_optable ops;
	struct perl_interpreters interpreters;
};

struct perl_walk {
	const struct perl *perl;
	const struct perl_layout *layout;
	struct peek peek;
	struct stack *stack;
	struct perl_state state;
	/* how many frames the stack had before this run of the interpreter */
	size_t before;
	/* how many runs without frames there were since the last frame */
	unsigned empty;
	/*
	 * The name and the file of the next inner frame. They are often those
	 * of this frame, too, as in a recursive call, and are then not read
	 * again.
	 */
	struct found {
		addr_t of;
		const char *text;
	} name, file;
	/* Where the next frame is: its statement, and the operation in it. */
	addr_t cop, op;
	bool is_after;
	bool unsure;	  /* the place may be that of a frame further in */
	addr_t base, top; /* the stack of arguments */
};

/* ---- frames ----------------------------------------------------------------
 */

static bool
is_cop(struct perl_walk *walk, addr_t cop)
{
	const struct perl *perl = walk->perl;

	return perl_is_compiling(&perl->interpreters, &walk->state, cop) ||
	       (cop && perl_is_cop(&walk->peek, &perl->ops, cop));
}

static struct frame *
add_frame(struct perl_walk *walk, addr_t at, const char *function)
{
	const struct perl_optable *ops = &walk->perl->ops;
	struct arena *arena = walk->stack->arena;
	struct frame *frame = stack_push(walk->stack, FRAME_PERL, at);

	frame->function = function;
	frame->empty = walk->empty;
	walk->empty = 0;
	if (!is_cop(walk, walk->cop)) {
		walk->peek.fault = true;
		return frame;
	}
	if (walk->file.of != walk->cop) {
		walk->file.of = walk->cop;
		walk->file.text = perl_file(&walk->peek, ops, walk->cop, arena);
	}
	frame->file = walk->file.text;
	if (walk->unsure) {
		walk->unsure = false;
		return frame;
	}
	frame->line = perl_line(&walk->peek,
				perl_closest_cop(&walk->peek, ops, walk->cop,
						 walk->op, walk->is_after));
	return frame;
}

static bool
is_shown(uint8_t type)
{
	unsigned kind = type & CONTEXT_KIND;

	return (kind == CONTEXT_SUB || kind == CONTEXT_FORMAT ||
		kind == CONTEXT_IS_EVAL) &&
	       !(type & CONTEXT_UNSEEN);
}

/* The name of a context that is an eval: "require" if it loads a file, which
 * then has a name, else "(eval)". */
static const char *
eval_name(struct perl_walk *walk, addr_t context)
{
	unsigned op = peek_u16(&walk->peek, context + CONTEXT_EVAL) >> 7;
	addr_t name =
		peek_u64(&walk->peek, context + walk->layout->context_require);

	return op != walk->perl->ops.entereval && name ? "require" : "(eval)";
}

static const char *
name_of(struct perl_walk *walk, addr_t context, uint8_t type)
{
	const struct perl_layout *layout = walk->layout;
	struct found *name = &walk->name;
	addr_t code;

	if ((type & CONTEXT_KIND) == CONTEXT_IS_EVAL)
		return eval_name(walk, context);
	code = peek_u64(&walk->peek, context + layout->context_code);
	if (name->of != code) {
		name->of = code;
		name->text = perl_sub_name(&walk->peek, layout, code,
					   walk->stack->arena);
	}
	return name->text ? name->text : "(unknown)";
}

/* Makes the caller of the context the place of the next frame. */
static void
go_out(struct perl_walk *walk, addr_t context)
{
	walk->cop = peek_u64(&walk->peek, context + CONTEXT_COP);
	walk->op = peek_u64(&walk->peek, context + CONTEXT_RETURN);
	walk->is_after = true;
}

static void
add_context(struct perl_walk *walk, addr_t context, uint8_t type)
{
	struct frame *frame =
		add_frame(walk, context, name_of(walk, context, type));

	go_out(walk, context);
	frame->outermost = !walk->op;
}

static addr_t
context_at(struct perl_walk *walk, addr_t info, int32_t i)
{
	return peek_u64(&walk->peek, info + INFO_CONTEXTS) +
	       (addr_t)i * walk->layout->context_size;
}

static bool
is_innermost_call(struct perl_walk *walk, addr_t info, int32_t i)
{
	return walk->layout->version < VERSION_CALL ||
	       (int32_t)peek_u32(&walk->peek, info + INFO_CALL) == i;
}

static bool
counts_in_depth(struct perl_walk *walk, addr_t context)
{
	addr_t at = context + walk->layout->context_code;
	addr_t code = peek_u64(&walk->peek, at);
	uint32_t before = peek_u32(&walk->peek, at + DEPTH_AFTER_CODE);

	return code && perl_sub_depth(&walk->peek, code) == before + 1;
}

/*
 * Is the context in force, that is, neither being entered nor being left? If
 * the words that tell this cannot be read, the answer is yes. A context without
 * a valid statement of its caller is not in force.
 */
static bool
is_in_force(struct perl_walk *walk, addr_t info, int32_t i)
{
	struct peek *peek = &walk->peek;
	addr_t context = context_at(walk, info, i);
	unsigned kind = peek_u8(peek, context + CONTEXT_TYPE) & CONTEXT_KIND;
	addr_t cop = peek_u64(peek, context + CONTEXT_COP);
	bool in_force;

	if (!is_cop(walk, cop)) {
		peek_failed(peek);
		return false;
	}
	in_force = is_innermost_call(walk, info, i) &&
		   (kind != CONTEXT_SUB || counts_in_depth(walk, context));
	return peek_failed(peek) || in_force;
}

/*
 * Leaves out the innermost context, which is not in force. A context that is
 * being left still has its caller's place; a context that is being entered
 * contains what an earlier context left there. A call in C may throw out of a
 * context (entersub).
 */
static void
pass_by(struct perl_walk *walk, addr_t context)
{
	enum perl_passage passage =
		perl_passage(&walk->peek, &walk->perl->ops, walk->op);

	if (passage == PERL_LEAVES)
		go_out(walk, context);
	else if (passage == PERL_UNKNOWN)
		walk->unsure = walk->cop !=
			       peek_u64(&walk->peek, context + CONTEXT_COP);
	peek_failed(&walk->peek);
}

/* If C calls a function with call_sv() and G_EVAL, Perl encloses the call in an
 * eval on the same stack of contexts: the eval is no outermost frame of its
 * own. */
static void
join_eval(struct perl_walk *walk, uint8_t type)
{
	struct stack *stack = walk->stack;
	struct frame *frame = &stack->at[stack->count - 1];

	if ((type & CONTEXT_KIND) == CONTEXT_IS_EVAL && frame->outermost &&
	    stack->count > walk->before + 1)
		frame[-1].outermost = false;
}

/* Adds the frames of the contexts of one run. */
static void
add_contexts(struct perl_walk *walk, addr_t info, bool innermost)
{
	struct peek *peek = &walk->peek;
	int32_t last = (int32_t)peek_u32(peek, info + INFO_LAST);

	if (last >= (int32_t)peek_u32(peek, info + INFO_ROOM) + 1)
		peek->fault = true;
	for (int32_t i = last;
	     i >= 0 && !peek->fault && !stack_full(walk->stack); i--) {
		addr_t context = context_at(walk, info, i);
		uint8_t type = peek_u8(peek, context + CONTEXT_TYPE);

		if (!is_shown(type))
			continue;
		if (innermost && i == last && !is_in_force(walk, info, i)) {
			pass_by(walk, context);
			continue;
		}
		add_context(walk, context, type);
		join_eval(walk, type);
	}
}

/*
 * A block that sort compares with is run from C and is no frame: the frames of
 * the functions that it calls end there.
 */
static void
end_sort(struct perl_walk *walk, addr_t info)
{
	struct peek *peek = &walk->peek;
	struct stack *stack = walk->stack;
	addr_t first = peek_u64(peek, info + INFO_CONTEXTS);

	if (stack_full(stack) ||
	    (int32_t)peek_u32(peek, info + INFO_LAST) < 0 ||
	    (peek_u8(peek, first + CONTEXT_TYPE) & CONTEXT_KIND) !=
		    CONTEXT_BLOCK)
		return;
	if (stack->count > walk->before)
		stack->at[stack->count - 1].outermost = true;
	else
		walk->empty++;
}

static void
walk_frames(struct perl_walk *walk)
{
	struct peek *peek = &walk->peek;
	addr_t first = peek_u64(peek, walk->state.info), info = first;
	struct cycle_guard guard = { 0 };
	int32_t type;

	walk->cop = peek_u64(peek, walk->state.cop);
	walk->op = peek_u64(peek, walk->state.op);
	while (info && !peek->fault && !stack_full(walk->stack)) {
		if (!cycle_guard_step(&guard, info)) {
			peek->fault = true;
			break;
		}
		walk->before = walk->stack->count;
		add_contexts(walk, info, info == first);
		type = perl_info_type(peek, walk->layout, info);
		if (type == INFO_MAIN)
			break;
		if (type == INFO_SORT)
			end_sort(walk, info);
		info = peek_u64(peek, info + INFO_PREVIOUS);
	}
	if (!peek->fault && !stack_full(walk->stack) && walk->cop)
		add_frame(walk, info, "{main}")->outermost = true;
	if (peek_failed(peek))
		walk->stack->partial = true;
}

/* ---- the source ------------------------------------------------------------
 */

/* Finds the interpreter that the thread runs. */
static bool
begin_walk(struct perl_walk *walk, struct source *source, struct reader *memory,
	   const struct regs *regs)
{
	struct perl *perl = container_of(source, struct perl, source);
	bool found;

	*walk = (struct perl_walk){ .perl = perl,
				    .layout = perl->interpreters.layout,
				    .peek.memory = memory };
	found = perl_interpreter_of(&perl->interpreters, &walk->peek, regs,
				    &walk->state);
	peek_failed(&walk->peek);
	return found;
}

static void
perl_walk(struct source *source, struct reader *memory, const struct regs *regs,
	  struct stack *stack, struct err *err)
{
	struct perl_walk walk;

	(void)err;
	if (!begin_walk(&walk, source, memory, regs))
		return;
	walk.stack = stack;
	walk_frames(&walk);
}

/* Begins a walk, and finds the stack of arguments. */
static bool
find_arguments(struct source *source, struct reader *memory,
	       const struct regs *regs, struct perl_walk *walk)
{
	if (!begin_walk(walk, source, memory, regs) || !walk->state.stack_base)
		return false;
	walk->base = peek_u64(&walk->peek, walk->state.stack_base);
	walk->top = peek_u64(&walk->peek, walk->state.stack_top);
	return !peek_failed(&walk->peek);
}

static bool
perl_find_statement(struct source *source, struct reader *memory,
		    const struct regs *regs, const struct stack *stack,
		    const struct statement *statement,
		    struct statement_text *ret_text)
{
	struct perl_walk walk;

	return find_arguments(source, memory, regs, &walk) &&
	       perl_statement(&walk.peek, walk.base, walk.top, statement,
			      stack->arena, ret_text);
}

static bool
perl_find_query(struct source *source, struct reader *memory,
		const struct regs *regs, const struct stack *stack,
		struct statement_query *ret_query)
{
	struct perl_walk walk;

	return find_arguments(source, memory, regs, &walk) &&
	       perl_query(&walk.peek, walk.base, walk.top, stack->arena,
			  ret_query);
}

/* The position of a frame is its line, because the operations of a sub have no
 * order in memory. */
static bool
perl_frame_state(struct source *source, struct reader *memory,
		 const struct frame *frame,
		 struct source_frame_state *ret_state)
{
	const struct perl *perl = container_of(source, struct perl, source);
	struct peek peek = { .memory = memory };
	struct source_frame_state state = { .position = frame->line };
	addr_t at = frame->at + perl->interpreters.layout->context_code;
	uint8_t type = peek_u8(&peek, frame->at + CONTEXT_TYPE);

	if (peek_failed(&peek) || !frame->line ||
	    (type & CONTEXT_KIND) != CONTEXT_SUB ||
	    !(type & CONTEXT_ARGUMENTS) ||
	    !perl_call_arguments(&peek, peek_u64(&peek, at),
				 peek_u32(&peek, at + DEPTH_AFTER_CODE) + 1,
				 &state.arguments))
		return false;
	*ret_state = state;
	return true;
}

static int
perl_find(struct binary *binary, struct reader *memory,
	  struct source **ret_source, struct err *err)
{
	struct peek peek = { .memory = memory };
	addr_t number = binary_symbol(binary, "PL_version");
	addr_t names = binary_symbol(binary, "PL_op_name");
	struct perl perl = { 0 }, *kept;
	unsigned version;

	if (!number || !names || !binary_symbol(binary, "Perl_runops_standard"))
		return -ENOENT;
	version = peek_u8(&peek, number);
	if (!perl_interpreters_find(&perl.interpreters, binary, version) ||
	    !perl_ops_find(&peek, names, &perl.ops))
		return err_set(err, -ENOTSUP,
			       "%s: Perl 5.%u is not known, frames of its "
			       "scripts are not shown",
			       binary->label, version);
	perl.ops.threaded = perl.interpreters.key != 0;
	kept = xmalloc(sizeof(*kept));
	*kept = perl;
	*ret_source = &kept->source;
	return 0;
}

static void
perl_free(struct source *source)
{
	free(container_of(source, struct perl, source));
}

/* perl_parse() compiles the program. No code of the program runs yet, but the
 * stack has the frame of {main}. */
static const char *const evaluators[] = { "Perl_runops_standard", "perl_parse",
					  NULL };

/* Folders in which distributors and Perl's own tools install packages. */
static const char *const packages[] = { "/perl5/", "/share/perl/", "/lib/perl/",
					NULL };

const struct source_ops perl_ops = {
	.mark = "Perl_runops_standard",
	.find = perl_find,
	.walk = perl_walk,
	.statement = perl_find_statement,
	.query = perl_find_query,
	.frame_state = perl_frame_state,
	.free = perl_free,
	.evaluators = evaluators,
	/* {main} in a thread: no function on its stack runs it. */
	.run_without_evaluator = true,
	.packages = packages,
};
