/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reads what a function's arguments may be, before its prototype is known. The
 * thread can then run on, and the arguments are fetched later from the
 * registers of the entry and the sealed capture.
 */
#ifndef VALUES_FORESEE_H
#define VALUES_FORESEE_H

struct capture;
struct registers;

/*
 * Reads through the capture: arguments on the stack, the first bytes behind
 * every register that may be a pointer, and the first bytes behind every
 * pointer in there. registers are those at the function's first instruction.
 */
void foresee(struct registers *registers, struct capture *capture);

#endif
