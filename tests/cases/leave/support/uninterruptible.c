/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * See uninterruptible.py and withheld.py. One thread calls f() all the time. At
 * a line of input, another thread makes a call in which the kernel holds it
 * until the next line. A third line ends the program. The program's argument
 * says which call:
 *
 *	madvise	a userfaultfd(2) holds it until its event was read: state D
 *	fork	a userfaultfd(2) holds it when the memory was copied: state D
 *	vfork	held by its child, which waits for the line: state D
 *	write	the bytes to be written are missing until the line
 *	fault	the thread reads a byte that is missing until the line
 *
 * SIGTRAP has a handler. Ends with 0 when each call did as it should.
 *
 * LDFLAGS: -pthread
 */
#define _GNU_SOURCE
#include "subject.h"
#include <fcntl.h>
#include <linux/userfaultfd.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>

#define PAGE 4096
#define SKIPPED 77

static atomic_bool over, begins;
static unsigned char *page;
static int faults, ends[2];
static volatile sig_atomic_t trapped;
static int right;

EXPORT NOINLINE long
f(long x)
{
	OPAQUE(x);
	return x * 3 + 1;
}

static void
on_trap(int number)
{
	(void)number;
	trapped++;
}

/* ---- the calls -------------------------------------------------------------
 */

static void
call_madvise(void)
{
	right = madvise(page, PAGE, MADV_DONTNEED) == 0;
}

static int
status_of(pid_t pid)
{
	int status = 0;

	if (pid < 0 || waitpid(pid, &status, 0) != pid || !WIFEXITED(status))
		return -1;
	return WEXITSTATUS(status);
}

static void
call_fork(void)
{
	pid_t pid = fork();

	if (pid == 0)
		_exit(f(5) == 16 ? 43 : 44);
	right = status_of(pid) == 43;
}

static void
call_vfork(void)
{
	char byte;
	pid_t pid = vfork();

	if (pid == 0)
		_exit(read(ends[0], &byte, 1) == 1 && f(5) == 16 ? 43 : 44);
	right = status_of(pid) == 43;
}

static void
call_write(void)
{
	right = write(ends[1], page, PAGE) == PAGE;
}

static void
call_fault(void)
{
	right = *(volatile unsigned char *)page == 7;
}

/* ---- what holds them -------------------------------------------------------
 */

static void
make_page(uint64_t features)
{
	struct uffdio_api api = { .api = UFFD_API, .features = features };
	struct uffdio_register range = { .mode =
						 UFFDIO_REGISTER_MODE_MISSING };

	page = mmap(0, PAGE, PROT_READ | PROT_WRITE,
		    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	faults = (int)syscall(SYS_userfaultfd, O_CLOEXEC);
	range.range.start = (uintptr_t)page;
	range.range.len = PAGE;
	if (faults < 0 || ioctl(faults, UFFDIO_API, &api) < 0 ||
	    ioctl(faults, UFFDIO_REGISTER, &range) < 0) {
		say("no userfaultfd");
		_exit(SKIPPED);
	}
}

static void
read_event(void)
{
	struct uffd_msg event;

	if (read(faults, &event, sizeof(event)) != sizeof(event))
		_exit(98);
}

static void
give_page(void)
{
	static unsigned char source[PAGE] __attribute__((aligned(PAGE)));
	struct uffdio_copy copy = { .dst = (uintptr_t)page,
				    .src = (uintptr_t)source,
				    .len = PAGE };

	memset(source, 7, PAGE);
	if (ioctl(faults, UFFDIO_COPY, &copy) < 0)
		_exit(97);
}

static void
write_byte(void)
{
	if (write(ends[1], "x", 1) != 1)
		_exit(96);
}

static const struct kind {
	const char *name;
	void (*call)(void);
	void (*let_go)(void);
	uint64_t features;
	int needs_page;
} kinds[] = {
	{ "madvise", call_madvise, read_event, UFFD_FEATURE_EVENT_REMOVE, 1 },
	{ "fork", call_fork, read_event, UFFD_FEATURE_EVENT_FORK, 1 },
	{ "vfork", call_vfork, write_byte, 0, 0 },
	{ "write", call_write, give_page, 0, 1 },
	{ "fault", call_fault, give_page, 0, 1 },
};

static const struct kind *kind;

/* ---- the threads -----------------------------------------------------------
 */

static void *
calls(void *argument)
{
	while (!over)
		if (f(7) != 22)
			_exit(95);
	return argument;
}

static void *
held(void *argument)
{
	char line[32];

	snprintf(line, sizeof(line), "held %d", gettid());
	raise(SIGTRAP);
	while (!begins)
		usleep(1000);
	say(line);
	kind->call();
	return argument;
}

int
main(int argc, char **argv)
{
	pthread_t caller, waiter;

	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++)
		if (argc == 2 && !strcmp(argv[1], kinds[i].name))
			kind = &kinds[i];
	if (!kind || pipe2(ends, O_CLOEXEC) < 0)
		return 94;
	if (kind->needs_page)
		make_page(kind->features);
	signal(SIGTRAP, on_trap);
	pthread_create(&caller, 0, calls, 0);
	pthread_create(&waiter, 0, held, 0);
	ready();
	begins = 1;
	await_line();
	kind->let_go();
	pthread_join(waiter, 0);
	say("over");
	await_line();
	over = 1;
	pthread_join(caller, 0);
	say(right && trapped == 1 ? "right" : "wrong");
	return !right || trapped != 1;
}
