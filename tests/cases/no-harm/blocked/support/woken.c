/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * woken CPU HOGS: a thread of SCHED_IDLE on that CPU blocks in recv() with a
 * time limit, and the main thread blocks in read(). HOGS child processes, which
 * first stop themselves, keep the CPU busy when they are continued. The thread
 * begins at a line of input. At the next line, the main thread gives the socket
 * a much longer time limit and writes "longer"; this limit counts only if recv()
 * begins again. The thread writes how its recv() ended: "once" if it slept once,
 * "twice" if it slept again after the limit was over. A thread that waits for a
 * CPU does not sleep, but a thread that xtrace has stopped does.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#define LIMIT_MS 400
#define LONGER_MS 10000
#define SAME_MOMENT_MS 5

__attribute__((noinline)) void f(int n);

void
f(int n)
{
	__asm__ volatile("" : : "r"(n));
}

static int64_t
now_ms(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

/* How long this thread has run or waited for a CPU. */
static int64_t
awake_ms(void)
{
	unsigned long long cpu = 0, delay = 0;
	FILE *file = fopen("/proc/thread-self/schedstat", "re");

	if (!file || fscanf(file, "%llu %llu", &cpu, &delay) != 2)
		exit(3);
	fclose(file);
	return (int64_t)((cpu + delay) / 1000000);
}

struct moment {
	int64_t now, awake;
};

/* Reads both clocks. Reads them again if the thread waited for its CPU between
 * the two, because then they do not tell the same moment. */
static struct moment
read_moment(void)
{
	struct moment moment;

	do {
		moment.now = now_ms();
		moment.awake = awake_ms();
	} while (now_ms() - moment.now > SAME_MOMENT_MS);
	return moment;
}

static long
sleeps(void)
{
	struct rusage usage;

	getrusage(RUSAGE_THREAD, &usage);
	return usage.ru_nvcsw;
}

static void
hog(void)
{
	pid_t pid = fork();
	volatile unsigned n = 0;

	if (pid) {
		printf("%d ", pid);
		return;
	}
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	raise(SIGSTOP);
	for (;;)
		n = n + 1;
}

static int ends[2];

static int
limit_time(int ms)
{
	const struct timeval limit = { ms / 1000, ms % 1000 * 1000 };

	return setsockopt(ends[0], SOL_SOCKET, SO_RCVTIMEO, &limit,
			  sizeof(limit));
}

static void *
receive(void *unused)
{
	struct sched_param none = { 0 };
	struct moment before, after;
	int error, slept;
	ssize_t got;
	char byte;
	long times;

	(void)unused;
	if (sched_setscheduler(0, SCHED_IDLE, &none) < 0 ||
	    socketpair(AF_UNIX, SOCK_STREAM, 0, ends) < 0 ||
	    limit_time(LIMIT_MS) < 0)
		exit(2);
	times = sleeps();
	before = read_moment();
	got = recv(ends[0], &byte, 1, 0);
	error = errno;
	after = read_moment();
	times = sleeps() - times;
	slept = (int)(after.now - before.now - (after.awake - before.awake));
	printf("%s %s after %d ms, %ld sleeps of %d ms\n",
	       got < 0 ? strerrorname_np(error) : "data",
	       times > 1 && slept > LIMIT_MS + LONGER_MS / 2 ? "twice" : "once",
	       (int)(after.now - before.now), times, slept);
	return NULL;
}

int
main(int argc, char **argv)
{
	cpu_set_t cpus, before;
	sigset_t child;
	pthread_t thread;
	char line[16];

	if (argc != 3)
		return 1;
	setbuf(stdout, NULL);
	/* woken.py stops the child processes; each stop sends a SIGCHLD. */
	sigemptyset(&child);
	sigaddset(&child, SIGCHLD);
	sigprocmask(SIG_BLOCK, &child, NULL);
	sched_getaffinity(0, sizeof(before), &before);
	CPU_ZERO(&cpus);
	CPU_SET((size_t)atoi(argv[1]), &cpus);
	if (sched_setaffinity(0, sizeof(cpus), &cpus) < 0)
		return 1;
	for (int i = 0; i < atoi(argv[2]); i++)
		hog();
	puts("hogs");
	if (!fgets(line, sizeof(line), stdin) ||
	    pthread_create(&thread, NULL, receive, NULL) ||
	    sched_setaffinity(0, sizeof(before), &before) < 0)
		return 1;
	if (!fgets(line, sizeof(line), stdin) || limit_time(LONGER_MS) < 0)
		return 1;
	puts("longer");
	while (fgets(line, sizeof(line), stdin))
		f(line[0]);
	return pthread_join(thread, NULL);
}
