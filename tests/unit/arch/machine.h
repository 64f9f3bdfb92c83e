/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A machine is this processor, which starts with a given state at a few bytes
 * of code and runs until it traps or faults. The registers, flags and memory
 * afterwards are the result of the code. Its memory is far from all other
 * mappings, so that a random register does no harm.
 */
#ifndef TESTS_UNIT_ARCH_MACHINE_H
#define TESTS_UNIT_ARCH_MACHINE_H

#include "arch/regs.h"
#include "base/addr.h"
#include "base/reader.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <ucontext.h>

#define MACHINE_GREGS (REG_EFL + 1)
#define MACHINE_FX 512
#define MACHINE_YMMH 256

struct machine_state {
	/* the general registers, indexed by REG_RAX and so on (<ucontext.h>) */
	uint64_t gregs[MACHINE_GREGS];
	_Alignas(16) uint8_t fx[MACHINE_FX]; /* the FXSAVE image */
	uint8_t ymmh[MACHINE_YMMH];	     /* upper halves of ymm0 to ymm15 */
	int signal;			     /* the signal at the end */
	addr_t fault;			     /* si_addr of SIGSEGV and SIGBUS */
};

#define MACHINE_CODE_SIZE 0x4000u
#define MACHINE_DATA_SIZE 0x4000u

/*
 * The areas in which code runs. They are full of int3 until something is
 * written. MACHINE_HOME is for original instructions, MACHINE_NEAR and
 * MACHINE_FAR are for slots. Nothing is ever written to MACHINE_CALLEES.
 */
enum machine_area {
	MACHINE_HOME,
	MACHINE_NEAR,
	MACHINE_FAR,
	MACHINE_CALLEES,
	MACHINE_AREAS
};

struct machine {
	addr_t code[MACHINE_AREAS]; /* MACHINE_CODE_SIZE bytes each */
	/* the bytes of `code` in a writable mapping */
	uint8_t *write[MACHINE_AREAS];
	uint8_t *data; /* readable and writable */
};

/* Maps the areas and handles the signals, until the process ends. */
void machine_init(struct machine *machine);

/*
 * Runs code from the state in, whose pc is its start, and stores the state at
 * its end.
 */
void machine_run(const struct machine_state *in, struct machine_state *ret_out);

/* The pc of the int3 that ended the run, or of the instruction that faulted. */
addr_t machine_end(const struct machine_state *state);

/* The registers that checks and meters use, as a stopped thread has them. */
void machine_regs(const struct machine_state *state, struct regs *ret_regs);

/* For a struct reader: reads this process, whose memory the code uses. */
int machine_memory_read(struct reader *reader, addr_t from, void *to,
			size_t length);

#endif
