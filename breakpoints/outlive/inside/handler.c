/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The SIGTRAP handler that runs in the tracee when no tracer is attached any
 * more. It is copied into the tracee as bytes. Therefore it is one section
 * without references to anything outside: no libc, no stack protector, no
 * sanitizer, no tables made by the compiler. The flags in GNUmakefile ensure
 * this, and a test checks it.
 *
 *	int3 made by the kernel (SI_KERNEL) at a site  -> run its slot
 *	pc is in a slot (we died after moving it there) -> continue
 *	pc is not after an int3 (we died after moving it to the site's
 *	instruction, or beyond)                         -> continue
 *	a single-step trap that the program did not set, or that we set
 *	for a nudge                                     -> continue
 *	anything else belongs to the program: its own action, as it was when
 *	we attached; the default action kills the program
 *
 * All signals are blocked in this handler, so a frame of another signal's
 * handler is never above ours. The program's handler is not called; the
 * thread's context is replaced by the handler's context. Therefore, if no
 * thread has its pc here, no stack has a return address here.
 *
 * As long as xtrace traces the thread, this handler does not run for a trap,
 * because the tracer takes the signal first.
 */
#include "breakpoints/outlive/inside/inside.h"

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <sys/syscall.h>
#include <ucontext.h>

#define INSIDE __attribute__((section("inside"), used))
/* A function that is not inlined would be outside of the section, in .text. */
#define ALWAYS inline __attribute__((always_inline))
#define TRAP_FLAG 0x100
#define SIGTRAP_BIT (UINT64_C(1) << (SIGTRAP - 1))

/* First in the section (-fno-toplevel-reorder keeps the order). Its content is
 * written when the section is copied. */
__asm__(".section inside, \"ax\", @progbits\n"
	"inside_anchor:\n"
	"	.quad 0, 0\n"
	".previous\n");

static ALWAYS long
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

static ALWAYS struct inside_header *
header(void)
{
	const struct inside_anchor *anchor;

	/* Takes the address, so that the compiler assumes nothing about the
	 * content. */
	__asm__("lea inside_anchor(%%rip), %0" : "=r"(anchor));
	return (struct inside_header *)anchor->data;
}

static ALWAYS uint64_t
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

static ALWAYS bool
in_slots(const struct inside_header *h, uint64_t pc)
{
	for (uint64_t i = 0; i < h->region_count; i++) {
		if (pc - h->regions[i].start < h->regions[i].size)
			return true;
	}
	return false;
}

/* True if we died while this thread's signals were held. Gives the thread its
 * mask back. */
static ALWAYS bool
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

static ALWAYS void
die_of_it(ucontext_t *context)
{
	struct inside_action action = { 0, 0, 0, 0 };
	long pid = system_call(SYS_getpid, 0, 0, 0, 0);
	long tid = system_call(SYS_gettid, 0, 0, 0, 0);

	system_call(SYS_rt_sigaction, SIGTRAP, (long)&action, 0, 8);
	*(volatile uint64_t *)&context->uc_sigmask &= ~SIGTRAP_BIT;
	system_call(SYS_tgkill, pid, tid, SIGTRAP, 0);
}

/* The kernel's layout. The C library's ucontext_t has a longer mask. */
struct context {
	unsigned long flags;
	void *link;
	stack_t stack;
	mcontext_t machine;
	uint64_t mask;
};

/* The kernel clears these flags for a handler: TF, DF, RF
 * (arch/x86/kernel/signal.c). */
#define HANDLER_CLEARS UINT64_C(0x10500)

static ALWAYS bool
has_shadow_stack(void)
{
	uint64_t pointer = 0;

	__asm__ volatile("rdsspq %0" : "+r"(pointer));
	return pointer != 0;
}

/* If SS_AUTODISARM has disabled the alternate stack, it must stay disabled. */
static ALWAYS void
keep_alternate_stack(struct context *context)
{
	system_call(SYS_sigaltstack, 0, (long)&context->stack, 0, 0);
}

static ALWAYS uint64_t
handler_mask(const struct inside_header *h, ucontext_t *context)
{
	uint64_t mask = *(volatile uint64_t *)&context->uc_sigmask;

	return (mask | h->program.mask) & ~SIGTRAP_BIT;
}

/*
 * Continues as if the kernel had called the program's handler. One sigreturn
 * sets mask and pc together: afterwards our frame is not on the stack, and no
 * signal was delivered in between. The memory below the stack pointer is free.
 */
static ALWAYS void
become(struct inside_header *h, int signal, siginfo_t *info,
       ucontext_t *context, uint64_t handler)
{
	struct context next;
	greg_t *registers;
	uint64_t *frame = (uint64_t *)context - 1, size = sizeof(next);
	void *to = &next, *from = context;

	__asm__ volatile("rep movsb"
			 : "+D"(to), "+S"(from), "+c"(size)
			 :
			 : "memory");
	keep_alternate_stack(&next);
	registers = next.machine.gregs;
	if (h->program.restorer)
		*frame = h->program.restorer;
	registers[REG_RIP] = (greg_t)handler;
	registers[REG_RSP] = (greg_t)frame;
	registers[REG_RDI] = signal;
	registers[REG_RSI] = (greg_t)info;
	registers[REG_RDX] = (greg_t)context;
	registers[REG_RAX] = 0;
	registers[REG_EFL] &= (greg_t)~HANDLER_CLEARS;
	next.machine.fpregs = 0; /* a handler starts with fresh FPU state */
	next.mask = handler_mask(h, context);
	__asm__ volatile("mov %0, %%rsp\n"
			 "mov $15, %%eax\n"
			 "syscall\n"
			 "ud2"
			 :
			 : "r"(&next)
			 : "memory");
	__builtin_unreachable();
}

/* Calls the program's handler like the kernel, but with SIGTRAP unblocked,
 * because a trap in it must reach our handler. sigreturn(2) restores the
 * mask. */
static ALWAYS void
call_program(struct inside_header *h, int signal, siginfo_t *info,
	     ucontext_t *context)
{
	uint64_t handler = h->program.handler;
	uint64_t mask = handler_mask(h, context);

	if (h->program.flags & SA_RESETHAND)
		h->program.handler = (uint64_t)(uintptr_t)SIG_DFL;
	if (!has_shadow_stack())
		become(h, signal, info, context, handler);
	/* With a shadow stack the handler is called. Then it cannot return
	 * to another address, and cannot use sigreturn(2) without returning
	 * here. */
	system_call(SYS_rt_sigprocmask, SIG_SETMASK, (long)&mask, 0,
		    sizeof(mask));
	((void (*)(int, siginfo_t *, void *))handler)(signal, info, context);
}

static ALWAYS void
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

/* After "int3" or "int $3" the pc is where the instruction has put it; at any
 * other place, we have moved it. The page before may be unreadable. */
static ALWAYS bool
moved(const struct inside_header *h, uint64_t pc)
{
	const volatile unsigned char *at = (void *)pc;

	if (pc % INSIDE_PAGE < 2)
		return slot_of(h, pc) != 0;
	return at[-1] != 0xcc && !(at[-2] == 0xcd && at[-1] == 3);
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
	else if (info->si_code == SI_KERNEL && moved(h, pc))
		let_go(h, context);
	else if (info->si_code != TRAP_TRACE || registers[REG_EFL] & TRAP_FLAG)
		chain(h, signal, info, context);
}

/* The kernel calls inside_handler; it returns to the restorer
 * (sigreturn(2)). */
__asm__(".section inside, \"ax\", @progbits\n"
	".globl inside_handler, inside_restorer\n"
	"inside_handler:\n"
	"	jmp inside_handle\n"
	"inside_restorer:\n"
	"	mov $15, %eax\n"
	"	syscall\n"
	".previous\n");
