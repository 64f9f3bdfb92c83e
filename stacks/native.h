/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Native frames: the functions that a thread is in, by the tables for
 * unwinding that every module has (.eh_frame), with their names and, where
 * debug information is installed, their lines. A native keeps what it has
 * learnt of a space's modules from walk to walk.
 */
#ifndef STACKS_NATIVE_H
#define STACKS_NATIVE_H

#include "arch/arch.h"
#include "arch/regs.h"
#include "base/reader.h"
#include "stacks/stack.h"
#include "symbols/modmap.h"

struct native;

/* For a space whose programs are made for arch. */
struct native *native_new(const struct arch *arch);
/* NULL is allowed. */
void native_free(struct native *native);

/* The kernel's own library in the space (AT_SYSINFO_EHDR), which stands in no
 * map of modules. Its bytes are read once, at the next walk. */
void native_vdso(struct native *native, addr_t address);

/* Where the thread stands, which says what its innermost frame is. */
enum native_place {
	NATIVE_STOPPED,	 /* somewhere: the frame of its pc */
	NATIVE_CALLED,	 /* at a function's first instruction: its caller's */
	NATIVE_RETURNED, /* behind a call that is over: its caller's */
};

/* Of one frame, by DWARF's numbers: those that can be known. */
struct native_registers {
	uint64_t value[DWARF_REGISTERS_MOST];
	uint64_t known; /* a bit for each */
};

struct native_start {
	const struct regs *regs;
	enum native_place place;
	/* Only pc and sp are known: the thread was not stopped. */
	bool few;
	/* The frames' files and lines are of no interest. */
	bool no_lines;
	/* As many as the stack has room for, to be filled in, or NULL. */
	struct native_registers *registers;
};

/*
 * Adds to stack the frames of a thread that starts there, until it is full or
 * the outermost is reached; stack->partial says that a frame could not be
 * left. Of a frame, `at` is the stack pointer and `start` the function.
 */
void native_walk(struct native *native, const struct modmap *modules,
		 struct reader *memory, const struct native_start *start,
		 struct stack *stack);

#endif
