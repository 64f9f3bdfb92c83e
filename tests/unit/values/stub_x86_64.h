/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A function that is called in place of another. It passes all registers at the
 * entry to one callback, calls the other function as if nothing had happened,
 * and passes the registers after the call to another callback.
 */
#ifndef TESTS_UNIT_VALUES_STUB_X86_64_H
#define TESTS_UNIT_VALUES_STUB_X86_64_H

#include "arch/regs.h"

/* The function that the next call of stub_enter() replaces. */
struct stub {
	void *function;
	void (*entered)(struct registers *registers);
	void (*returned)(struct registers *registers);
};
extern struct stub stub;

/* Must be called through a pointer with the type of stub.function. */
void stub_enter(void);

#endif
