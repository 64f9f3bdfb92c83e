/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The kernel tells with PTRACE_GET_SYSCALL_INFO whether the thread is at the
 * entry or at the end. Counting the stops would be wrong if the first stop of a
 * thread is the end of a call, as after an attach, an exec or a clone. One
 * request has all facts, so the registers are not read.
 */
#include "process/system_call.h"

#include "arch/arch.h"
#include "process/request.h"
#include "process/space.h"

#include <errno.h>

static const struct arch *
arch_of_audit(uint32_t audit)
{
	for (size_t i = 0; arch_known[i]; i++)
		if (arch_known[i]->audit == audit)
			return arch_known[i];
	return NULL;
}

/* Returns 0 or -ESRCH. */
static int
read_call(struct table *table, const struct thread *thread,
	  struct __ptrace_syscall_info *ret_info)
{
	int r = request(PTRACE_GET_SYSCALL_INFO, thread->tid, sizeof(*ret_info),
			ret_info);

	table->tally.ptraces++;
	return r;
}

const struct arch *
thread_call_arch(struct table *table, const struct thread *thread)
{
	struct __ptrace_syscall_info info = { 0 };

	return read_call(table, thread, &info) < 0 ? NULL
						   : arch_of_audit(info.arch);
}

int
thread_system_call(struct table *table, struct thread *thread,
		   struct system_call_stop *ret_stop)
{
	struct __ptrace_syscall_info info = { 0 };
	const struct arch *arch;
	int r = read_call(table, thread, &info);

	if (r < 0)
		return r;
	arch = arch_of_audit(info.arch);
	*ret_stop = (struct system_call_stop){
		.entry = info.op == PTRACE_SYSCALL_INFO_ENTRY,
		.arch = arch,
		.foreign = arch != thread->process->space->arch,
		.pc = info.instruction_pointer,
		.sp = info.stack_pointer,
	};
	if (ret_stop->entry) {
		ret_stop->own_number = (long)info.entry.nr;
		ret_stop->number =
			arch ? arch->system_call->known_as(ret_stop->own_number)
			     : ret_stop->own_number;
		for (unsigned i = 0; i < REGISTERS_SYSTEM_CALL; i++)
			ret_stop->arguments[i] = info.entry.args[i];
		return 0;
	}
	if (info.op != PTRACE_SYSCALL_INFO_EXIT)
		return -ENODATA;
	ret_stop->result = info.exit.rval;
	ret_stop->failed = info.exit.is_error;
	return 0;
}

bool
system_call_restarts(int64_t result)
{
	return result == -RESTARTSYS || result == -RESTARTNOINTR ||
	       result == -RESTARTNOHAND || result == -RESTART_RESTARTBLOCK;
}
