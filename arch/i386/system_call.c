/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The number is in eax at the entry and the result at the end; the arguments
 * are in ebx ecx edx esi edi ebp (arch/x86/include/asm/syscall.h in the kernel,
 * syscall_get_arguments). With `int $0x80` these are the thread's registers.
 * The vdso enters with `sysenter` or `syscall`, which lose registers; the
 * kernel then stores what the vdso has pushed, and continues behind an `int
 * $0x80` of the vdso (arch/x86/entry/vdso/vdso32/system_call.S). So a call is
 * repeated two bytes before the pc, whichever instruction has made it.
 */
#include "arch/i386/system_call.h"

#include "arch/code.h"
#include "arch/regs.h"
#include "arch/stub.h"
#include "arch/x86_64/system_call.h"

#include <assert.h>
#include <sys/syscall.h>

/* int $0x80: cd 80 */
#define INSTRUCTION_LENGTH 2

static long
number(const struct regs *regs)
{
	const long own = (int32_t)regs->gpr.orig_rax;

	return own < 0 ? own : i386_number_known_as(own);
}

static uint64_t
argument(const struct regs *regs, unsigned i)
{
	const struct user_regs_struct *r = &regs->gpr;
	const uint64_t arguments[] = { r->rbx, r->rcx, r->rdx,
				       r->rsi, r->rdi, r->rbp };

	assert(i < array_size(arguments));
	return (uint32_t)arguments[i];
}

static int64_t
result(const struct regs *regs)
{
	return (int32_t)regs->gpr.rax;
}

static void
set_result(struct regs *regs, int64_t value)
{
	regs->gpr.rax = (uint32_t)value;
}

static void
leave(struct regs *regs)
{
	regs->gpr.orig_rax = (uint64_t)-1;
}

static void
again(struct regs *regs, long which)
{
	regs->gpr.rax = (uint32_t)i386_number_of(which);
	regs->gpr.rip -= INSTRUCTION_LENGTH;
	leave(regs);
}

/* A system call just made is never recognised, because `int $0x80` leaves no
 * trace in the registers. */
static bool
made(const struct regs *regs)
{
	(void)regs;
	return false;
}

/* Finds nothing: i386 code that makes rt_sigaction(2) itself is not looked
 * for. */
static size_t
next_sigaction(const struct code *code, size_t from, size_t *ret_next)
{
	(void)from;
	*ret_next = code->length;
	return code->length;
}

/* i386 has two calls for mmap(2). mmap2 counts a file's offset in units of 4096
 * bytes. */
static void
own(struct stub_call *call)
{
	if (call->number == SYS_mmap) {
		call->number = I386_MMAP2;
		call->arguments[5] >>= 12;
	} else {
		call->number = i386_number_of(call->number);
	}
}

/*
 * socketcall(2) has the number of a call of sockets and the address of its
 * arguments (include/uapi/linux/net.h). Only the calls in which a thread waits
 * for others are here.
 */
static long
socket_call(uint64_t arguments[6], struct reader *memory)
{
	static const struct {
		short number, own, words;
	} calls[] = {
		{ 5, SYS_accept, 3 },	 { 10, SYS_recvfrom, 4 },
		{ 12, SYS_recvfrom, 6 }, { 17, SYS_recvmsg, 3 },
		{ 18, SYS_accept4, 4 },
	};
	uint32_t words[6] = { 0 };

	for (size_t i = 0; i < array_size(calls); i++) {
		if (calls[i].number != (int64_t)arguments[0])
			continue;
		if (reader_read(memory, arguments[1], words,
				calls[i].words * sizeof(words[0])) < 0)
			break;
		for (size_t k = 0; k < 6; k++)
			arguments[k] = words[k];
		return calls[i].own;
	}
	return I386_ONLY + I386_SOCKETCALL;
}

static long
waits_as(long which, uint64_t arguments[6], struct reader *memory)
{
	switch (which) {
	case I386_ONLY + I386_WAITPID:
		arguments[3] = 0;
		return SYS_wait4;
	case I386_ONLY + I386_SIGSUSPEND:
		return SYS_rt_sigsuspend;
	case I386_ONLY + I386_SOCKETCALL:
		return socket_call(arguments, memory);
	case I386_ONLY + I386_NEWSELECT:
		return SYS_select;
	case I386_ONLY + I386_CLOCK_NANOSLEEP_TIME64:
		return SYS_clock_nanosleep;
	case I386_ONLY + I386_PSELECT6_TIME64:
		return SYS_pselect6;
	case I386_ONLY + I386_PPOLL_TIME64:
		return SYS_ppoll;
	case I386_ONLY + I386_IO_PGETEVENTS_TIME64:
		return SYS_io_pgetevents;
	case I386_ONLY + I386_RT_SIGTIMEDWAIT_TIME64:
		return SYS_rt_sigtimedwait;
	case I386_ONLY + I386_FUTEX_TIME64:
		return SYS_futex;
	default:
		return which;
	}
}

const struct arch_system_call i386_system_call = {
	.number = number,
	.waits_as = waits_as,
	.waits_masked = x86_64_waits_masked,
	.known_as = i386_number_known_as,
	.clone = I386_ONLY + I386_CLONE,
	.argument = argument,
	.result = result,
	.set_result = set_result,
	.again = again,
	.leave = leave,
	.made = made,
	.next_sigaction = next_sigaction,
	.own = own,
	.name = i386_system_call_name,
	.count = i386_system_call_count,
};
