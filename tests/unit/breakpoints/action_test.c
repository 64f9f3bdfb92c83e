/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which SIGTRAP action is set in a tracee with a handler area. */
#include "breakpoints/action.h"
#include "tests/unit/breakpoints/scene.h"
#include "tests/unit/breakpoints/suites.h"

#include "process/regs.h"
#include "process/remote.h"
#include "process/siginfo.h"

#include <errno.h>
#include <string.h>
#include <sys/syscall.h>

#define SIGSET_SIZE 8
#define HANDLER UINT64_C(0x1234)

static struct scene scene;
/* the program's action, as asked for and as found in the handler area */
static struct inside_action asked, found;

static void
setup(void)
{
	scene_begin(&scene);
}

static void
with_home(void)
{
	scene_begin(&scene);
	scene_plant(&scene, scene_add);
}

static void
teardown(void)
{
	scene_end(&scene);
}

static void
make_tracee(const struct stub_call *call)
{
	int64_t result;

	ck_assert_int_eq(remote_run(&scene.tracee.table, scene.tracee.thread,
				    scene.sites.slots.scratch, call, 1,
				    &result),
			 0);
	ck_assert_int_eq(result, 0);
}

/* Sets an action in the kernel, as the program or the kernel would. */
static void
program_sets(uint64_t handler, uint64_t flags)
{
	const struct inside_action action = { .handler = handler,
					      .flags = flags };
	const struct stub_call call = {
		.number = SYS_rt_sigaction,
		.arguments = { SIGTRAP, (addr_t)&asked, 0, SIGSET_SIZE },
	};

	ck_assert_int_eq(space_write(scene.sites.space, (addr_t)&asked, &action,
				     sizeof(action)),
			 0);
	make_tracee(&call);
}

static struct inside_action
standing(void)
{
	const struct stub_call call = {
		.number = SYS_rt_sigaction,
		.arguments = { SIGTRAP, 0, (addr_t)&found, SIGSET_SIZE },
	};
	struct inside_action action;

	make_tracee(&call);
	ck_assert_int_eq(space_read_raw(scene.sites.space, (addr_t)&found,
					&action, sizeof(action)),
			 0);
	return action;
}

static bool
is_ours(void)
{
	return standing().handler == scene.sites.survive.header.ours.handler;
}

static uint64_t
program_handler(void)
{
	struct inside_action action;

	ck_assert_int_eq(action_of_program(&scene.sites, &action), 0);
	return action.handler;
}

START_TEST(without_an_area)
{
	struct inside_action action;
	siginfo_t info = { .si_signo = SIGTRAP };
	bool reset;

	ck_assert_int_eq(action_claim(&scene.sites, scene.tracee.thread, NULL,
				      &reset),
			 -ENOENT);
	ck_assert_int_eq(action_restore(&scene.sites, scene.tracee.thread),
			 -ENOENT);
	ck_assert_int_eq(action_send_again(&scene.sites, scene.tracee.thread,
					   &info),
			 -ENOENT);
	ck_assert_int_eq(action_of_program(&scene.sites, &action), -ENOENT);
	ck_assert_int_eq(action_clear(&scene.sites), -ENOENT);
}
END_TEST

START_TEST(our_action_is_set)
{
	bool reset = true;

	ck_assert(is_ours());
	ck_assert_int_eq(action_claim(&scene.sites, scene.tracee.thread, NULL,
				      &reset),
			 0);
	ck_assert(!reset);
	ck_assert(is_ours());
	ck_assert_uint_eq(program_handler(), (uint64_t)SIG_DFL);
}
END_TEST

START_TEST(the_program_s_action_is_kept_behind_ours)
{
	const uint64_t handler = HANDLER;
	bool reset = true;

	program_sets(HANDLER, 0);
	ck_assert(!is_ours());
	ck_assert_int_eq(action_claim(&scene.sites, scene.tracee.thread,
				      &handler, &reset),
			 0);
	ck_assert(!reset);
	ck_assert(is_ours());
	ck_assert_uint_eq(program_handler(), HANDLER);
	/* The program's action has neither SA_ONSTACK nor SA_RESTART, so ours
	 * has neither. */
	ck_assert_uint_eq(standing().flags & (SA_ONSTACK | SA_RESTART), 0);
	program_sets(HANDLER, SA_ONSTACK);
	ck_assert_int_eq(action_claim(&scene.sites, scene.tracee.thread, NULL,
				      &reset),
			 0);
	ck_assert_uint_eq(standing().flags & (SA_ONSTACK | SA_RESTART),
			  SA_ONSTACK);
	/* SIG_IGN is not a handler, so xtrace's action has SA_ONSTACK and
	 * SA_RESTART. */
	program_sets((uint64_t)SIG_IGN, 0);
	ck_assert_int_eq(action_claim(&scene.sites, scene.tracee.thread, NULL,
				      &reset),
			 0);
	ck_assert_uint_eq(program_handler(), (uint64_t)SIG_IGN);
	ck_assert_uint_eq(standing().flags & (SA_ONSTACK | SA_RESTART),
			  SA_ONSTACK | SA_RESTART);
}
END_TEST

START_TEST(the_default_one_is_the_kernel_s_answer)
{
	const uint64_t handler = HANDLER, none = (uint64_t)SIG_DFL;
	bool reset = false;

	program_sets((uint64_t)SIG_DFL, 0);
	ck_assert_int_eq(action_claim(&scene.sites, scene.tracee.thread, NULL,
				      &reset),
			 0);
	ck_assert(reset);
	ck_assert(is_ours());
	/* The program has just set another action, and xtrace learns that a
	 * trap has reset it to the default. */
	program_sets((uint64_t)SIG_DFL, 0);
	reset = false;
	ck_assert_int_eq(action_claim(&scene.sites, scene.tracee.thread,
				      &handler, &reset),
			 0);
	ck_assert(reset);
	ck_assert_uint_eq(program_handler(), HANDLER);
	/* The program has set the default action itself, so xtrace has nothing
	 * to restore. */
	program_sets((uint64_t)SIG_DFL, 0);
	ck_assert_int_eq(action_claim(&scene.sites, scene.tracee.thread, &none,
				      &reset),
			 0);
	ck_assert(!reset);
	ck_assert_uint_eq(program_handler(), (uint64_t)SIG_DFL);
	ck_assert(is_ours());
}
END_TEST

START_TEST(our_action_is_restored)
{
	program_sets(HANDLER, 0);
	ck_assert_int_eq(action_restore(&scene.sites, scene.tracee.thread), 0);
	ck_assert(is_ours());
	ck_assert_uint_eq(program_handler(), (uint64_t)SIG_DFL);
}
END_TEST

START_TEST(a_copy_may_have_no_handlers)
{
	bool reset;

	program_sets(HANDLER, 0);
	ck_assert_int_eq(action_claim(&scene.sites, scene.tracee.thread, NULL,
				      &reset),
			 0);
	ck_assert_int_eq(action_clear(&scene.sites), 0);
	ck_assert_uint_eq(program_handler(), (uint64_t)SIG_DFL);
	program_sets((uint64_t)SIG_IGN, 0);
	ck_assert_int_eq(action_claim(&scene.sites, scene.tracee.thread, NULL,
				      &reset),
			 0);
	ck_assert_int_eq(action_clear(&scene.sites), 0);
	ck_assert_uint_eq(program_handler(), (uint64_t)SIG_IGN);
}
END_TEST

START_TEST(a_trap_of_its_own_is_sent_again)
{
	siginfo_t info = { .si_signo = SIGTRAP, .si_code = SI_QUEUE }, there;

	info.si_value.sival_int = 77;
	ck_assert_int_eq(action_send_again(&scene.sites, scene.tracee.thread,
					   &info),
			 0);
	ck_assert(thread_trap_comes(scene.tracee.thread));
	tracee_resume(&scene.tracee, 0);
	tracee_await(&scene.tracee, STOP_TRAP);
	ck_assert_int_eq(thread_siginfo(scene.tracee.thread, &there), 0);
	ck_assert_int_eq(there.si_code, SI_QUEUE);
	ck_assert_int_eq(there.si_value.sival_int, 77);
}
END_TEST

Suite *
action_suite(void)
{
	Suite *suite = suite_create("breakpoints/action");
	TCase *none = tcase_create("none"), *tests = tcase_create("action");

	tcase_add_checked_fixture(none, setup, teardown);
	tcase_add_test(none, without_an_area);
	suite_add_tcase(suite, none);
	tcase_add_checked_fixture(tests, with_home, teardown);
	tcase_add_test(tests, our_action_is_set);
	tcase_add_test(tests, the_program_s_action_is_kept_behind_ours);
	tcase_add_test(tests, the_default_one_is_the_kernel_s_answer);
	tcase_add_test(tests, our_action_is_restored);
	tcase_add_test(tests, a_copy_may_have_no_handlers);
	tcase_add_test(tests, a_trap_of_its_own_is_sent_again);
	suite_add_tcase(suite, tests);
	return suite;
}
