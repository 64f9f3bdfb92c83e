/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The SIGTRAP handler that runs in the tracee when nobody traces it any more.
 * It is copied there as bytes, so it is one section that refers to nothing
 * outside of itself: no libc, no stack protector, no sanitizer, no tables of
 * the compiler's. It is compiled so (see GNUmakefile) and checked so.
 *
 *	int3 made by the kernel (SI_KERNEL) at a site   -> run its slot
 *	a pc in a slot already (we died after moving it) -> just go on
 *	a single-step trap that nobody armed, or we for a nudge -> go on
 *	anything else is the program's: its own action, as it was when we came;
 *	the default one by dying of it
 *
 * With us alive it never runs: the tracer takes the signal first.
 */
#include "breakpoints/inside/inside.h"

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <sys/syscall.h>
#include <ucontext.h>

#define INSIDE __attribute__((section("inside"), used))
#define TRAP_FLAG 0x100
#define SIGTRAP_BIT (UINT64_C(1) << (SIGTRAP - 1))

/* First in the section (-fno-toplevel-reorder keeps it so); filled in when it
 * is copied. */
__asm__(".section inside, \"ax\", @progbits\n"
	"inside_anchor:\n"
	"	.quad 0, 0\n"
	".previous\n");

static inline long
system_call(long number, long a, long b, long c, long d)
{
	register long r10 __asm__("r10") = d;
	long result;

	__asm__ volatile("syscall"
			 : "=a"(result)
			 : "a"(number), "D"(a), "S"(b), "d"(c), "r"(r10)
			 : "rcx", "r11", "memory");
	return result;
}

static inline struct inside_header *
header(void)
{
	const struct inside_anchor *anchor;

	/* By its address, so that the compiler believes nothing of what it
	 * holds. */
	__asm__("lea inside_anchor(%%rip), %0" : "=r"(anchor));
	return (struct inside_header *)anchor->data;
}

static inline uint64_t
slot_of(const struct inside_header *h, uint64_t site)
{
	const struct inside_entry *table = (void *)h->table;
	uint64_t at = inside_place(site, h->mask);

	for (uint64_t tried = 0; tried <= h->mask; tried++) {
		const volatile struct inside_entry *entry = &table[at];

		if (entry->site == site)
			return entry->slot;
		if (entry->site == 0)
			break;
		at = (at + 1) & h->mask;
	}
	return 0;
}

static inline bool
in_slots(const struct inside_header *h, uint64_t pc)
{
	for (uint64_t i = 0; i < h->region_count; i++) {
		if (pc - h->regions[i].start < h->regions[i].size)
			return true;
	}
	return false;
}

/* We died over this thread while its signals were held. */
static inline bool
let_go(struct inside_header *h, ucontext_t *context)
{
	uint64_t thread = 0;

	for (uint64_t i = 0; i < INSIDE_HELD; i++) {
		volatile struct inside_held *held = &h->held[i];

		if (!held->thread)
			continue;
		if (!thread)
			thread = (uint64_t)system_call(SYS_gettid, 0, 0, 0, 0);
		if (held->thread != thread)
			continue;
		*(volatile uint64_t *)&context->uc_sigmask = held->mask;
		context->uc_mcontext.gregs[REG_EFL] &= ~TRAP_FLAG;
		held->thread = 0;
		return true;
	}
	return false;
}

static inline void
die_of_it(ucontext_t *context)
{
	struct inside_action action = { 0, 0, 0, 0 };
	long pid = system_call(SYS_getpid, 0, 0, 0, 0);
	long tid = system_call(SYS_gettid, 0, 0, 0, 0);

	system_call(SYS_rt_sigaction, SIGTRAP, (long)&action, 0, 8);
	*(volatile uint64_t *)&context->uc_sigmask &= ~SIGTRAP_BIT;
	system_call(SYS_tgkill, pid, tid, SIGTRAP, 0);
}

/* As the kernel would call it, but with SIGTRAP unblocked: a trap of ours in
 * it must find us. sigreturn(2) gives the mask back. */
static inline void
call_program(struct inside_header *h, int signal, siginfo_t *info,
	     ucontext_t *context)
{
	void (*handler)(int, siginfo_t *, void *) = (void *)h->program.handler;
	uint64_t mask = h->program.mask & ~SIGTRAP_BIT;

	if (h->program.flags & SA_RESETHAND)
		h->program.handler = (uint64_t)(uintptr_t)SIG_DFL;
	if (mask)
		system_call(SYS_rt_sigprocmask, SIG_BLOCK, (long)&mask, 0,
			    sizeof(mask));
	handler(signal, info, context);
}

static inline void
chain(struct inside_header *h, int signal, siginfo_t *info, ucontext_t *context)
{
	uint64_t handler = h->program.handler;

	if (handler == (uint64_t)(uintptr_t)SIG_IGN && info->si_code <= 0)
		return;
	if (handler == (uint64_t)(uintptr_t)SIG_DFL ||
	    handler == (uint64_t)(uintptr_t)SIG_IGN)
		die_of_it(context);
	else
		call_program(h, signal, info, context);
}

void inside_handle(int signal, siginfo_t *info, void *frame);

INSIDE void
inside_handle(int signal, siginfo_t *info, void *frame)
{
	struct inside_header *h = header();
	ucontext_t *context = frame;
	greg_t *registers = context->uc_mcontext.gregs;
	uint64_t pc = (uint64_t)registers[REG_RIP], slot;

	if (info->si_code == SI_KERNEL && in_slots(h, pc)) {
		let_go(h, context);
		return;
	}
	if (info->si_code == TRAP_TRACE && let_go(h, context))
		return;
	slot = info->si_code == SI_KERNEL ? slot_of(h, pc - 1) : 0;
	if (slot)
		registers[REG_RIP] = (greg_t)slot;
	else if (info->si_code != TRAP_TRACE || registers[REG_EFL] & TRAP_FLAG)
		chain(h, signal, info, context);
}

/* Entered by the kernel; its return ends in the restorer (sigreturn(2)). */
__asm__(".section inside, \"ax\", @progbits\n"
	".globl inside_handler, inside_restorer\n"
	"inside_handler:\n"
	"	jmp inside_handle\n"
	"inside_restorer:\n"
	"	mov $15, %eax\n"
	"	syscall\n"
	".previous\n");
