/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The value that the thread has for PL_thr_key may be anything: the key may
 * belong to another library, and the memory may have been reused. An address is
 * an interpreter only if its first run (PERL_SI) is plausible.
 *
 * pthread_getspecific() is read as both C libraries store it, because xtrace
 * does not know which of them the program has: first glibc's, then musl's.
 */
#include "stacks/perl_interpreter.h"

/* Offsets in an interpreter that are the same in all versions. */
enum {
	INTERPRETER_TOP = 0, /* the top of the stack of arguments */
	INTERPRETER_OP = 8,
	INTERPRETER_BASE = 24,
};

/* Kinds of runs: PERLSI_* of cop.h. */
#define INFO_UNKNOWN (-1)
#define INFO_TYPES_MOST 30
#define ROOM_MOST (1 << 24)

/*
 * The size of the largest interpreter. Its own COP (PL_compiling) is inside it.
 */
#define INTERPRETER_SIZE 8192u

/* Where a thread has the values of pthread_getspecific(), as offsets from the
 * thread pointer: in glibc (struct pthread, nptl/descr.h, 2.4 to 2.41) and musl
 * (pthread_impl.h, 1.1.20 to 1.2.5). */
#define GLIBC_FIRST 0x310
#define GLIBC_BLOCKS 0x510
#define GLIBC_BLOCK 32u
#define MUSL_VALUES 128

int32_t
perl_info_type(struct peek *peek, const struct perl_layout *layout, addr_t info)
{
	return (int32_t)peek_u32(peek, info + layout->info_type);
}

bool
perl_is_compiling(const struct perl_interpreters *interpreters,
		  const struct perl_state *state, addr_t cop)
{
	return state->interpreter ? cop - state->interpreter < INTERPRETER_SIZE
				  : cop == interpreters->compiling;
}

/* True if the memory at info can be a struct stackinfo of Perl, which has the
 * contexts of one run. */
static bool
is_info(struct peek *peek, const struct perl_layout *layout, addr_t info)
{
	int32_t last = (int32_t)peek_u32(peek, info + INFO_LAST);
	int32_t room = (int32_t)peek_u32(peek, info + INFO_ROOM);
	int32_t type = perl_info_type(peek, layout, info);

	peek_u64(peek, peek_u64(peek, info + INFO_CONTEXTS));
	return !peek_failed(peek) && last >= -1 && last <= room &&
	       room < ROOM_MOST && type >= INFO_UNKNOWN &&
	       type < INFO_TYPES_MOST;
}

static bool
is_interpreter(struct peek *peek, const struct perl_layout *layout, addr_t at,
	       struct perl_state *ret_state)
{
	addr_t info;

	if (!at || at % 8)
		return false;
	info = peek_u64(peek, at + layout->stack_info);
	if (peek_failed(peek) || !is_info(peek, layout, info))
		return false;
	*ret_state = (struct perl_state){
		.interpreter = at,
		.cop = at + layout->current_cop,
		.op = at + INTERPRETER_OP,
		.info = at + layout->stack_info,
		.stack_top = at + INTERPRETER_TOP,
		.stack_base = at + INTERPRETER_BASE,
	};
	return true;
}

/* Reads the result of pthread_getspecific(key) in the thread. */
static bool
has_interpreter(struct peek *peek, const struct perl_layout *layout,
		addr_t thread, uint64_t key, struct perl_state *ret_state)
{
	addr_t glibc = thread + GLIBC_FIRST + 16 * key, musl;

	if (key >= GLIBC_BLOCK)
		glibc = peek_u64(peek, thread + GLIBC_BLOCKS +
					       8 * (key / GLIBC_BLOCK)) +
			16 * (key % GLIBC_BLOCK);
	if (is_interpreter(peek, layout, peek_u64(peek, glibc + 8), ret_state))
		return true;
	peek_failed(peek);
	musl = peek_u64(peek, thread + MUSL_VALUES);
	return is_interpreter(peek, layout, peek_u64(peek, musl + 8 * key),
			      ret_state);
}

/* PL_thr_key is set once, before the first interpreter begins. */
static bool
has_own_interpreter(struct perl_interpreters *interpreters, struct peek *peek,
		    addr_t thread, struct perl_state *ret_state)
{
	const struct perl_layout *layout = interpreters->layout;
	uint32_t key = interpreters->known_key;
	bool has = interpreters->knows_key &&
		   has_interpreter(peek, layout, thread, key, ret_state);

	if (!has) {
		peek_failed(peek);
		key = peek_u32(peek, interpreters->key);
		has = has_interpreter(peek, layout, thread, key, ret_state);
	}
	if (has) {
		interpreters->known_key = key;
		interpreters->knows_key = true;
	}
	return has;
}

/* The only interpreter belongs to the thread on whose stack its innermost jump
 * buffer is (PL_top_env), further out than the thread's stack pointer. */
static bool
runs_here(const struct perl_interpreters *only, struct peek *peek,
	  const struct regs *regs, struct perl_state *ret_state)
{
	addr_t sp = regs_sp(regs), own = regs_thread_pointer(regs);
	addr_t top = peek_u64(peek, only->top);

	*ret_state = (struct perl_state){ .cop = only->cop,
					  .op = only->op,
					  .info = only->info,
					  .stack_top = only->stack_top,
					  .stack_base = only->stack_base };
	return is_info(peek, only->layout, peek_u64(peek, only->info)) &&
	       top >= sp && (own < sp || top < own);
}

bool
perl_interpreter_of(struct perl_interpreters *interpreters, struct peek *peek,
		    const struct regs *regs, struct perl_state *ret_state)
{
	return interpreters->key
		       ? has_own_interpreter(interpreters, peek,
					     regs_thread_pointer(regs),
					     ret_state)
		       : runs_here(interpreters, peek, regs, ret_state);
}

bool
perl_interpreters_find(struct perl_interpreters *interpreters,
		       struct binary *binary, unsigned version)
{
	*interpreters = (struct perl_interpreters){
		.layout = perl_layout_of(version),
		.key = binary_symbol(binary, "PL_thr_key"),
		.cop = binary_symbol(binary, "PL_curcop"),
		.info = binary_symbol(binary, "PL_curstackinfo"),
		.op = binary_symbol(binary, "PL_op"),
		.top = binary_symbol(binary, "PL_top_env"),
		.compiling = binary_symbol(binary, "PL_compiling"),
		.stack_top = binary_symbol(binary, "PL_stack_sp"),
		.stack_base = binary_symbol(binary, "PL_stack_base"),
	};
	return interpreters->layout &&
	       (interpreters->key || interpreters->info);
}
