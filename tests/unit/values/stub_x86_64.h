/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A function that stands in for another: called in its place, it shows all
 * registers as they are at the entry to one callback, goes on to the function
 * as if nothing had been, and shows those behind it to another.
 */
#ifndef TESTS_UNIT_VALUES_STUB_X86_64_H
#define TESTS_UNIT_VALUES_STUB_X86_64_H

#include "arch/regs.h"

/* Whom the next call of stub_enter() stands in for. */
struct stub {
	void *function;
	void (*entered)(struct registers *registers);
	void (*returned)(struct registers *registers);
};
extern struct stub stub;

/* To be called through a pointer to the type of stub.function. */
void stub_enter(void);

#endif
