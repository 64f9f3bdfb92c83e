/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Where C libraries store data of a thread. */
#ifndef ARCH_LIBC_H
#define ARCH_LIBC_H

#include "arch/code.h"
#include "arch/regs.h"

/* How many bytes of __errno_location() to read. */
#define ERRNO_CODE 32

/*
 * Where a C library keeps a thread's errno, as a distance from the thread
 * pointer.
 */
struct errno_place {
	addr_t word; /* the address of the word that has the distance, or 0 */
	int64_t distance; /* the distance itself, if word is 0 */
};

/* How many candidates for the stack pointer a jmp_buf has at most: its word may
 * be encoded or not. */
#define JUMP_SPS_MOST 2

struct arch_libc {
	/* Reads the place of errno from the code of __errno_location(). False
	 * if the code has none of the known forms (glibc, musl, static). */
	bool (*errno_place)(const struct code *code,
			    struct errno_place *ret_place);
	/* The distance from the thread pointer to the variable at `offset` of
	 * the program's own TLS block. PT_TLS gives the block's size and
	 * alignment. */
	int64_t (*tls_distance)(uint64_t offset, uint64_t size, uint64_t align);
	/* The thread pointer of the thread whose robust list's head is at
	 * `list` (get_robust_list(2)), or 0. */
	addr_t (*thread_pointer)(struct reader *memory, addr_t list);
	/* At the entry of longjmp(): candidates for the stack pointer after
	 * it, at most JUMP_SPS_MOST. The first candidate that is on the
	 * thread's stack is the right one. Returns how many; 0 if memory
	 * cannot be read. */
	unsigned (*jump_sps)(const struct regs *regs, struct reader *memory,
			     addr_t *ret_sps);
};

#endif
