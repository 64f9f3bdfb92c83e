/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Forks all the time from several threads. Each child compares the first bytes
 * of f, calls it and exits with 43. Another thread calls f with SIGTRAP
 * blocked. Exits with 0 if each child was right.
 *
 * LDFLAGS: -pthread
 */
#include "subject.h"

#include <pthread.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>

#define FORKERS 2
#define PAGES (2048 * 4096) /* so large that a fork takes some time */

static _Atomic int stop, changed, died, children;
static unsigned char own[16];

EXPORT NOINLINE long
f(long x)
{
	OPAQUE(x);
	return x * 3 + 1;
}

static int
child(void)
{
	if (memcmp(own, (const void *)f, sizeof(own)))
		return 44;
	return f(5) == 16 ? 43 : 45;
}

static void *
forker(void *argument)
{
	while (!stop) {
		pid_t pid = fork();
		int status;

		if (pid == 0)
			_exit(child());
		if (waitpid(pid, &status, 0) != pid)
			_exit(3);
		children++;
		changed += WIFEXITED(status) && WEXITSTATUS(status) == 44;
		died += !WIFEXITED(status) || WEXITSTATUS(status) == 45;
	}
	return argument;
}

static void *
blocker(void *argument)
{
	sigset_t set;

	sigemptyset(&set);
	sigaddset(&set, SIGTRAP);
	pthread_sigmask(SIG_BLOCK, &set, 0);
	while (!stop)
		if (f(7) != 22)
			_exit(4);
	return argument;
}

int
main(void)
{
	pthread_t threads[FORKERS + 1];
	char *memory = mmap(0, PAGES, PROT_READ | PROT_WRITE,
			    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	char line[16];

	memcpy(own, (const void *)f, sizeof(own));
	memset(memory, 1, PAGES);
	for (int i = 0; i < FORKERS; i++)
		pthread_create(&threads[i], 0, forker, 0);
	pthread_create(&threads[FORKERS], 0, blocker, 0);
	say("ready");
	if (!fgets(line, sizeof(line), stdin))
		return 5;
	stop = 1;
	for (int i = 0; i <= FORKERS; i++)
		pthread_join(threads[i], 0);
	printf("%d of %d children changed, %d died\n", changed, children, died);
	return changed || died;
}
