/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * An arch is what xtrace must know of the CPU that a program is made for: its
 * instructions, and the conventions of its programs. There is one constant
 * struct for each kind of program that the CPU of this machine can run; a space
 * points at the one of its program (process/space.h). No file outside of arch/
 * names an instruction or a register, except values/abi_*; `make lint` proves
 * it. docs/HOUSE.md, "A second CPU", lists what another CPU needs.
 *
 * What does not depend on the kind of program, because ptrace(2) gives all of
 * them the same registers, is in arch/regs.h.
 */
#ifndef ARCH_ARCH_H
#define ARCH_ARCH_H

#include "base/addr.h"
#include "base/reader.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

struct arch_code;
struct arch_imports;
struct arch_libc;
struct code;
struct regs;
struct relocate_limits;
struct relocated;
struct stub_call;

/* The longest trap of any CPU, in bytes. */
#define TRAP_MOST 4

/* The instruction that stops a thread with SIGTRAP. */
struct arch_trap {
	uint8_t bytes[TRAP_MOST];
	uint8_t length;
	/* The pc of a thread that has trapped, less the trap's address. */
	uint8_t behind;
	int code; /* the kernel's si_code for it (sigaction(2)) */
};

/*
 * The system call that a stopped thread is in, or that has just ended in it.
 * Numbers are those of xtrace's own <sys/syscall.h>: an arch with others
 * translates them.
 */
struct arch_system_call {
	/* Negative: the thread is in none. */
	long (*number)(const struct regs *regs);
	/* Argument i, 0 to 5; at the end of the call, too. */
	uint64_t (*argument)(const struct regs *regs, unsigned i);
	/* -errno if it failed; also the kernel's own codes for a restart. */
	int64_t (*result)(const struct regs *regs);
	void (*set_result)(struct regs *regs, int64_t result);
	/* When the thread runs, it makes this call with the arguments of the
	 * one that it is in. */
	void (*again)(struct regs *regs, long number);
	/* The kernel takes the thread for one that is in no system call, and
	 * restarts none. */
	void (*leave)(struct regs *regs);
	/* Has the thread just made a system call whose instruction ends at its
	 * pc? By a trace of it in the registers, also outside of the call. */
	bool (*made)(const struct regs *regs);
	/*
	 * The next place in the code, from offset `from` on, that looks like
	 * one which makes rt_sigaction(2), its number being a constant there:
	 * the offset of the instruction behind it, or code->length if there is
	 * none. *ret_next: where to look for another.
	 */
	size_t (*next_sigaction)(const struct code *code, size_t from,
				 size_t *ret_next);
};

/*
 * A call of a function: at the function's first instruction, and behind the
 * call, when it has returned. Memory is that of the program; a CPU that passes
 * everything in registers does not read it.
 */
struct arch_calling {
	/* The bytes that a call puts on the stack: its return address. 0: the
	 * call keeps it in a register. */
	unsigned pushed;
	/* Where the function that begins will return to: 0 or -errno. */
	int (*return_address)(const struct regs *regs, struct reader *memory,
			      addr_t *ret_address);
	/* Integer argument i, 0 to 5; 0 if it cannot be read. */
	uint64_t (*argument)(const struct regs *regs, struct reader *memory,
			     unsigned i);
	/* Of registers that are put together, never of a thread. */
	void (*set_argument)(struct regs *regs, unsigned i, uint64_t value);
	/* The integer that the function has returned. */
	uint64_t (*result)(const struct regs *regs);
	/* The registers that a function gives back as it found them, except the
	 * stack pointer, folded into one number that is never 0. */
	uint64_t (*preserved)(const struct regs *regs);
};

/* More than any CPU has by DWARF's numbers. */
#define DWARF_REGISTERS_MOST 33u

/* The registers by the numbers that DWARF gives them: unwinding speaks of them
 * so. */
struct arch_dwarf {
	unsigned count; /* all numbers are below it */
	unsigned sp;
	unsigned frame; /* the frame pointer */
	unsigned pc;
	/* Of the integer arguments; NO_REGISTER (arch/instruction.h): on the
	 * stack. */
	unsigned arguments[6];
	/* Of which the tables of a frame say where it returns to. */
	unsigned back;
	/* A bit for each that a function gives back as it found it, except
	 * sp. */
	uint64_t preserved;
	uint64_t (*get)(const struct regs *regs, unsigned number);
	void (*set)(struct regs *regs, unsigned number, uint64_t value);
};

/* As an ELF file names the CPU that it is for. */
struct arch_elf {
	uint16_t machine; /* e_machine */
	uint8_t class;	  /* EI_CLASS */
	uint8_t data;	  /* EI_DATA */
	/* The numbers of relocations (R_*), by what they store: */
	struct arch_relocations {
		uint32_t relative;  /* the module's base + addend */
		uint32_t word;	    /* a symbol's address + addend */
		uint32_t jump_slot; /* a function's address, maybe later */
		uint32_t glob_dat;  /* a symbol's address */
		uint32_t irelative; /* what base + addend returns */
	} relocations;
};

struct arch {
	const char *name; /* "x86-64", for messages */
	struct arch_elf elf;
	uint32_t audit; /* AUDIT_ARCH_*, as a seccomp policy sees it */
	struct arch_trap trap;
	const struct arch_system_call *system_call;
	const struct arch_calling *calling;
	const struct arch_dwarf *dwarf;
	const struct arch_code *code;	    /* arch/code.h */
	const struct arch_imports *imports; /* arch/imports.h */
	const struct arch_libc *libc;	    /* arch/libc.h */

	/* A slot may be so far from the text that it belongs to, in bytes. */
	uint64_t reach;
	/*
	 * The code `from` for a slot at `slot`, readable and executable. There
	 * is no trap in from. limits may be NULL. 0, or
	 * -EINVAL  not a whole valid instruction;
	 * -ERANGE  the slot is too far away for an operand;
	 * -ENOTSUP an instruction that must not be displaced.
	 * *ret_why says which (static text); ret_why may be NULL.
	 */
	int (*relocate)(const struct code *from, addr_t slot,
			const struct relocate_limits *limits,
			struct relocated *ret_slot, const char **ret_why);
	/* Would the program see by this instruction that the thread steps
	 * (regs_stepping())? Its first bytes, as many as a trap has. */
	bool (*shows_stepping)(const uint8_t *instruction);

	/*
	 * Writes code to `to`, STUB_ROOM bytes: the calls in order, at most
	 * STUB_CALLS, then the signal mask, then all of resume's registers that
	 * a system call changes, then a jump to its pc. How many bytes it took.
	 * It runs at any address.
	 */
	size_t (*stub_build)(const struct stub_call *calls, size_t count,
			     const struct regs *resume, uint64_t mask,
			     uint8_t *to);
	/*
	 * For a thread whose registers (in and out) have a pc within such code,
	 * of a stub of which nobody waits for the end: what it resumes with,
	 * and its signal mask. Its calls that are still to come are left out.
	 * False if there is no such code.
	 */
	bool (*stub_end)(const struct code *stub, struct regs *regs,
			 uint64_t *ret_mask);
};

/* The kinds of programs that this machine's CPU can run; the first are those
 * that xtrace itself is one of. A NULL follows the last. */
extern const struct arch *const arch_known[];

/* The kind of program that xtrace is. */
static inline const struct arch *
arch_of_host(void)
{
	return arch_known[0];
}

/* The kind of program that the file is, by its ELF header; NULL: this machine
 * cannot run it. */
const struct arch *arch_of_file(unsigned machine, unsigned class,
				unsigned data);

/* Is it a trap? `bytes` has trap->length bytes. */
static inline bool
trap_is_at(const struct arch_trap *trap, const uint8_t *bytes)
{
	return bytes[0] == trap->bytes[0] &&
	       (trap->length == 1 ||
		memcmp(bytes, trap->bytes, trap->length) == 0);
}

#endif
