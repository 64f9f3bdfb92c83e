/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Native frames: the functions that a thread is in, found with the unwinding
 * tables that every module has (.eh_frame). They have names and, if debug
 * information is installed, lines. A native keeps what it has learned about a
 * space's modules between walks.
 */
#ifndef STACKS_NATIVE_H
#define STACKS_NATIVE_H

#include "arch/arch.h"
#include "arch/regs.h"
#include "base/reader.h"
#include "stacks/stack.h"
#include "symbols/modmap.h"

struct native;

/* Makes a native for a space whose programs are made for arch. */
struct native *native_new(const struct arch *arch);
/* native may be NULL. */
void native_free(struct native *native);

/* The address of the vdso in the space (AT_SYSINFO_EHDR), which is in no map of
 * modules. Its bytes are read once, at the next walk. */
void native_vdso(struct native *native, addr_t address);

/* Where the thread is; this decides what the innermost frame is. */
enum native_place {
	/* the thread is anywhere: the innermost frame is that of its pc */
	NATIVE_STOPPED,
	/* the thread is at a function's first instruction: the innermost frame
	 * is the caller's */
	NATIVE_CALLED,
	/* the thread is behind a call that has returned: the innermost frame is
	 * the caller's */
	NATIVE_RETURNED,
};

/* The registers of one frame that can be known, by their DWARF numbers. */
struct native_registers {
	uint64_t value[DWARF_REGISTERS_MOST];
	uint64_t known; /* one bit for each register */
};

struct native_start {
	const struct regs *regs;
	enum native_place place;
	/* Only pc and sp are known, because the thread was not stopped. */
	bool few;
	/* NULL, or an array with an element for each frame that the stack has
	 * room for. The walk fills in the registers of each frame. */
	struct native_registers *registers;
};

/* Reads the unwinding tables of modules that have none yet. Otherwise the first
 * walk through a module reads them. */
void native_prepare(struct native *native, const struct modmap *modules,
		    struct reader *memory);

/*
 * Adds the frames of a thread to stack, beginning with the registers in
 * `start`, until it is full or the outermost frame is reached. stack->partial
 * says that the caller of a frame could not be found. In a frame, `at` is the
 * stack pointer. What the frames are called is found by native_name().
 */
void native_walk(struct native *native, const struct modmap *modules,
		 struct reader *memory, const struct native_start *start,
		 struct stack *stack);

/* Are the names of the frames known, so that native_name() reads no file? */
must_check bool native_knows(const struct native *native,
			     const struct stack *stack, bool lines);

/*
 * Fills in the functions of native_walk()'s frames; with `lines`, also their
 * files and lines; and in `start` the beginning of the function. The stack has
 * only native frames. This reads files and not the process. The modules are
 * those of the walk.
 */
void native_name(struct native *native, const struct modmap *modules,
		 struct stack *stack, bool lines);

#endif
