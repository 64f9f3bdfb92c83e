/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * xtrace attaches while two threads are inside pthread_sigmask(), behind its
 * first instruction and before its system call, which blocks SIGTRAP. No guard
 * sees these calls. Both threads must still block SIGTRAP after their first
 * traps, which they hit together, because xtrace is stopped meanwhile.
 *
 * The threads are held by a page that userfaultfd(2) delivers when f has a
 * trap, or a tenth of a second after pthread_sigmask() has one.
 *
 * FILE: p.conf: int f(int);
 * LDFLAGS: -pthread
 * NEEDS: root
 *
 * RUN: xtrace -F p.conf -x f -p %p
 * ATTACH:
 * CONTAINS:
 *   %any+++ exited (status 0) +++
 */
#define _GNU_SOURCE
#include "subject.h"
#include <fcntl.h>
#include <linux/userfaultfd.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>

#define PAGE 4096
#define THREADS 2
#define TENTH_NS 100000000

static void *page;
static volatile pid_t tids[THREADS];
static volatile int go;
static int outside, kept;

NOINLINE static int
f(int x)
{
	OPAQUE(x);
	return x;
}

static void *
mask(void *argument)
{
	sigset_t got;

	tids[(long)argument] = gettid();
	pthread_sigmask(SIG_BLOCK, page, 0);
	__atomic_add_fetch(&outside, 1, __ATOMIC_SEQ_CST);
	while (!go)
		sched_yield();
	f(1);
	pthread_sigmask(SIG_SETMASK, 0, &got);
	__atomic_add_fetch(&kept, sigismember(&got, SIGTRAP), __ATOMIC_SEQ_CST);
	return 0;
}

/* The number and the first character of a field of /proc/PID/status. */
static char
field(pid_t pid, const char *name, int *ret_number)
{
	static char text[4096];
	const char *found;
	char path[64];
	ssize_t n;
	int file;

	snprintf(path, sizeof(path), "/proc/%d/status", pid);
	file = open(path, O_RDONLY | O_CLOEXEC);
	n = read(file, text, sizeof(text) - 1);
	close(file);
	if (n <= 0)
		return 0;
	text[n] = '\0';
	found = strstr(text, name);
	if (!found)
		return 0;
	*ret_number = atoi(found + strlen(name));
	return found[strlen(name)];
}

static int
tracer(void)
{
	int pid = 0;

	field(tids[0], "TracerPid:\t", &pid);
	return pid;
}

static int
is_in(pid_t pid, char state)
{
	int number;

	return field(pid, "State:\t", &number) == state;
}

static int64_t
now(void)
{
	struct timespec time;

	clock_gettime(CLOCK_MONOTONIC, &time);
	return time.tv_sec * INT64_C(1000000000) + time.tv_nsec;
}

static int
has_trap(const void *at)
{
	return *(const volatile unsigned char *)at == 0xcc;
}

static int
open_faults(void)
{
	struct uffdio_api api = { .api = UFFD_API };
	struct uffdio_register range = {
		.mode = UFFDIO_REGISTER_MODE_MISSING,
	};
	int faults = (int)syscall(SYS_userfaultfd, O_CLOEXEC);

	page = mmap(0, PAGE, PROT_READ | PROT_WRITE,
		    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	range.range.start = (uint64_t)(uintptr_t)page;
	range.range.len = PAGE;
	if (faults < 0 || ioctl(faults, UFFDIO_API, &api) < 0 ||
	    ioctl(faults, UFFDIO_REGISTER, &range) < 0)
		_exit(97);
	return faults;
}

static void
await_faults(int faults)
{
	struct uffd_msg message;

	for (int i = 0; i < THREADS; i++)
		if (read(faults, &message, sizeof(message)) !=
		    (ssize_t)sizeof(message))
			_exit(96);
}

static void
deliver(int faults)
{
	static char bytes[PAGE] __attribute__((aligned(PAGE)));
	struct uffdio_copy copy = {
		.dst = (uint64_t)(uintptr_t)page,
		.src = (uint64_t)(uintptr_t)bytes,
		.len = PAGE,
	};

	sigaddset((sigset_t *)(void *)bytes, SIGTRAP);
	if (ioctl(faults, UFFDIO_COPY, &copy) < 0)
		_exit(95);
}

/* Waits for all traps. Returns 0 if a line says that there is no tracer. */
static int
await_traps(void)
{
	struct pollfd line = { 0, POLLIN, 0 };
	int64_t since = 0;

	while (!has_trap(f) && (!since || now() - since < TENTH_NS)) {
		if (!since && has_trap(pthread_sigmask))
			since = now();
		if (!tracer() && poll(&line, 1, 1) > 0)
			return 0;
	}
	return 1;
}

/* Both threads hit their traps while the tracer is stopped. */
static void
trap_together(void)
{
	pid_t pid = tracer();

	while (!has_trap(f))
		sched_yield();
	kill(pid, SIGSTOP);
	while (!is_in(pid, 'T'))
		sched_yield();
	go = 1;
	while (!is_in(tids[0], 't') || !is_in(tids[1], 't'))
		sched_yield();
	kill(pid, SIGCONT);
}

/* With an argument, the program first waits for a line of input. */
int
main(int argc, char **argv)
{
	int faults = open_faults(), traced;
	pthread_t threads[THREADS];

	if (argc > 1) {
		say(argv[1]);
		await_line();
	}
	for (long i = 0; i < THREADS; i++)
		pthread_create(&threads[i], 0, mask, (void *)i);
	await_faults(faults);
	say("ready");
	traced = await_traps();
	deliver(faults);
	while (__atomic_load_n(&outside, __ATOMIC_SEQ_CST) < THREADS)
		sched_yield();
	if (traced)
		trap_together();
	go = 1;
	for (int i = 0; i < THREADS; i++)
		pthread_join(threads[i], 0);
	await_line();
	return kept != THREADS;
}
