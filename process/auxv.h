/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The auxiliary vector: what the kernel told the program when it began
 * (getauxval(3), psABI 3.4.3). From /proc/PID/auxv.
 */
#ifndef PROCESS_AUXV_H
#define PROCESS_AUXV_H

#include "base/addr.h"
#include "base/attr.h"

#include <stdint.h>
#include <sys/types.h>

struct auxv {
	addr_t base; /* AT_BASE: ld.so's load address, 0 if it was run itself */
	addr_t entry; /* AT_ENTRY: the program's, run-time address */
	addr_t phdr;  /* AT_PHDR */
	uint64_t phnum;
	addr_t vdso; /* AT_SYSINFO_EHDR */
};

/* 0 or -errno. */
must_check int auxv_read(pid_t pid, struct auxv *ret_auxv);

#endif
