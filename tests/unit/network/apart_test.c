/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A process without rights: which system calls it is refused, and how it
 * ends. */
#include "tests/unit/network/suites.h"

#include "network/apart.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/ptrace.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

#define LONG_MS 20000

/* What the process without rights has found out. The struct is in memory that
 * the process shares with the test. */
struct found {
	pid_t victim;
	const char *secret;
	atomic_int done, wakes;
	int traced, read, killed, ran, wrote, opened;
};

static int
code_of(long result)
{
	return result < 0 ? errno : 0;
}

static void
try_all(void *argument)
{
	struct found *found = argument;
	char byte, path[] = "/proc/self/exe";
	struct iovec own = { &byte, 1 };
	struct iovec other = { (void *)(uintptr_t)found->secret, 1 };
	char *arguments[] = { path, NULL };

	found->traced = code_of(ptrace(PTRACE_SEIZE, found->victim, 0, 0));
	found->read =
		code_of(process_vm_readv(found->victim, &own, 1, &other, 1, 0));
	found->killed = code_of(kill(found->victim, SIGTERM));
	found->ran = code_of(execv(path, arguments));
	found->wrote = code_of(open("/dev/null", O_WRONLY));
	found->opened = code_of(open("/etc/passwd", O_RDONLY));
	atomic_store(&found->done, 1);
	do {
		struct pollfd life = { .fd = APART_LIFE, .events = POLLIN };

		poll(&life, 1, -1);
		atomic_fetch_add(&found->wakes, 1);
	} while (apart_awake());
}

static struct found *
found_new(void)
{
	void *memory = mmap(NULL, sizeof(struct found), PROT_READ | PROT_WRITE,
			    MAP_SHARED | MAP_ANONYMOUS, -1, 0);

	ck_assert_ptr_ne(memory, MAP_FAILED);
	return memory;
}

static void
await(const atomic_int *number, int least)
{
	while (atomic_load(number) < least)
		usleep(1000);
}

START_TEST(has_no_rights)
{
	struct found *found = found_new();
	struct apart_work work = { "apart", -1, try_all, found };
	struct apart apart;
	struct err err;
	pid_t victim;

	found->secret = "secret";
	victim = fork();
	if (victim == 0) {
		pause();
		_exit(0);
	}
	found->victim = victim;
	ck_assert_int_eq(apart_start(&apart, &work, &err), 0);
	await(&found->done, 1);
	ck_assert_int_eq(found->traced, EPERM);
	ck_assert_int_eq(found->read, EPERM);
	ck_assert_int_eq(found->killed, EPERM);
	ck_assert_int_eq(found->ran, EPERM);
	ck_assert_int_eq(found->wrote, EACCES);
	ck_assert_int_eq(found->opened, 0);
	apart_wake(&apart);
	await(&found->wakes, 1);
	ck_assert(apart_end(&apart, LONG_MS));
	kill(victim, SIGKILL);
	ck_assert_int_eq(waitpid(victim, NULL, 0), victim);
	munmap(found, sizeof(*found));
}
END_TEST

/* Work that does not notice that xtrace has ended. */
static void
sleep_deaf(void *argument)
{
	struct found *found = argument;

	while (!atomic_load(&found->done))
		usleep(1000);
	atomic_store(&found->wakes, 1);
}

START_TEST(is_awaited_for_a_limited_time)
{
	struct found *found = found_new();
	struct apart_work work = { "apart", -1, sleep_deaf, found };
	struct apart apart;
	struct err err;

	ck_assert_int_eq(apart_start(&apart, &work, &err), 0);
	for (int i = 0; i < 100000; i++)
		apart_wake(&apart);
	ck_assert(!apart_end(&apart, 1));
	atomic_store(&found->done, 1);
	await(&found->wakes, 1);
	munmap(found, sizeof(*found));
}
END_TEST

Suite *
apart_suite(void)
{
	Suite *suite = suite_create("apart");
	TCase *tests = tcase_create("apart");

	tcase_add_test(tests, has_no_rights);
	tcase_add_test(tests, is_awaited_for_a_limited_time);
	suite_add_tcase(suite, tests);
	return suite;
}
