/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * At each line of input: sets another action for SIGTRAP if the line asks for
 * it, calls f, and prints the action as the library, the kernel and /proc tell
 * it. See action.py.
 */
#define _GNU_SOURCE
#include "subject.h"
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/syscall.h>

/* The struct that rt_sigaction(2) takes. */
struct action {
	uintptr_t handler, flags, restorer, mask;
};

NOINLINE int
f(int x)
{
	OPAQUE(x);
	return x;
}

static void
trapped(int number)
{
	(void)number;
}

static void
trapped_too(int number, siginfo_t *info, void *frame)
{
	(void)number;
	(void)info;
	(void)frame;
}

static void
set(const char *what)
{
	struct sigaction action = { .sa_handler = SIG_DFL };

	if (!strcmp(what, "ignore")) {
		action.sa_handler = SIG_IGN;
	} else if (!strcmp(what, "handler")) {
		action.sa_handler = trapped;
		action.sa_flags = SA_RESTART | SA_NODEFER;
		sigaddset(&action.sa_mask, SIGUSR2);
	} else if (!strcmp(what, "siginfo")) {
		action.sa_sigaction = trapped_too;
		action.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_RESETHAND;
		sigfillset(&action.sa_mask);
	} else if (strcmp(what, "default")) {
		return;
	}
	sigaction(SIGTRAP, &action, 0);
}

/*
 * Prints handler, flags and mask twice, from the library and from the kernel,
 * and the lines of /proc about signals.
 */
static void
tell(void)
{
	struct action raw = { 0 };
	struct sigaction action;
	uintptr_t mask;
	char line[256];
	FILE *file = fopen("/proc/thread-self/status", "r");

	sigaction(SIGTRAP, 0, &action);
	memcpy(&mask, &action.sa_mask, sizeof(mask));
	snprintf(line, sizeof(line), "library %#lx %#lx %#lx",
		 (unsigned long)(uintptr_t)action.sa_handler,
		 (unsigned long)action.sa_flags & ~0x04000000UL, mask);
	say(line);
	syscall(SYS_rt_sigaction, SIGTRAP, 0, &raw, sizeof(mask));
	snprintf(line, sizeof(line), "kernel %#lx %#lx %#lx %#lx", raw.handler,
		 raw.flags, raw.restorer, raw.mask);
	say(line);
	while (file && fgets(line, sizeof(line), file)) {
		if (strncmp(line, "Sig", 3) || !strncmp(line, "SigQ", 4))
			continue;
		line[strcspn(line, "\n")] = '\0';
		say(line);
	}
	if (file)
		fclose(file);
	say("told");
}

int
main(int argc, char **argv)
{
	static char words[64];

	set(argc > 1 ? argv[1] : "");
	tell();
	while (fgets(words, sizeof(words), stdin)) {
		words[strcspn(words, "\n")] = '\0';
		set(words);
		if (f(7) != 7)
			return 1;
		tell();
	}
	return 0;
}
