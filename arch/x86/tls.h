/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Thread-local storage on x86, which is of variant II: the program's block ends
 * at the thread pointer, where the thread's control block begins (x86-64 psABI
 * 3.4.6). Words 0 and 2 of that block (tcb and self in glibc's tcbhead_t) are
 * its own address.
 */
#ifndef ARCH_X86_TLS_H
#define ARCH_X86_TLS_H

#include "base/reader.h"

/* See struct arch_libc in arch/libc.h. */
int64_t x86_tls_distance(uint64_t offset, uint64_t size, uint64_t align);

/* The same for thread_pointer(), in a program whose words have `word` bytes, 4
 * or 8. */
addr_t x86_thread_pointer(struct reader *memory, addr_t list, size_t word);

#endif
