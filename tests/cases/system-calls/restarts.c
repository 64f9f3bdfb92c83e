/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A call that a signal interrupts ends with the kernel's code for a restart.
 * After the handler of the signal the call is made again, or fails with EINTR.
 *
 * RUN: xtrace -F %c/../../../etc -L -S 'read+pause+rt_sig*+clock_nano*' -b %t
 * CONTAINS:
 *   read@SYS(3, %hex, 1) = ? ERESTARTSYS (restarts if SA_RESTART is set)
 *   rt_sigreturn@SYS() = 0
 *   read@SYS(3, "x", 1) = 1
 *   read@SYS(3, %hex, 1) = ? ERESTARTSYS (restarts if SA_RESTART is set)
 *   rt_sigreturn@SYS() = -1 EINTR (Interrupted system call)
 *   pause@SYS() = ? ERESTARTNOHAND (restarts if no handler runs)
 *   rt_sigreturn@SYS() = -1 EINTR (Interrupted system call)
 *   clock_nanosleep%any = ? ERESTART_RESTARTBLOCK %any
 *   rt_sigreturn@SYS() = -1 EINTR (Interrupted system call)
 *   +++ exited (status 0) +++
 */
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static int ends[2];

static void
handler(int number)
{
	if (number == SIGUSR1 && write(ends[1], "x", 1) != 1)
		_exit(2);
}

/* A child that sends a signal when this process sleeps in its call. */
static void
sends(int number)
{
	pid_t parent = getpid();
	char path[64], state = 0;

	if (fork())
		return;
	snprintf(path, sizeof(path), "/proc/%d/stat", parent);
	do {
		FILE *file = fopen(path, "r");

		if (!file || fscanf(file, "%*d %*s %c", &state) != 1)
			_exit(1);
		fclose(file);
		usleep(10000);
	} while (state != 'S');
	kill(parent, number);
	_exit(0);
}

/* Makes the call, which the signal interrupts, and prints its result. */
#define INTERRUPTED(number, call)                           \
	do {                                                \
		long result;                                \
                                                            \
		sends(number);                              \
		errno = 0;                                  \
		result = (call);                            \
		printf("%ld %d\n", result, errno == EINTR); \
		while (wait(NULL) < 0 && errno == EINTR)    \
			;                                   \
	} while (0)

static void
act(int number, int flags)
{
	struct sigaction action = { .sa_handler = handler, .sa_flags = flags };

	sigaction(number, &action, NULL);
}

int
main(void)
{
	const struct timespec time = { .tv_sec = 60 };
	char c;

	if (pipe(ends) < 0)
		return 1;
	act(SIGUSR1, SA_RESTART);
	act(SIGUSR2, 0);
	INTERRUPTED(SIGUSR1, read(ends[0], &c, 1));
	INTERRUPTED(SIGUSR2, read(ends[0], &c, 1));
	INTERRUPTED(SIGUSR2, pause());
	INTERRUPTED(SIGUSR2, clock_nanosleep(CLOCK_MONOTONIC, 0, &time, NULL));
	return 0;
}
