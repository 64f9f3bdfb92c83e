/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "arch/fault.h"

#include <ucontext.h>

struct fault_place
arch_fault_place(const void *context)
{
	const ucontext_t *user = context;

	return (struct fault_place){
		.pc = (uintptr_t)user->uc_mcontext.gregs[REG_RIP],
		.sp = (uintptr_t)user->uc_mcontext.gregs[REG_RSP],
	};
}
