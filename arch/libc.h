/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Where C libraries keep what belongs to a thread. */
#ifndef ARCH_LIBC_H
#define ARCH_LIBC_H

#include "arch/code.h"
#include "arch/regs.h"

/* So many bytes of __errno_location() are enough. */
#define ERRNO_CODE 32

/* Where a thread's errno is: at a distance from the thread pointer. */
struct errno_place {
	addr_t slot;	  /* the word that holds the distance, or 0: */
	int64_t distance; /* the distance itself */
};

/* A stack pointer in a jmp_buf may be encoded, or not. */
#define JUMP_SPS_MOST 2

struct arch_libc {
	/* By the code of __errno_location(). False for code that is none of
	 * those we know (glibc, musl, static). */
	bool (*errno_place)(const struct code *code,
			    struct errno_place *ret_place);
	/* From the thread pointer to the variable at `offset` of the program's
	 * own TLS block, of which PT_TLS says size and alignment. */
	int64_t (*tls_distance)(uint64_t offset, uint64_t size, uint64_t align);
	/* Of the thread whose robust list's head is at `list`
	 * (get_robust_list(2)): the thread pointer, or 0. */
	addr_t (*thread_pointer)(struct reader *memory, addr_t list);
	/* At the entry of longjmp(): where it may put the stack pointer, at
	 * most JUMP_SPS_MOST places. It is the first of them that is on the
	 * thread's stack. How many; 0 if memory cannot be read. */
	unsigned (*jump_sps)(const struct regs *regs, struct reader *memory,
			     addr_t *ret_sps);
};

#endif
