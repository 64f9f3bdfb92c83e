/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The policies of a tracee, and what they allow. */
#include "process/seccomp.h"
#include "tests/unit/live/tracee.h"
#include "tests/unit/process/suites.h"

#include "base/attr.h"
#include "process/remote.h"
#include "process/status.h"

#include <errno.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <unistd.h>

static struct tracee tracee;

static const struct stub_call getting = { .number = SYS_getpid };
static const struct stub_call mapping = {
	.number = SYS_mmap,
	.arguments = { 0, 4096, PROT_READ | PROT_EXEC },
};
static const struct stub_call writable = {
	.number = SYS_mmap,
	.arguments = { 0, 4096, PROT_READ | PROT_WRITE },
};

/* Installs a policy: the system call `number` gets `answer` if its third
 * argument has one of the bits. Everything else is allowed. */
static void
install(unsigned number, unsigned bits, unsigned answer)
{
	struct sock_filter code[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS,
			 offsetof(struct seccomp_data, nr)),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, number, 0, 3),
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS,
			 offsetof(struct seccomp_data, args[2])),
		BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, bits, 0, 1),
		BPF_STMT(BPF_RET | BPF_K, answer),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
	};
	struct sock_fprog program = { array_size(code), code };

	prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
	if (prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) < 0)
		_exit(9);
}

static void
no_executable_maps(void)
{
	install(SYS_mmap, PROT_EXEC, SECCOMP_RET_ERRNO | EPERM);
	tracee_pause();
}

static void
logged(void)
{
	install(SYS_mmap, PROT_EXEC, SECCOMP_RET_LOG);
	tracee_pause();
}

/* Two policies; the stricter one counts. */
static void
two_policies(void)
{
	install(SYS_mmap, PROT_EXEC, SECCOMP_RET_KILL_PROCESS);
	install(SYS_mmap, PROT_EXEC, SECCOMP_RET_LOG);
	tracee_pause();
}

static void
start(void (*run)(void))
{
	tracee_start(&tracee, run);
	tracee_await_blocked(tracee.pid, SYS_pause);
	tracee_stop(&tracee);
}

static bool
allows(const struct stub_call *call)
{
	struct status status;

	ck_assert_int_eq(status_read(tracee.pid, &status), 0);
	return seccomp_allows(tracee.pid, status.seccomp, arch_of_host(), call,
			      1);
}

/* True if we may read filters, for which CAP_SYS_ADMIN is necessary. Without
 * it, seccomp_allows() allows nothing. */
static bool
readable(void)
{
	return ptrace(PTRACE_SECCOMP_GET_FILTER, tracee.pid, NULL, NULL) > 0;
}

START_TEST(without_a_policy_all_is_allowed)
{
	start(tracee_pause);
	ck_assert(seccomp_allows(tracee.pid, SECCOMP_MODE_DISABLED,
				 arch_of_host(), &mapping, 1));
	ck_assert(!seccomp_allows(tracee.pid, SECCOMP_MODE_STRICT,
				  arch_of_host(), &getting, 1));
	/* /proc says that there is a filter, but none can be read. */
	ck_assert(!seccomp_allows(tracee.pid, SECCOMP_MODE_FILTER,
				  arch_of_host(), &getting, 1));
}
END_TEST

START_TEST(a_policy_is_asked_with_the_arguments)
{
	const struct stub_call both[] = { writable, mapping };

	start(no_executable_maps);
	ck_assert_int_eq(allows(&getting), readable());
	ck_assert_int_eq(allows(&writable), readable());
	ck_assert(!allows(&mapping));
	ck_assert_int_eq(remote_allowed(tracee.thread, &writable, 1),
			 readable() ? 0 : -EPERM);
	ck_assert_int_eq(remote_allowed(tracee.thread, both, 2), -EPERM);
}
END_TEST

START_TEST(what_is_logged_is_allowed)
{
	start(logged);
	ck_assert_int_eq(allows(&mapping), readable());
}
END_TEST

START_TEST(all_policies_are_asked)
{
	start(two_policies);
	ck_assert(!allows(&mapping));
	ck_assert_int_eq(allows(&getting), readable());
}
END_TEST

static void
teardown(void)
{
	tracee_end(&tracee);
}

Suite *
seccomp_suite(void)
{
	Suite *suite = suite_create("process/seccomp");
	TCase *tests = tcase_create("seccomp");

	tcase_add_checked_fixture(tests, NULL, teardown);
	tcase_add_test(tests, without_a_policy_all_is_allowed);
	tcase_add_test(tests, a_policy_is_asked_with_the_arguments);
	tcase_add_test(tests, what_is_logged_is_allowed);
	tcase_add_test(tests, all_policies_are_asked);
	suite_add_tcase(suite, tests);
	return suite;
}
