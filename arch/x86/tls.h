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

/* tls_distance() of struct arch_libc (arch/libc.h) for x86. */
int64_t x86_tls_distance(uint64_t offset, uint64_t size, uint64_t align);

/* thread_pointer() of struct arch_libc (arch/libc.h), in a program whose words
 * have `word` bytes, 4 or 8. */
addr_t x86_thread_pointer(struct reader *memory, addr_t list, size_t word);

#endif
