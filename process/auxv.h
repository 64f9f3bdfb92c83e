/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The auxiliary vector, in which the kernel passes facts to a program at its
 * start (getauxval(3), psABI 3.4.3). From /proc/PID/auxv.
 */
#ifndef PROCESS_AUXV_H
#define PROCESS_AUXV_H

#include "base/addr.h"
#include "base/attr.h"

#include <stdint.h>
#include <sys/types.h>

struct auxv {
	/* AT_BASE: the load address of ld.so, 0 if ld.so was run as a
	 * program */
	addr_t base;
	addr_t entry; /* AT_ENTRY: the program's entry, run-time address */
	addr_t phdr;  /* AT_PHDR */
	uint64_t phnum;
	addr_t vdso; /* AT_SYSINFO_EHDR */
};

/* Reads /proc/PID/auxv, whose entries are two addresses of the program, each of
 * `word` bytes. Returns 0 or -errno. */
must_check int auxv_read(pid_t pid, unsigned word, struct auxv *ret_auxv);

#endif
