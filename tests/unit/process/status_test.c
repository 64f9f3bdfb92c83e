/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What /proc tells of processes that the test makes. */
#include "arch/arch.h"
#include "process/choice.h"
#include "process/status.h"
#include "tests/unit/live/tracee.h"
#include "tests/unit/process/suites.h"

#include <errno.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#define BIT(signal) (UINT64_C(1) << ((signal)-1))
#define NOBODY 5000000

static void
nothing(int signal)
{
	(void)signal;
}

static void
named_and_masked(void)
{
	sigset_t set;

	/* A name may contain any characters. */
	prctl(PR_SET_NAME, "two\nlines)");
	signal(SIGUSR1, SIG_IGN);
	signal(SIGUSR2, nothing);
	sigemptyset(&set);
	sigaddset(&set, SIGHUP);
	sigprocmask(SIG_SETMASK, &set, NULL);
	raise(SIGHUP);
	tracee_pause();
}

START_TEST(one_process)
{
	pid_t pid = tracee_fork(named_and_masked);
	struct status status, ours;
	char name[64];

	tracee_await_blocked(pid, SYS_pause);
	ck_assert_int_eq(status_read(pid, &status), 0);
	ck_assert_int_eq(status_read(getpid(), &ours), 0);
	ck_assert_int_eq(status.pid, pid);
	ck_assert_int_eq(status.parent, getpid());
	ck_assert_int_eq(status.tracer, 0);
	ck_assert_int_eq(status.state, 'S');
	ck_assert(status.has_memory);
	ck_assert_uint_eq(status.blocked, BIT(SIGHUP));
	ck_assert(status.ignored & BIT(SIGUSR1));
	ck_assert(status.caught & BIT(SIGUSR2));
	ck_assert_uint_eq(status.pending, BIT(SIGHUP));
	ck_assert_int_eq(status.seccomp, ours.seccomp);
	ck_assert_int_eq(ours.state, 'R');
	status_name(pid, name, sizeof(name));
	ck_assert_str_eq(name, "two\nlines)");
	tracee_kill(pid);
	while (status_read(pid, &status) == 0 && status.state != 'Z')
		;
	ck_assert(!status.has_memory);
	waitpid(pid, NULL, 0);
	ck_assert_int_eq(status_read(pid, &status), -ESRCH);
	status_name(NOBODY, name, sizeof(name));
	ck_assert_str_eq(name, "?");
}
END_TEST

START_TEST(without_descriptors_nothing_is_known)
{
	struct rlimit before, none;
	struct status status;

	ck_assert_int_eq(getrlimit(RLIMIT_NOFILE, &before), 0);
	none = (struct rlimit){ 0, before.rlim_max };
	ck_assert_int_eq(setrlimit(RLIMIT_NOFILE, &none), 0);
	ck_assert_int_eq(status_read(getpid(), &status), -EMFILE);
	ck_assert_int_eq(setrlimit(RLIMIT_NOFILE, &before), 0);
}
END_TEST

#define MAPPED (64ul << 10)

/* Shared memory, read-only memory, and memory without any access do not
 * count. */
START_TEST(writable_memory)
{
	static const struct {
		int protection, flags;
		uint64_t counts;
	} rows[] = {
		{ PROT_READ | PROT_WRITE, MAP_PRIVATE, MAPPED },
		{ PROT_READ | PROT_WRITE, MAP_SHARED, 0 },
		{ PROT_READ, MAP_PRIVATE, 0 },
		{ PROT_NONE, MAP_PRIVATE, 0 },
	};
	uint64_t before, after;
	void *at;

	/* The first call maps what the test itself needs; the second result
	 * counts. */
	ck_assert_int_eq(status_writable(getpid(), &before), 0);
	ck_assert_int_eq(status_writable(getpid(), &before), 0);
	at = mmap(NULL, MAPPED, rows[_i].protection,
		  rows[_i].flags | MAP_ANONYMOUS, -1, 0);
	ck_assert_ptr_ne(at, MAP_FAILED);
	ck_assert_int_eq(status_writable(getpid(), &after), 0);
	ck_assert_uint_eq(after - before, rows[_i].counts);
	ck_assert_int_eq(munmap(at, MAPPED), 0);
	ck_assert_int_eq(status_writable(NOBODY, &after), -ESRCH);
}
END_TEST

static void
end_at_once(void)
{
}

START_TEST(an_ended_process_has_no_memory)
{
	pid_t pid = tracee_fork(end_at_once);
	struct status status;
	uint64_t bytes;

	while (status_read(pid, &status) == 0 && status.state != 'Z')
		;
	ck_assert_int_eq(status_writable(pid, &bytes), -ESRCH);
}
END_TEST

START_TEST(where_it_blocks)
{
	pid_t pid = tracee_fork(tracee_pause);
	struct blocked blocked;

	tracee_await_blocked(pid, SYS_pause);
	ck_assert_int_eq(status_blocked(arch_of_host(), pid, pid, &blocked), 0);
	ck_assert_uint_ne(blocked.sp, 0);
	ck_assert_uint_ne(blocked.pc, 0);
	ck_assert_int_lt(status_blocked(arch_of_host(), NOBODY, NOBODY,
					&blocked),
			 0);
}
END_TEST

/* ---- threads and children --------------------------------------------------
 */

static int
wait_for_ever(void *argument)
{
	(void)argument;
	tracee_pause();
	return 0;
}

static void
two_threads(void)
{
	static char stack[16384] __attribute__((aligned(16)));

	clone(wait_for_ever, stack + sizeof(stack),
	      CLONE_VM | CLONE_FS | CLONE_FILES | CLONE_SIGHAND | CLONE_THREAD |
		      CLONE_SYSVSEM,
	      NULL);
	syscall(SYS_exit, 0);
}

START_TEST(a_leader_may_have_ended)
{
	pid_t pid = tracee_fork(two_threads), other;
	struct pids tids = { 0 };
	struct status status;

	while (status_read(pid, &status) == 0 && status.state != 'Z')
		;
	ck_assert_int_eq(status_threads(pid, &tids), 0);
	ck_assert_uint_eq(tids.list.count, 2);
	other = tids.list.at[0] == pid ? tids.list.at[1] : tids.list.at[0];
	ck_assert_int_eq(status_living(pid), other);
	ck_assert_int_eq(status_living(getpid()), getpid());
	ck_assert_int_eq(status_living(NOBODY), NOBODY);
	ck_assert(!status_ended(pid));
	ck_assert(!status_ended(getpid()));
	ck_assert(status_ended(NOBODY));
	vec_release(&tids.list);
	ck_assert_int_eq(status_threads(NOBODY, &tids), -ESRCH);
	tracee_kill(pid);
}
END_TEST

static void
stay(void)
{
	tracee_pause();
}

static void
move_its_root(void)
{
	if (chroot("/proc") < 0)
		_exit(1);
	tracee_pause();
}

static void
take_own_mounts(void)
{
	if (unshare(CLONE_NEWNS) < 0)
		_exit(1);
	tracee_pause();
}

START_TEST(a_process_may_have_another_root)
{
	pid_t same = tracee_fork(stay), moved, apart;

	tracee_await_blocked(same, SYS_pause);
	ck_assert(status_shares_root(same));
	tracee_kill(same);
	ck_assert(!status_shares_root(NOBODY));
	if (geteuid() != 0)
		return;
	moved = tracee_fork(move_its_root);
	apart = tracee_fork(take_own_mounts);
	tracee_await_blocked(moved, SYS_pause);
	tracee_await_blocked(apart, SYS_pause);
	ck_assert(!status_shares_root(moved));
	ck_assert(!status_shares_root(apart));
	tracee_kill(moved);
	tracee_kill(apart);
}
END_TEST

static void
rename_itself(void)
{
	char name[16];

	snprintf(name, sizeof(name), "xtu%d", (int)getppid());
	prctl(PR_SET_NAME, name);
	tracee_pause();
}

START_TEST(children_by_their_parent_and_name)
{
	pid_t one = tracee_fork(rename_itself);
	pid_t two = tracee_fork(rename_itself);
	struct pids found = { 0 };
	char name[16];

	status_children(getpid(), &found);
	ck_assert_uint_eq(found.list.count, 2);
	ck_assert(found.list.at[0] == one || found.list.at[1] == one);
	ck_assert(found.list.at[0] == two || found.list.at[1] == two);
	vec_clear(&found.list);
	status_children(one, &found);
	ck_assert_uint_eq(found.list.count, 0);
	status_children(NOBODY, &found);
	ck_assert_uint_eq(found.list.count, 0);
	tracee_await_blocked(one, SYS_pause);
	tracee_await_blocked(two, SYS_pause);
	snprintf(name, sizeof(name), "xtu%d", (int)getpid());
	/* choice_find() does not find the process that calls it. */
	prctl(PR_SET_NAME, name);
	choice_find(&(struct choice){ CHOICE_NAME, name }, &found);
	ck_assert_uint_eq(found.list.count, 2);
	/* No process is found twice. */
	choice_find(&(struct choice){ CHOICE_NAME, name }, &found);
	ck_assert_uint_eq(found.list.count, 2);
	vec_release(&found.list);
}
END_TEST

Suite *
status_suite(void)
{
	Suite *suite = suite_create("process/status");
	TCase *tests = tcase_create("status");

	tcase_add_test(tests, one_process);
	tcase_add_test(tests, without_descriptors_nothing_is_known);
	tcase_add_loop_test(tests, writable_memory, 0, 4);
	tcase_add_test(tests, an_ended_process_has_no_memory);
	tcase_add_test(tests, where_it_blocks);
	tcase_add_test(tests, a_leader_may_have_ended);
	tcase_add_test(tests, a_process_may_have_another_root);
	tcase_add_test(tests, children_by_their_parent_and_name);
	suite_add_tcase(suite, tests);
	return suite;
}
