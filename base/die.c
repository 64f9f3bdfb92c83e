/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Dying well. The state is global because a signal handler must find it; it
 * is the one such state in the program beside base/log. A second fault while
 * the acts run goes on with the next act: each is unlinked before it is run.
 *
 * Only async-signal-safe functions are used (signal-safety(7)); vsnprintf is
 * not in that list, but glibc's touches no heap for the integer and string
 * conversions that our messages use. A fault may have come in the midst of
 * malloc, whose lock is then held for ever: whoever allocates here hangs, and
 * all that we hold hangs with us.
 */
#include "base/die.h"

#include "base/escape.h"
#include "base/log.h"

#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define ALTERNATE_STACK 65536
#define THREADS 2 /* of ours */

#define CALLERS 16	   /* of a fault, at most, */
#define CALLERS_WITHIN 512 /* in so many words of its stack */

extern const char __executable_start[], etext[]; /* ld(1) */

static struct {
	int descriptor;
	struct last_act *acts;
	pid_t actor; /* the thread whose they are */
	struct last_exit *exit;
	fault_place_fn *place;
	bool placing;
	int stacks_used;
	_Alignas(max_align_t) char stacks[THREADS][ALTERNATE_STACK];
} dying = { .descriptor = STDERR_FILENO };

static const struct fault {
	int signal;
	const char *name; /* strsignal(3) may ask for memory */
} faults[] = {
	{ SIGABRT, "assertion failed" },
	{ SIGSEGV, "Segmentation fault" },
	{ SIGBUS, "Bus error" },
	{ SIGILL, "Illegal instruction" },
	{ SIGFPE, "Floating point exception" },
};

void
die_register(struct last_act *act)
{
	act->next = dying.acts;
	dying.acts = act;
	dying.actor = gettid();
}

void
die_unregister(struct last_act *act)
{
	struct last_act **link;

	for (link = &dying.acts; *link; link = &(*link)->next) {
		if (*link == act) {
			*link = act->next;
			return;
		}
	}
}

static void
run_last_acts(void)
{
	while (dying.acts) {
		struct last_act *act = dying.acts;

		dying.acts = act->next;
		act->run(act);
	}
}

static void
say(const char *text)
{
	size_t length = strlen(text);

	while (length > 0) {
		ssize_t n = write(dying.descriptor, text, length);

		if (n <= 0)
			return;
		text += n;
		length -= (size_t)n;
	}
}

static never_returns void
leave(void)
{
	struct last_exit *last = dying.exit;

	log_dump(dying.descriptor);
	dying.exit = NULL;
	if (last)
		last->run(last);
	_exit(1);
}

/* Of what kill(2) sends the kernel lets the first thread have. Were the acts
 * run there, the thread whose they are would go on beside them. */
static bool
pass_on(int signal, const siginfo_t *info)
{
	return info->si_code == SI_USER && dying.acts &&
	       dying.actor != gettid() &&
	       tgkill(getpid(), dying.actor, signal) == 0;
}

static void
say_number(const char *before, uintptr_t number)
{
	char text[64];

	snprintf(text, sizeof(text), "%s%#lx", before, (unsigned long)number);
	say(text);
}

static bool
is_our_code(uintptr_t pc)
{
	return pc >= (uintptr_t)__executable_start && pc < (uintptr_t)etext;
}

/* "+0x1a2b" for our own code, as addr2line(1) takes it. */
static void
say_code(const char *before, uintptr_t pc)
{
	say(before);
	if (is_our_code(pc))
		say_number("+", pc - (uintptr_t)__executable_start);
	else
		say_number("", pc);
}

/*
 * What looks like a return address on the stack stands for the calls: no
 * unwinder can be asked within a fault. The end of the stack may be near;
 * the fault of reading beyond it ends this line and goes on with the next.
 */
no_redzones static void
say_place(const siginfo_t *info, const void *context)
{
	fault_place_fn *locate = dying.place;
	struct fault_place place;
	const uintptr_t *stack;
	int callers = 0;

	if (!locate || info->si_code <= 0)
		return;
	dying.place = NULL;
	dying.placing = true;
	place = locate(context);
	say_number("xtrace: a fault of ours, address ",
		   (uintptr_t)info->si_addr);
	say_code(", code ", place.pc);
	stack = (const uintptr_t *)(place.sp & ~(sizeof(*stack) - 1));
	for (int i = 0; i < CALLERS_WITHIN && callers < CALLERS; i++) {
		if (is_our_code(stack[i]))
			say_code(callers++ == 0 ? ", perhaps called from "
						: " ",
				 stack[i]);
	}
	dying.placing = false;
	say("\n");
}

static void
on_fault(int signal, siginfo_t *info, void *context)
{
	const char *name = "signal";

	if (pass_on(signal, info))
		return;
	run_last_acts();
	if (dying.placing)
		say("\n");
	say_place(info, context);
	for (size_t i = 0; i < array_size(faults); i++) {
		if (faults[i].signal == signal)
			name = faults[i].name;
	}
	say("xtrace: internal error: ");
	say(name);
	say(", the traced processes were let go\n");
	leave();
}

void
die_exit_by(struct last_exit *last)
{
	dying.exit = last;
}

void
die_thread(void)
{
	stack_t stack = { .ss_size = ALTERNATE_STACK };

	if (dying.stacks_used == THREADS)
		return;
	stack.ss_sp = dying.stacks[dying.stacks_used++];
	sigaltstack(&stack, NULL);
}

void
die_thread_ends(void)
{
	const stack_t none = { .ss_flags = SS_DISABLE };

	sigaltstack(&none, NULL);
}

void
die_init(int descriptor, fault_place_fn *place)
{
	struct sigaction action = { .sa_sigaction = on_fault,
				    .sa_flags = SA_ONSTACK | SA_NODEFER |
						SA_SIGINFO };

	dying.descriptor = descriptor;
	dying.place = place;
	die_thread();
	for (size_t i = 0; i < array_size(faults); i++)
		sigaction(faults[i].signal, &action, NULL);
}

void
die(const char *format, ...)
{
	char text[512], clean[sizeof(text)];
	va_list arguments;

	run_last_acts();
	va_start(arguments, format);
	vsnprintf(text, sizeof(text), format, arguments);
	va_end(arguments);
	escape_name_into(clean, sizeof(clean), text);
	say("xtrace: ");
	say(clean);
	say("\n");
	leave();
}
