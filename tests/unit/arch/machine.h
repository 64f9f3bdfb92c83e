/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A machine is this processor, given a state and let loose on a few bytes of
 * code until it traps or faults: the registers, flags and memory afterwards
 * are what the code did. Its memory lies at addresses that nothing else is
 * near to, so that a random register hurts nobody.
 */
#ifndef TESTS_UNIT_ARCH_MACHINE_H
#define TESTS_UNIT_ARCH_MACHINE_H

#include "base/addr.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <ucontext.h>

#define MACHINE_GREGS (REG_EFL + 1)
#define MACHINE_FX 512
#define MACHINE_YMMH 256

struct machine_state {
	uint64_t gregs[MACHINE_GREGS]; /* by REG_RAX and so on, <ucontext.h> */
	_Alignas(16) uint8_t fx[MACHINE_FX]; /* the FXSAVE image */
	uint8_t ymmh[MACHINE_YMMH];	     /* upper halves of ymm0 to ymm15 */
	int signal;			     /* what ended it */
	addr_t fault;			     /* si_addr of SIGSEGV and SIGBUS */
};

#define MACHINE_CODE_SIZE 0x4000u
#define MACHINE_DATA_SIZE 0x4000u

/*
 * Places where code runs: all int3 until written to. Home is for originals,
 * near and far for slots, and nothing is ever written to the callees.
 */
enum machine_area {
	MACHINE_HOME,
	MACHINE_NEAR,
	MACHINE_FAR,
	MACHINE_CALLEES,
	MACHINE_AREAS
};

struct machine {
	addr_t code[MACHINE_AREAS];    /* MACHINE_CODE_SIZE bytes each */
	uint8_t *write[MACHINE_AREAS]; /* the same bytes, to be written */
	uint8_t *data;		       /* readable and writable */
};

/* Maps the areas and takes the signals, for the life of the process. */
void machine_init(struct machine *machine);

/* From in, whose pc is where to start, to *ret_out. */
void machine_run(const struct machine_state *in, struct machine_state *ret_out);

/* The pc of an int3 that was run, or of an instruction that faulted. */
addr_t machine_end(const struct machine_state *state);

#endif
