/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The last acts (base/die.h). The state is global because a signal handler
 * must find it; only base/log has such a state, too. If a second fault happens
 * while an act runs, the next act follows, because each act is unlinked before
 * it is run.
 *
 * Only async-signal-safe functions are used (signal-safety(7)). vsnprintf() is
 * not in that list, but glibc's version uses no heap memory for the integer and
 * string conversions in our messages. A fault may happen in the middle of
 * malloc(), and then malloc's lock is never released: an allocation here would
 * block forever, and the tracees would stay stopped.
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
#define THREADS 2 /* xtrace's own threads */

#define CALLERS 16 /* return addresses that are printed */
/* how many words of the stack are searched for return addresses */
#define CALLERS_WITHIN 512

extern const char __executable_start[], etext[]; /* defined by ld(1) */

static struct {
	int descriptor;
	struct last_act *acts;
	pid_t acts_thread; /* the thread that registered the acts */
	struct last_exit *exit;
	fault_place_fn *place;
	fault_catch_fn *catch_fault;
	bool placing;
	int stacks_used;
	_Alignas(max_align_t) char stacks[THREADS][ALTERNATE_STACK];
} dying = { .descriptor = STDERR_FILENO };

static const struct fault {
	int signal;
	const char *name; /* constant: strsignal(3) may allocate memory */
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
	dying.acts_thread = gettid();
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

void
die_say(const char *text)
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

/* The kernel may deliver a signal sent with kill(2) to any thread. We pass it
 * on to the thread that registered the acts; if another thread ran the acts,
 * that thread would still be running beside them. */
static bool
pass_on(int signal, const siginfo_t *info)
{
	return info->si_code == SI_USER && dying.acts &&
	       dying.acts_thread != gettid() &&
	       tgkill(getpid(), dying.acts_thread, signal) == 0;
}

static void
say_number(const char *before, uintptr_t number)
{
	char text[64];

	snprintf(text, sizeof(text), "%s%#lx", before, (unsigned long)number);
	die_say(text);
}

uintptr_t
die_pc(const void *context)
{
	return dying.place ? dying.place(context).pc : 0;
}

bool
die_is_own_code(uintptr_t pc)
{
	return pc >= (uintptr_t)__executable_start && pc < (uintptr_t)etext;
}

/* Prints our own code as "+0x1a2b", the form that addr2line(1) accepts. */
static void
say_code(const char *before, uintptr_t pc)
{
	die_say(before);
	if (die_is_own_code(pc))
		say_number("+", pc - (uintptr_t)__executable_start);
	else
		say_number("", pc);
}

/*
 * Prints the words on the stack that look like return addresses, because an
 * unwinder cannot be used while a fault is handled. The search may read beyond
 * the end of the stack. The second fault that this causes ends the line and
 * continues with the next one.
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
	say_number("xtrace: fault at address ", (uintptr_t)info->si_addr);
	say_code(", code ", place.pc);
	stack = (const uintptr_t *)(place.sp & ~(sizeof(*stack) - 1));
	for (int i = 0; i < CALLERS_WITHIN && callers < CALLERS; i++) {
		if (die_is_own_code(stack[i]))
			say_code(callers++ == 0 ? ", perhaps called from "
						: " ",
				 stack[i]);
	}
	dying.placing = false;
	die_say("\n");
}

static void
try_catch(int signal, const siginfo_t *info, const void *context)
{
	/* The kernel's codes are positive (sigaction(2)). */
	if (signal == SIGSEGV && info->si_code > 0 && dying.catch_fault &&
	    dying.place)
		dying.catch_fault((uintptr_t)info->si_addr,
				  dying.place(context).pc);
}

static void
on_fault(int signal, siginfo_t *info, void *context)
{
	const char *name = "signal";

	if (pass_on(signal, info))
		return;
	try_catch(signal, info, context);
	run_last_acts();
	if (dying.placing)
		die_say("\n");
	say_place(info, context);
	for (size_t i = 0; i < array_size(faults); i++) {
		if (faults[i].signal == signal)
			name = faults[i].name;
	}
	die_say("xtrace: internal error: ");
	die_say(name);
	die_say(", the traced processes were let go\n");
	leave();
}

void
die_exit_by(struct last_exit *last)
{
	dying.exit = last;
}

void
die_catch_by(fault_catch_fn *catch_fault)
{
	dying.catch_fault = catch_fault;
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
	die_say("xtrace: ");
	die_say(clean);
	die_say("\n");
	leave();
}
