/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A stub is code that makes a stopped thread do system calls for us and then
 * puts the thread right by itself, registers and signal mask: immediates only,
 * no stack, flags intact. Once the thread's pc is in it, it comes back to where
 * it was whatever happens to us. struct arch has the functions.
 */
#ifndef ARCH_STUB_H
#define ARCH_STUB_H

#include <stdint.h>

/* So many calls at once, and the room that the longest stub of them takes,
 * aligned as slots are. */
#define STUB_CALLS 2
#define STUB_ROOM 288

/* One system call, by its number in xtrace's own <sys/syscall.h>. */
struct stub_call {
	long number;
	uint64_t arguments[6];
};

#endif
