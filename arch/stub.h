/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A stub is code that makes a stopped thread execute system calls for xtrace
 * and then restores the thread's registers and signal mask. It uses immediates
 * only, no stack, and keeps the flags. Once the thread's pc is in it, the
 * thread returns to where it was even if xtrace is killed. struct arch has the
 * functions.
 */
#ifndef ARCH_STUB_H
#define ARCH_STUB_H

#include <stdint.h>

/* The most calls in one stub, and the size of the longest stub, aligned like
 * slots. */
#define STUB_CALLS 2
#define STUB_ROOM 288

/* One system call, with its number from xtrace's own <sys/syscall.h>. */
struct stub_call {
	long number;
	uint64_t arguments[6];
};

#endif
