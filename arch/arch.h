/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * An arch is what xtrace must know of the CPU that a program is made for: its
 * instructions, and the conventions of its programs. There is one constant
 * struct for each kind of program that this machine's CPU can run; a space
 * points to its program's struct (process/space.h). No file outside of arch/
 * names an instruction or a register, except values/abi_*; `make lint` proves
 * it. docs/HOUSE.md, "A second CPU", lists what another CPU needs.
 *
 * Facts that do not depend on the kind of program, because ptrace(2) gives all
 * of them the same registers, are in arch/regs.h.
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
struct arch_jump;
struct arch_libc;
struct code;
struct operand;
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
	/* After a trap: the thread's pc minus the trap's address. */
	uint8_t behind;
	int code; /* the si_code of the trap's SIGTRAP (sigaction(2)) */
};

/*
 * The system call that a stopped thread is in, or that has just ended in it.
 * The numbers are from xtrace's own <sys/syscall.h>: an arch with other numbers
 * translates them.
 */
struct arch_system_call {
	/* The number of the system call. Negative: the thread is in no system
	 * call. */
	long (*number)(const struct regs *regs);
	/* Translates the number that the kernel uses for a system call of this
	 * kind of program to the number that number() gives. */
	long (*known_as)(long number);
	/* The call of xtrace's own kind of program that waits in the same way
	 * as this call, in which a thread blocks: its number, and in arguments
	 * (in and out) its arguments. If there is none, the number. memory is
	 * the program's. */
	long (*waits_as)(long number, uint64_t arguments[6],
			 struct reader *memory);
	/* The number, as number() gives it, of clone(2), whose first argument
	 * is the flags. */
	long clone;
	/* Does the system call `number`, as waits_as() gives it, with these
	 * arguments replace the thread's signal mask while it waits? */
	bool (*waits_masked)(long number, const uint64_t arguments[6]);
	/* Argument i, 0 to 5, of the system call. Valid at the end of the call,
	 * too. */
	uint64_t (*argument)(const struct regs *regs, unsigned i);
	/* The result of the system call: -errno if it failed. May also be one
	 * of the kernel's own codes for a restart. */
	int64_t (*result)(const struct regs *regs);
	void (*set_result)(struct regs *regs, int64_t result);
	/* When the thread is resumed, it makes the call `number` with the
	 * arguments of its current call. */
	void (*again)(struct regs *regs, long number);
	/* Makes the kernel believe that the thread is in no system call, so
	 * that it restarts none. */
	void (*leave)(struct regs *regs);
	/* Do the registers show that the thread has just made a system call
	 * whose instruction ends at its pc? This can be told after the call has
	 * ended, too. */
	bool (*made)(const struct regs *regs);
	/*
	 * Searches the code from offset `from` on for the next place that looks
	 * like the system call rt_sigaction(2) with a constant number. Returns
	 * the offset of the instruction behind it, or code->length if there is
	 * none. *ret_next: where to search for another.
	 */
	size_t (*next_sigaction)(const struct code *code, size_t from,
				 size_t *ret_next);
	/* Translates a system call with xtrace's own number and arguments to
	 * the number and arguments that programs of this kind use for the same
	 * system call. */
	void (*own)(struct stub_call *call);
	/* The name of the system call with this number; NULL if it has none.
	 * All numbers with a name are less than count(). */
	const char *(*name)(long number);
	long (*count)(void);
};

/*
 * A call of a function, seen at the function's first instruction or behind the
 * call instruction after the return. The memory is the program's; a CPU that
 * passes everything in registers does not read it.
 */
struct arch_calling {
	/* How many bytes a call pushes on the stack: its return address. 0: the
	 * call keeps the return address in a register. */
	unsigned pushed;
	/* The most bytes of arguments that a function may remove from the stack
	 * when it returns. 0: functions leave that to their callers. */
	unsigned popped;
	/* The return address at a function's first instruction. 0 or -errno. */
	int (*return_address)(const struct regs *regs, struct reader *memory,
			      addr_t *ret_address);
	/* Integer argument i, 0 to 5; 0 if it cannot be read. */
	uint64_t (*argument)(const struct regs *regs, struct reader *memory,
			     unsigned i);
	/* The address of integer argument i at a function's first instruction;
	 * 0: it is in a register. */
	addr_t (*argument_place)(const struct regs *regs, unsigned i);
	/* Sets an integer argument that is in a register. */
	void (*set_argument)(struct regs *regs, unsigned i, uint64_t value);
	/* The function's integer result. */
	uint64_t (*result)(const struct regs *regs);
	/* Changes the registers at a function's first instruction as if the
	 * function had returned to this address, with this integer result. */
	void (*finish)(struct regs *regs, addr_t return_address,
		       uint64_t result);
	/* The registers that a function preserves, except the stack pointer,
	 * hashed into one number that is never 0. */
	uint64_t (*preserved)(const struct regs *regs);
};

/* The most registers with DWARF numbers that any CPU has. */
#define DWARF_REGISTERS_MOST 33u

/* The registers by their DWARF numbers, which unwinding uses. */
struct arch_dwarf {
	unsigned count; /* all DWARF numbers are below this */
	unsigned sp;
	unsigned frame; /* the frame pointer */
	unsigned pc;
	/* The registers of the integer arguments. NO_REGISTER
	 * (arch/instruction.h): the argument is on the stack. */
	unsigned arguments[6];
	/* The register whose rule in a frame's unwind table gives the return
	 * address. */
	unsigned back;
	/* A bit for each register that a function preserves, except sp. */
	uint64_t preserved;
	uint64_t (*get)(const struct regs *regs, unsigned number);
	void (*set)(struct regs *regs, unsigned number, uint64_t value);
};

/* How an ELF file names its CPU. */
struct arch_elf {
	uint16_t machine; /* e_machine */
	uint8_t class;	  /* EI_CLASS */
	uint8_t data;	  /* EI_DATA */
	/* The numbers of relocations (R_*), by what they store: */
	struct arch_relocations {
		uint32_t relative; /* the module's base + addend */
		uint32_t word;	   /* a symbol's address + addend */
		/* stores a function's address; perhaps only when the function
		 * is called first */
		uint32_t jump_slot;
		uint32_t glob_dat; /* a symbol's address */
		/* stores what the function at base + addend returns */
		uint32_t irelative;
	} relocations;
};

struct arch {
	const char *name; /* "x86-64", for messages */
	uint8_t word;	  /* the size of an address, in bytes */
	struct arch_elf elf;
	uint32_t audit; /* AUDIT_ARCH_*, as a seccomp policy sees it */
	struct arch_trap trap;
	const struct arch_system_call *system_call;
	const struct arch_calling *calling;
	const struct arch_dwarf *dwarf;
	const struct arch_code *code;	    /* arch/code.h */
	const struct arch_imports *imports; /* arch/imports.h */
	const struct arch_libc *libc;	    /* arch/libc.h */
	/* Jumps in place of traps (arch/jump.h). NULL: not on this CPU. */
	const struct arch_jump *jump;

	/* All addresses of a program are below this address. */
	uint64_t top;
	/* The largest distance, in bytes, between a slot and the text whose
	 * instructions are displaced to it. */
	uint64_t reach;
	/*
	 * Relocates the code `from` for a readable and executable slot at
	 * `slot`. `from` contains no trap. limits may be NULL. 0, or
	 *   -EINVAL  not a whole valid instruction;
	 *   -ERANGE  the slot is too far away for an operand;
	 *   -ENOTSUP an instruction that must not be displaced.
	 * *ret_why gives the reason (static text); ret_why may be NULL.
	 */
	int (*relocate)(const struct code *from, addr_t slot,
			const struct relocate_limits *limits,
			struct relocated *ret_slot, const char **ret_why);
	/* Reads an operand as assemblers write it (arch/operand.h), without the
	 * size before it. 0 or -EINVAL. */
	int (*operand)(const char *text, size_t length,
		       struct operand *operand);
	/* Would this instruction show the program that the thread single-steps
	 * (regs_stepping())? `instruction` has as many bytes as a trap. */
	bool (*shows_stepping)(const uint8_t *instruction);

	/*
	 * Writes a stub to `to`, which has STUB_ROOM bytes. The stub makes at
	 * most STUB_CALLS calls in order, sets the signal mask, restores all
	 * registers of `resume` that a system call changes, and jumps to the pc
	 * in `resume`. Returns its length. It runs at the address `at`.
	 */
	size_t (*stub_build)(const struct stub_call *calls, size_t count,
			     const struct regs *resume, uint64_t mask,
			     addr_t at, uint8_t *to);
	/*
	 * Ends an abandoned stub. regs (in and out) have a pc within the stub.
	 * Gives the registers and the signal mask with which the thread
	 * continues behind the stub; the remaining calls of the stub are
	 * skipped. False if there is no stub.
	 */
	bool (*stub_end)(const struct code *stub, struct regs *regs,
			 uint64_t *ret_mask);
};

/* The kinds of programs that this machine's CPU can run. The first is xtrace's
 * own kind. NULL-terminated. */
extern const struct arch *const arch_known[];

/* xtrace's own kind of program. */
static inline const struct arch *
arch_of_host(void)
{
	return arch_known[0];
}

/* The kind of program that the file is, by its ELF header; NULL: this machine
 * cannot run it. */
const struct arch *arch_of_file(unsigned machine, unsigned class,
				unsigned data);

/* As arch_of_file(), for the file of a program, with the first 16 bytes of its
 * header. The kernel runs a file by its machine (elf_check_arch() of
 * arch/x86/include/asm/elf.h), so the bytes behind the magic number may be code
 * in a file that was made as short as possible. Then only the machine counts.
 */
const struct arch *arch_of_program(const unsigned char ident[16],
				   unsigned machine);

/* Do the bytes begin with the trap? They are trap->length or more. */
static inline bool
trap_is_at(const struct arch_trap *trap, const uint8_t *bytes)
{
	return bytes[0] == trap->bytes[0] &&
	       (trap->length == 1 ||
		memcmp(bytes, trap->bytes, trap->length) == 0);
}

#endif
