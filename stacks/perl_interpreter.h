/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which of Perl's interpreters a thread runs, and where that interpreter keeps
 * what a walk begins with.
 *
 * A Perl with threads (ithreads) has an interpreter for each of its threads,
 * and the thread finds its own with pthread_getspecific(PL_thr_key). A Perl
 * without threads has one interpreter, whose members are variables.
 */
#ifndef STACKS_PERL_INTERPRETER_H
#define STACKS_PERL_INTERPRETER_H

#include "arch/regs.h"
#include "stacks/binary.h"
#include "stacks/peek.h"
#include "stacks/perl_layout.h"

/* Offsets in a PERL_SI that are the same in all versions. */
enum {
	INFO_CONTEXTS = 8,
	INFO_LAST = 32,
	INFO_ROOM = 36,
};

/* The interpreters of a process. */
struct perl_interpreters {
	const struct perl_layout *layout;
	/* PL_thr_key; 0 for a Perl without threads, for which the members from
	 * cop to stack_base are the addresses of the interpreter's variables */
	addr_t key;
	addr_t cop, info, op, top, compiling;
	addr_t stack_top, stack_base;
	/* The value of PL_thr_key, once it has led to an interpreter. */
	uint32_t known_key;
	bool knows_key;
};

/* Addresses of an interpreter's variables. */
struct perl_state {
	addr_t interpreter; /* 0 if there is only one */
	addr_t cop, op, info;
	addr_t stack_top, stack_base;
};

/* Finds the variables of Perl 5.VERSION. Returns false if the version is not
 * known, or if the variables are missing. */
must_check bool perl_interpreters_find(struct perl_interpreters *interpreters,
				       struct binary *binary, unsigned version);

/* Stores the interpreter that the thread with these registers runs; false if it
 * runs none. May leave the mark of a failed read (peek_failed()). */
must_check bool perl_interpreter_of(struct perl_interpreters *interpreters,
				    struct peek *peek, const struct regs *regs,
				    struct perl_state *ret_state);

/* Is cop the interpreter's own COP, of the code that it compiles? */
bool perl_is_compiling(const struct perl_interpreters *interpreters,
		       const struct perl_state *state, addr_t cop);

/* The kind of a run: PERLSI_* of cop.h. */
int32_t perl_info_type(struct peek *peek, const struct perl_layout *layout,
		       addr_t info);

#endif
