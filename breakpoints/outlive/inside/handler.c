/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The SIGTRAP handler that runs in the tracee when no tracer is attached any
 * more. It is copied into the tracee as bytes. Therefore it is one section
 * without references to anything outside: no libc, no stack protector, no
 * sanitizer, no tables made by the compiler. The flags in GNUmakefile ensure
 * this, and a test checks it.
 *
 *	a trap (INSIDE_TRAP_CODE) at a site, at a
 *	boundary of a jump, or in a check               -> run its slot
 *	pc is in a slot (we died after moving it there) -> continue
 *	pc is not after a trap (we died after moving it to the site's
 *	instruction, or beyond)                         -> continue
 *	a single-step trap that the program did not set, or that we set
 *	for a nudge                                     -> continue
 *	anything else belongs to the program: its own action, as it was when
 *	we attached; the default action kills the program
 *
 * All signals are blocked in this handler, so a frame of another signal's
 * handler is never above ours. The program's handler is called only if the
 * thread has a shadow stack. Else the thread's context is replaced by the
 * handler's context. Therefore, if no thread has its pc here, no stack has a
 * return address here, except under a shadow stack.
 *
 * As long as xtrace traces the thread, this handler does not run for a trap,
 * because the tracer takes the signal first.
 */
#include "breakpoints/outlive/inside/inside.h"

#include "arch/inside.h"

#include <stddef.h>

#define INSIDE __attribute__((section(INSIDE_SECTION), used))
/* A function that is not inlined would be outside of the section, in .text. */
#define ALWAYS inline __attribute__((always_inline))
#define SIGTRAP_BIT (UINT64_C(1) << (SIGTRAP - 1))

/* The anchor is first in the section (-fno-toplevel-reorder keeps the order).
 * Its content is written when the section is copied. */
INSIDE_ANCHOR;

static ALWAYS struct inside_header *
header(void)
{
	const struct inside_anchor *anchor = inside_anchor_address();

	return (struct inside_header *)(uintptr_t)anchor->data;
}

static ALWAYS uint64_t
slot_of(const struct inside_header *h, uint64_t site)
{
	const struct inside_entry *table = (void *)(uintptr_t)h->table;
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

/* If we died while this thread's signals were held, gives the thread its mask
 * back and returns true. */
static ALWAYS bool
let_go(struct inside_header *h, ucontext_t *context)
{
	uint64_t thread = 0;

	for (uint64_t i = 0; i < INSIDE_HELD; i++) {
		volatile struct inside_held *held = &h->held[i];

		if (!held->thread)
			continue;
		if (!thread)
			thread = (uint64_t)inside_call(SYS_gettid, 0, 0, 0, 0);
		if (held->thread != thread)
			continue;
		*inside_mask(context) = held->mask;
		inside_stop_stepping(context);
		held->thread = 0;
		return true;
	}
	return false;
}

static ALWAYS void
die_of_it(ucontext_t *context)
{
	struct inside_action action = { 0, 0, 0, 0 };
	long pid = inside_call(SYS_getpid, 0, 0, 0, 0);
	long tid = inside_call(SYS_gettid, 0, 0, 0, 0);

	inside_call(SYS_rt_sigaction, SIGTRAP, (long)&action, 0, 8);
	*inside_mask(context) &= ~SIGTRAP_BIT;
	inside_call(SYS_tgkill, pid, tid, SIGTRAP, 0);
}

static ALWAYS uint64_t
handler_mask(const struct inside_header *h, ucontext_t *context)
{
	uint64_t mask = *inside_mask(context);

	return (mask | h->program.mask) & ~SIGTRAP_BIT;
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
	if (!inside_has_shadow_stack())
		inside_become(handler, h->program.restorer, signal, info,
			      context, mask);
	/* With a shadow stack, the CPU lets the program's handler return only
	 * to the code that has called it. So it is called here, and
	 * sigreturn(2) is made when ours returns. */
	inside_call(SYS_rt_sigprocmask, SIG_SETMASK, (long)&mask, 0,
		    sizeof(mask));
	((void (*)(int, siginfo_t *, void *))(uintptr_t)handler)(signal, info,
								 context);
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

/* Have we moved the thread to pc? If it has executed a trapping instruction
 * instead, that instruction is right before pc. The page before pc may be
 * unreadable; then the table tells whether pc is a site. */
static ALWAYS bool
moved(const struct inside_header *h, uint64_t pc)
{
	if (pc % INSIDE_PAGE < INSIDE_TRAP_LONGEST)
		return slot_of(h, pc) != 0;
	return !inside_after_trap(
		(const volatile unsigned char *)(uintptr_t)pc);
}

void INSIDE_HANDLE(int signal, siginfo_t *info, void *frame);

INSIDE void
INSIDE_HANDLE(int signal, siginfo_t *info, void *frame)
{
	struct inside_header *h = header();
	ucontext_t *context = frame;
	bool trapped = info->si_code == INSIDE_TRAP_CODE;
	uint64_t pc = inside_pc(context), slot;

	if (trapped && in_slots(h, pc)) {
		/* No slot begins behind a trap that is in our memory. */
		slot = slot_of(h, pc - INSIDE_TRAP_BEHIND);
		if (slot)
			inside_set_pc(context, slot);
		else
			let_go(h, context);
		return;
	}
	if (info->si_code == TRAP_TRACE && let_go(h, context))
		return;
	slot = trapped ? slot_of(h, pc - INSIDE_TRAP_BEHIND) : 0;
	if (slot)
		inside_set_pc(context, slot);
	else if (trapped && moved(h, pc))
		let_go(h, context);
	else if (info->si_code != TRAP_TRACE || inside_stepping(context))
		chain(h, signal, info, context);
}

/* The kernel calls the handler, which returns to the restorer, if there is one,
 * or makes sigreturn(2) itself. */
INSIDE_ENTRY;
