/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * xtrace attaches while the kernel creates a thread, or a child that shares the
 * memory. The clone began before the thread that clones was seized, so no event
 * reports the clone, and it ends after the seizing. The new task blocks all
 * signals. If it is not traced, it dies of SIGTRAP at its first traced call.
 *
 * The kernel is held within the clone, where it writes the pidfd, by a page
 * that userfaultfd(2) delivers when the thread has a tracer and f a trap, or
 * after a tenth of a second.
 *
 * FILE: p.conf: int f(int);
 * CFLAGS: -fcf-protection=none
 * LDFLAGS: -pthread
 * NEEDS: root
 * VARIANT: thread
 * VARIANT: child -DCHILD
 *
 * RUN: xtrace -f -F p.conf -x f -p %p
 * ATTACH:
 * COUNT: 32 %id f(1) = 1
 *
 * RUN: xtrace -F p.conf -x f -p %p
 * ATTACH:
 * CONTAINS:
 *   %any+++ exited (status 0) +++
 */
#define _GNU_SOURCE
#include "subject.h"
#include <fcntl.h>
#include <linux/sched.h>
#include <linux/userfaultfd.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>

#define PAGE 4096
#define CALLS 32
#define TENTH_NS 100000000

#ifdef CHILD
#define FLAGS (CLONE_VM | CLONE_VFORK | CLONE_PIDFD)
#else
#define FLAGS                                                         \
	(CLONE_VM | CLONE_FS | CLONE_FILES | CLONE_SIGHAND |          \
	 CLONE_THREAD | CLONE_SYSVSEM | CLONE_PIDFD)
#endif

static void *page;
static pid_t cloner;
static volatile int may_call, done, may_end;
static volatile uint64_t mask;
static char stack[1 << 16] __attribute__((aligned(16)));

NOINLINE int
f(int x)
{
	OPAQUE(x);
	return x;
}

/* What the new task does, on its own stack, without the C library. */
__attribute__((used)) static void
live(void)
{
	while (!may_call)
		syscall(SYS_sched_yield);
	for (int i = 0; i < CALLS; i++)
		f(1);
	syscall(SYS_rt_sigprocmask, SIG_SETMASK, 0, &mask, 8);
	done = 1;
	/* main() tells when to end: a child's end has a line in the trace. */
	while (!may_end)
		syscall(SYS_sched_yield);
	for (;;)
		syscall(SYS_exit, 3);
}

static long
make(struct clone_args *how)
{
	long result;

	__asm__ volatile("syscall\n\t"
			 "test %%rax, %%rax\n\t"
			 "jnz 1f\n\t"
			 "xor %%ebp, %%ebp\n\t"
			 "call live\n"
			 "1:"
			 : "=a"(result)
			 : "a"(SYS_clone3), "D"(how), "S"(sizeof(*how))
			 : "rcx", "r11", "memory");
	return result;
}

static void *
clone_one(void *argument)
{
	struct clone_args how = {
		.flags = FLAGS,
		.pidfd = (uint64_t)(uintptr_t)page,
		.stack = (uint64_t)(uintptr_t)stack,
		.stack_size = sizeof(stack),
#ifdef CHILD
		.exit_signal = SIGCHLD,
#endif
	};
	sigset_t all;
	int status = 3 << 8;
	long pid;

	sigfillset(&all);
	pthread_sigmask(SIG_BLOCK, &all, 0);
	cloner = gettid();
	pid = make(&how);
	if (pid < 0)
		_exit(98);
#ifdef CHILD
	waitpid((pid_t)pid, &status, 0);
#endif
	if (status != 3 << 8)
		say("the child has died");
	return argument;
}

static int
has_tracer(pid_t tid)
{
	char path[64], text[4096];
	const char *found;
	ssize_t n;
	int file;

	snprintf(path, sizeof(path), "/proc/self/task/%d/status", tid);
	file = open(path, O_RDONLY | O_CLOEXEC);
	n = read(file, text, sizeof(text) - 1);
	close(file);
	if (n <= 0)
		return 0;
	text[n] = '\0';
	found = strstr(text, "TracerPid:\t");
	return found && atoi(found + strlen("TracerPid:\t")) != 0;
}

static int64_t
now(void)
{
	struct timespec time;

	clock_gettime(CLOCK_MONOTONIC, &time);
	return time.tv_sec * INT64_C(1000000000) + time.tv_nsec;
}

static int
has_trap(void)
{
	return *(volatile unsigned char *)(uintptr_t)f == 0xcc;
}

/* Waits until xtrace attaches, or until a line of input says that it has
 * attached or that no xtrace will come. */
static void
await_seizing(void)
{
	struct pollfd line = { 0, POLLIN, 0 };
	int64_t since;

	while (!has_tracer(cloner) && poll(&line, 1, 1) == 0)
		;
	since = now();
	while (!has_trap() && now() - since < TENTH_NS)
		sched_yield();
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

int
main(void)
{
	int faults = open_faults();
	struct pollfd fault = { faults, POLLIN, 0 };
	struct uffdio_zeropage zero = { .range = { (uint64_t)(uintptr_t)page,
						   PAGE } };
	pthread_t thread;

	pthread_create(&thread, 0, clone_one, 0);
	poll(&fault, 1, -1);
	say("ready");
	await_seizing();
	ioctl(faults, UFFDIO_ZEROPAGE, &zero);
	await_line();
	may_call = 1;
	while (!done)
		sched_yield();
	if (mask != ~((UINT64_C(1) << (SIGKILL - 1)) |
		      (UINT64_C(1) << (SIGSTOP - 1))))
		say("its mask has changed");
	may_end = 1;
	pthread_join(thread, 0);
	return 0;
}
