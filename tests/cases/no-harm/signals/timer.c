/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A timer of 10 kHz. Its handler checks the address that it interrupted, and
 * makes a traced call, sometimes of the interrupted function itself. Every call
 * is in the trace once, and the program makes progress. The interrupted address
 * is always in the text of the program or of a library.
 *
 * FILE: p.conf: int f(int);
 * FILE: p.conf: int g(int);
 * CFLAGS: -O2
 * TIMEOUT: 120
 *
 * RUN: xtrace --pid=never -F p.conf -x f+g %t handler
 * COUNT: 5000 f(1%any
 * COUNT: 100 f(3%any
 * COUNT: 100 g(4%any
 * ABSENT:
 *   %any<unwound>%any
 *
 * RUN: xtrace --pid=never -F p.conf -x f+g %t stack
 * COUNT: 5000 f(1%any
 * COUNT: 100 f(3%any
 * COUNT: 100 g(4%any
 *
 * RUN: xtrace --pid=never -F p.conf -x f+g %t jump
 * COUNT: 5000 f(1%any
 * COUNT: 100 f(3%any
 * COUNT: 100 g(4%any
 *
 * RUN: xtrace --pid=never -F p.conf -x f+g %t stack-jump
 * COUNT: 5000 f(1%any
 * COUNT: 100 f(3%any
 * COUNT: 100 g(4%any
 *
 * RUN: xtrace --pid=never -F p.conf -x f+g -p %p
 * ATTACH:
 * COUNT: 5000 f(1%any
 * COUNT: 100 f(3%any
 * COUNT: 100 g(4%any
 */
#define _GNU_SOURCE
#include "subject.h"
#include <link.h>
#include <setjmp.h>
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <ucontext.h>

#define CALLS 5000
#define HANDLED 100

static volatile int ticks, strange, outside;
static volatile uintptr_t strangest;
static int jumps;
static volatile int jumped;
static sigjmp_buf place;
static volatile int may_jump;
static struct {
	uintptr_t start, end;
} text[64];
static int texts;

NOINLINE int
f(int x)
{
	OPAQUE(x);
	return x;
}

NOINLINE int
g(int x)
{
	OPAQUE(x);
	return x;
}

static int
note_text(struct dl_phdr_info *info, size_t size, void *unused)
{
	(void)size;
	(void)unused;
	for (int i = 0; i < info->dlpi_phnum; i++) {
		const ElfW(Phdr) *p = &info->dlpi_phdr[i];

		if (p->p_type != PT_LOAD || !(p->p_flags & PF_X))
			continue;
		text[texts].start = info->dlpi_addr + p->p_vaddr;
		text[texts++].end = info->dlpi_addr + p->p_vaddr + p->p_memsz;
	}
	return 0;
}

static void
handler(int number, siginfo_t *info, void *frame)
{
	uintptr_t pc =
		(uintptr_t)((ucontext_t *)frame)->uc_mcontext.gregs[REG_RIP];
	int known = 0;

	(void)number;
	(void)info;
	for (int i = 0; i < texts; i++)
		known += pc >= text[i].start && pc < text[i].end;
	if (!known) {
		strange++;
		strangest = pc;
	}
	if (ticks < HANDLED && (f(3) != 3 || g(4) != 4))
		outside++;
	ticks++;
	/*
	 * siglongjmp() restores the mask before it jumps. The next signal may
	 * come at once, and its handler must not jump as well, because the
	 * stack would grow with each jump.
	 */
	if (jumps && may_jump) {
		may_jump = 0;
		jumped++;
		siglongjmp(place, 1);
	}
}

int
main(int argc, char **argv)
{
	struct itimerval time = { { 0, 100 }, { 0, 100 } };
	struct sigaction action = { .sa_sigaction = handler,
				    .sa_flags = SA_SIGINFO | SA_RESTART };
	const char *how = argc > 1 ? argv[1] : "handler";
	volatile int i = 0;

	jumps = strstr(how, "jump") != NULL;
	if (!strncmp(how, "stack", 5)) {
		stack_t stack = { .ss_size = 1 << 16 };

		stack.ss_sp = mmap(0, stack.ss_size, PROT_READ | PROT_WRITE,
				   MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
		sigaltstack(&stack, 0);
		action.sa_flags |= SA_ONSTACK;
	}
	if (argc < 2)
		ready();
	dl_iterate_phdr(note_text, 0);
	sigaction(SIGALRM, &action, 0);
	setitimer(ITIMER_REAL, &time, 0);
	while (i < CALLS) {
		/*
		 * An interrupted turn begins again. The counted calls are made
		 * where no handler jumps. Every 50th turn waits for a jump.
		 */
		if (sigsetjmp(place, 1))
			continue;
		may_jump = 1;
		for (volatile int spin = 0;
		     spin < 100 || (jumps && jumped <= i / 50); spin++)
			;
		may_jump = 0;
		if (f(1) != 1)
			return 1;
		i++;
	}
	while (ticks < HANDLED)
		;
	memset(&time, 0, sizeof(time));
	setitimer(ITIMER_REAL, &time, 0);
	if (strange) {
		char line[64];

		snprintf(line, sizeof(line), "WRONG: interrupted at %#lx",
			 (unsigned long)strangest);
		say(line);
	}
	return strange || outside;
}
