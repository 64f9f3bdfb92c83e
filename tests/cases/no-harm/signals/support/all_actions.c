/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Asks for the action of each signal at one place, in a loop, as PHP does. Each
 * round sets an action for SIGTRAP, which the next round must be told.
 *
 * CFLAGS: -O1
 */
#include <subject.h>

#include <signal.h>

#define ROUNDS 6

static void
one(int signal)
{
	(void)signal;
}

static void
other(int signal)
{
	(void)signal;
}

/* The only place at which the program calls sigaction(). */
NOINLINE int
act(int signal, const struct sigaction *fresh, struct sigaction *old)
{
	int result = sigaction(signal, fresh, old);

	OPAQUE(result);
	return result;
}

int
main(void)
{
	void (*set)(int) = SIG_DFL;

	for (int round = 0; round < ROUNDS; round++) {
		void (*next)(int) = round % 2 ? one : other;

		for (int i = 1; i <= 31; i++) {
			const struct sigaction fresh = { .sa_handler = next };
			struct sigaction old;

			if (act(i, i == SIGTRAP ? &fresh : NULL, &old))
				return 1;
			if (i == SIGTRAP && old.sa_handler != set)
				return 2;
		}
		set = next;
	}
	return 0;
}
