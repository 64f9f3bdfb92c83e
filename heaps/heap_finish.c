/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Python awaits its threads and runs the functions of atexit, then marks itself
 * as ending, and calls PyGC_Collect() before it clears its modules
 * (Py_FinalizeEx() in Python/pylifecycle.c).
 *
 * Ruby ends in rb_ec_cleanup(), which is local. The exported ruby_run_node()
 * calls it, and the exported ruby_cleanup() jumps to it (eval.c). The function
 * to which both lead is rb_ec_cleanup(). Perl begins to end with
 * perl_destruct(), and PHP with php_request_shutdown(), at the end of each
 * request.
 */
#include "heaps/heap_finish.h"

#include "arch/code.h"

/* ruby_run_node() and ruby_cleanup() are shorter than this. */
#define RUN_NODE_MOST 192u
#define CLEANUP_MOST 32u

static const char *const functions[] = { "PyGC_Collect", "perl_destruct",
					 "php_request_shutdown" };

/* Is this the function that ruby_cleanup() jumps to? */
static bool
cleans_up(struct binary *binary, struct reader *memory, addr_t function)
{
	addr_t cleanup = binary_symbol(binary, "ruby_cleanup");
	uint8_t bytes[CLEANUP_MOST];
	const struct code code = { bytes, sizeof(bytes), cleanup };

	return function && cleanup &&
	       reader_read(memory, cleanup, bytes, sizeof(bytes)) == 0 &&
	       binary->arch->code->may_jump_to(&code, function);
}

static addr_t
ruby_finish(struct binary *binary, struct reader *memory)
{
	const struct arch_code *arch = binary->arch->code;
	addr_t run = binary_symbol(binary, "ruby_run_node");
	uint8_t bytes[RUN_NODE_MOST];
	struct code code = { bytes, sizeof(bytes), run };
	struct instruction instruction;

	if (!run || reader_read(memory, run, bytes, sizeof(bytes)) < 0)
		return 0;
	while (arch->instruction(&code, &instruction) == 0) {
		addr_t called;

		code.bytes += instruction.length;
		code.length -= instruction.length;
		code.at += instruction.length;
		if (instruction.kind != INSN_CALL)
			continue;
		called = arch->called(memory, code.at);
		if (cleans_up(binary, memory, called))
			return called;
	}
	return 0;
}

addr_t
heap_finish_function(struct binary *binary, struct reader *memory)
{
	for (size_t i = 0; i < array_size(functions); i++) {
		addr_t function = binary_symbol(binary, functions[i]);

		if (function)
			return function;
	}
	return ruby_finish(binary, memory);
}

/* A program of Python may call PyGC_Collect() at any time, so Python also has
 * to say that it ends (_Py_IsFinalizing()). */
bool
heap_finishes(struct binary *binary, struct reader *memory)
{
	addr_t asks = binary_symbol(binary, "_Py_IsFinalizing");
	uint64_t result;

	if (!binary_symbol(binary, "PyGC_Collect"))
		return true;
	return asks &&
	       binary->arch->code->accessor(memory, asks, NULL, 0, &result) ==
		       0 &&
	       (uint32_t)result != 0;
}
