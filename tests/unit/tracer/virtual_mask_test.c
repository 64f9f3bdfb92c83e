/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Virtual masks, state by state: when a thread gets one, when it still has it,
 * what pthread_sigmask() makes of it, which threads inherit it, and how it
 * ends. The tracee is a stopped copy of the test; its mask in the kernel is
 * compared.
 */
#include "tests/unit/live/tracee.h"
#include "tests/unit/tracer/masked.h"
#include "tests/unit/tracer/suites.h"

#include "process/regs.h"
#include "process/resume.h"
#include "process/siginfo.h"
#include "process/status.h"
#include "process/wait.h"
#include "tracer/lives/leave_restore.h"
#include "tracer/remote_calls/inject.h"
#include "tracer/report/report.h"
#include "tracer/sigtrap/sigtrap_parts.h"
#include "tests/unit/checks.h"

#include <signal.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

static bool
keep(uint64_t mask)
{
	masked_set(mask & ~TRAP_BIT);
	return virtual_mask_keep(masked.program, masked.record,
				 mask & ~TRAP_BIT);
}

static void
begin(void)
{
	masked.own->again = true;
	ck_assert(keep(ALL));
	ck_assert(masked.own->on);
}

START_TEST(not_before_the_fourth_trap)
{
	masked_open_stopped();
	for (int i = 0; i < 3; i++)
		ck_assert(!keep(ALL));
	/* After a trap with another mask, the traps are counted anew. */
	ck_assert(!keep(BIT(SIGUSR1)));
	for (int i = 0; i < 3; i++) {
		ck_assert(!keep(ALL));
		ck_assert(!masked.own->on && !masked.own->again);
	}
	ck_assert_uint_eq(masked.record->sigtrap->belief, BELIEF_OPEN);
	ck_assert(keep(ALL));
	ck_assert(masked.own->on && masked.own->again);
	ck_assert_uint_eq(masked.own->real, REAL);
	ck_assert_uint_eq(masked_in_kernel(), REAL);
	ck_assert_uint_eq(masked.record->sigtrap->belief, BELIEF_BLOCKS);
	ck_assert_uint_eq(masked.record->sigtrap->after_all, BELIEF_OPEN);
	ck_assert(virtual_mask_end(masked.record));
	ck_assert(!masked.own->on && masked.own->again);
	ck_assert_uint_eq(masked_in_kernel(), ALL);
	ck_assert_msg(!virtual_mask_end(masked.record), "it has ended");
	ck_assert_msg(keep(ALL), "again, at once");
	masked_close();
}
END_TEST

/* These functions set a state in which no thread gets a virtual mask. */
static void
leaves(bool is)
{
	masked.stage.session.leaving = is;
}

static void
is_in_handler(bool is)
{
	masked.record->sigtrap->handler = is ? 0x1000 : 0;
}

static void
has_own_action(bool is)
{
	masked.record->sigtrap->own = is;
}

static void
has_no_area(bool is)
{
	static addr_t code;

	if (is)
		code = masked.program->sites.survive.code;
	masked.program->sites.survive.code = is ? 0 : code;
}

START_TEST(states_without_one)
{
	static void (*const states[])(
		bool is) = { leaves, is_in_handler, has_own_action,
			     masked_catches, has_no_area };

	masked_open_stopped();
	masked.own->again = true;
	for (size_t i = 0; i < COUNT(states); i++) {
		states[i](true);
		ck_assert_msg(!keep(ALL), "state %zu", i);
		ck_assert(!masked.own->on);
		states[i](false);
	}
	masked.program->sites.survive.header.program.handler =
		(uint64_t)(uintptr_t)SIG_IGN;
	ck_assert_msg(keep(ALL), "a program that ignores SIGTRAP");
	masked_catches(false);
	masked_close();
}
END_TEST

START_TEST(ends)
{
	static const struct {
		uint64_t found, after;
		bool had;
	} rows[] = {
		{ REAL, ALL, true },
		{ REAL & ~LIBRARY, ALL & ~LIBRARY, true },
		{ ALL, ALL, false },
		{ BIT(SIGUSR1), BIT(SIGUSR1), false },
	};

	masked_open_stopped();
	for (size_t i = 0; i < COUNT(rows); i++) {
		begin();
		masked_set(rows[i].found);
		ck_assert(virtual_mask_end(masked.record) == rows[i].had);
		ck_assert_uint_eq(masked_in_kernel(), rows[i].after);
		ck_assert(!masked.own->on);
		ck_assert_uint_eq(masked.record->sigtrap->belief,
				  i == 3 ? BELIEF_OPEN : BELIEF_BLOCKS);
	}
	begin();
	masked.thread->nudged = true;
	ck_assert(!virtual_mask_end(masked.record));
	masked.thread->nudged = false;
	ck_assert_msg(masked.own->on && masked_in_kernel() == REAL,
		      "not during a nudge");
	masked_close();
}
END_TEST

/* ---- pthread_sigmask() -----------------------------------------------------
 */

/* The arguments of pthread_sigmask() point to these words, which have the same
 * addresses in the copy. */
static uint64_t set_there, old_there;

struct ask {
	const char *what;
	bool on; /* the thread has a virtual mask */
	int how;
	bool has_set;
	uint64_t set;
	/* Does the call of the program do nothing, because xtrace has set the
	 * mask? */
	bool idle;
	uint64_t told, after; /* the mask in the kernel */
	bool on_after;
};

static const struct ask asks[] = {
	{ "all", false, SIG_SETMASK, true, ALL | LIBRARY, true, BIT(SIGUSR2),
	  REAL & ~LIBRARY, true },
	{ "all, by a block", false, SIG_BLOCK, true, ALL & ~BIT(SIGUSR2), true,
	  BIT(SIGUSR2), REAL & ~LIBRARY, true },
	{ "some", false, SIG_BLOCK, true, TRAP_BIT, false, 0, BIT(SIGUSR2),
	  false },
	{ "nothing", false, SIG_BLOCK, false, 0, false, 0, BIT(SIGUSR2),
	  false },
	{ "the mask", true, SIG_BLOCK, false, 0, true, ALL, REAL, true },
	{ "more", true, SIG_BLOCK, true, TRAP_BIT, true, ALL, REAL, true },
	{ "all except one", true, SIG_UNBLOCK, true, BIT(SIGUSR1), true, ALL,
	  ALL & ~BIT(SIGUSR1), false },
	{ "to unblock SIGTRAP", true, SIG_UNBLOCK, true, TRAP_BIT, true, ALL,
	  REAL, false },
	{ "an empty mask", true, SIG_SETMASK, true, 0, true, ALL, 0, false },
	{ "SIGTRAP alone", true, SIG_SETMASK, true, TRAP_BIT, true, ALL,
	  TRAP_BIT, false },
	{ "nonsense", true, 77, true, 0, false, 0, ALL, false },
};

static void
write_words(uint64_t mask)
{
	const uint64_t none = 0;

	ck_assert_int_eq(space_write(masked.program->space,
				     (addr_t)(uintptr_t)&set_there, &mask,
				     sizeof(mask)),
			 0);
	ck_assert_int_eq(space_write(masked.program->space,
				     (addr_t)(uintptr_t)&old_there, &none,
				     sizeof(none)),
			 0);
}

static uint64_t
told(void)
{
	uint64_t mask;

	ck_assert_int_eq(reader_u64(program_memory(masked.program),
				    (addr_t)(uintptr_t)&old_there, &mask),
			 0);
	return mask;
}

/* Sets the thread's registers as at a call of pthread_sigmask(how, set, old),
 * and returns the hit. */
static struct hit
call_of(int how, addr_t set, addr_t old)
{
	struct hit hit = {
		.session = &masked.stage.session,
		.program = masked.program,
		.record = masked.record,
		.regs = *thread_regs(&masked.stage.session.table,
				     masked.thread),
	};

	hit_calling(&hit)->set_argument(&hit.regs, 0, (uint64_t)how);
	hit_calling(&hit)->set_argument(&hit.regs, 1, set);
	hit_calling(&hit)->set_argument(&hit.regs, 2, old);
	thread_set_regs(masked.thread, &hit.regs);
	return hit;
}

/* Has xtrace made the call idle? Then its second and third arguments are NULL
 * now. */
static bool
is_idle(const struct hit *hit)
{
	struct hit now = *hit;

	now.regs = *thread_regs(&masked.stage.session.table, masked.thread);
	return hit_argument(&now, 1) == 0 && hit_argument(&now, 2) == 0;
}

START_TEST(asks_for_a_mask)
{
	const struct ask *ask = &asks[_i];
	struct hit hit;

	masked_open_stopped();
	masked.own->again = true;
	if (ask->on)
		begin();
	else
		masked_set(BIT(SIGUSR2));
	write_words(ask->set);
	hit = call_of(ask->how,
		      ask->has_set ? (addr_t)(uintptr_t)&set_there : 0,
		      (addr_t)(uintptr_t)&old_there);
	ck_assert_int_eq(virtual_mask_asked(&hit), 0);
	ck_assert_msg(is_idle(&hit) == ask->idle, "%s: idle", ask->what);
	ck_assert_msg(told() == ask->told, "%s: told %lx", ask->what,
		      (unsigned long)told());
	ck_assert_msg(masked_in_kernel() == ask->after, "%s: %lx", ask->what,
		      (unsigned long)masked_in_kernel());
	ck_assert_msg(masked.own->on == ask->on_after, "%s: on", ask->what);
	masked_close();
}
END_TEST

/* Calls of pthread_sigmask() that xtrace does not change. */
START_TEST(asks_without_us)
{
	struct hit hit;

	masked_open_stopped();
	write_words(0);
	hit = call_of(SIG_SETMASK, (addr_t)(uintptr_t)&set_there, 0);
	masked_set(ALL);
	ck_assert_int_eq(virtual_mask_asked(&hit), 0);
	ck_assert_msg(masked_in_kernel() == ALL, "it never had a virtual mask");
	begin();
	hit.before = true;
	ck_assert_int_eq(virtual_mask_asked(&hit), 0);
	ck_assert_msg(masked_in_kernel() == REAL,
		      "a call from before the attach");
	hit = call_of(SIG_SETMASK, 8, 0);
	ck_assert_int_eq(virtual_mask_asked(&hit), 0);
	ck_assert_msg(masked_in_kernel() == ALL && !masked.own->on,
		      "no mask to be read");
	begin();
	masked_set(BIT(SIGUSR2));
	hit = call_of(SIG_BLOCK, (addr_t)(uintptr_t)&set_there, 0);
	ck_assert_int_eq(virtual_mask_asked(&hit), 0);
	ck_assert_msg(masked_in_kernel() == BIT(SIGUSR2) && !masked.own->on,
		      "set unseen");
	ck_assert(!is_idle(&hit));
	leaves(true);
	hit = call_of(SIG_SETMASK, (addr_t)(uintptr_t)&set_there, 0);
	ck_assert_int_eq(virtual_mask_asked(&hit), 0);
	ck_assert_msg(masked_in_kernel() == BIT(SIGUSR2), "xtrace leaves");
	leaves(false);
	masked_close();
}
END_TEST

/* ---- births ----------------------------------------------------------------
 */

START_TEST(births)
{
	struct sigtrap one = { .belief = BELIEF_OPEN }, other = one;
	struct thread_record parent = { .sigtrap = &one };
	struct thread_record child = { .sigtrap = &other };

	masked_open_stopped();
	one.mask = (struct virtual_mask){ .blocked = 2 };
	virtual_mask_born(masked.program, &parent, &child);
	ck_assert_uint_eq(other.mask.blocked, 0);
	ck_assert_uint_eq(one.mask.stops + other.mask.stops, 0);

	one.mask = (struct virtual_mask){ .again = true };
	virtual_mask_born(NULL, &parent, &child);
	ck_assert_msg(other.mask.again, "a process");
	ck_assert_uint_eq(one.mask.stops + other.mask.stops, 0);
	virtual_mask_born(masked.program, &parent, &child);
	ck_assert_msg(one.mask.stops > 0 && other.mask.stops > 0, "a thread");

	one.mask = (struct virtual_mask){ .on = true, .again = true };
	virtual_mask_born(masked.program, &parent, &child);
	ck_assert(other.mask.on);
	ck_assert_uint_eq(one.mask.stops + other.mask.stops, 0);

	other.handler = 0x1000;
	one.mask = (struct virtual_mask){ .again = true };
	virtual_mask_born(masked.program, &parent, &child);
	ck_assert_uint_eq(one.mask.stops + other.mask.stops, 0);
	masked_close();
}
END_TEST

static void
fork_and_wait(void)
{
	syscall(SYS_fork);
	for (;;)
		pause();
}

static uint64_t
shown_by(pid_t pid)
{
	struct status status;

	ck_assert_int_eq(status_read(pid, &status), 0);
	return status.blocked;
}

START_TEST(is_born_while_xtrace_leaves)
{
	struct stop stop;
	pid_t child;

	masked_open(fork_and_wait);
	masked_stop();
	begin();
	sites_lift_all(&masked.program->sites);
	tracee_open_gate();
	thread_resume(&masked.stage.session.table, masked.thread, 0);
	ck_assert_int_eq(wait_thread(&masked.stage.session.table, masked.thread,
				     &stop),
			 0);
	ck_assert_uint_eq(stop.kind, STOP_FORK);
	child = (pid_t)stop.message;
	leaves(true);
	leave_serve_stop(&masked.stage.session, &stop);
	ck_assert_uint_eq(shown_by(masked.stage.pid), ALL);
	ck_assert_msg(shown_by(child) == ALL, "%lx in the child",
		      (unsigned long)shown_by(child));
	kill(child, SIGKILL);
	leaves(false);
	masked_close();
}
END_TEST

static void
next_system_call(void)
{
	struct stop stop;

	ck_assert_int_eq(wait_thread(&masked.stage.session.table, masked.thread,
				     &stop),
			 0);
	ck_assert_uint_eq(stop.kind, STOP_SYSCALL);
	ck_assert(virtual_mask_stopped(&masked.stage.session, masked.thread));
}

/* The thread is stopped at each system call until it has set its mask. */
START_TEST(stops_until_it_is_set)
{
	masked_open_stopped();
	ck_assert_msg(!virtual_mask_stopped(&masked.stage.session,
					    masked.thread),
		      "no stop");
	sites_lift_all(&masked.program->sites);
	masked.own->again = true;
	masked.own->stops = 100;
	tracee_open_gate();
	virtual_mask_resume(&masked.stage.session, masked.thread);
	ck_assert(masked.thread->watched);
	ck_assert_msg(masked.thread->held.run == HELD_WORKS,
		      "the call is the thread's own work");
	while (masked.own->stops)
		next_system_call();
	ck_assert(masked.own->on);
	masked_stop();
	ck_assert_uint_eq(masked_in_kernel(), REAL);
	ck_assert_uint_eq(masked.own->real, REAL);

	/* If the thread sets no mask in a number of system calls, xtrace no
	 * longer stops it at each system call. */
	virtual_mask_end(masked.record);
	masked.own->stops = 6;
	virtual_mask_resume(&masked.stage.session, masked.thread);
	for (int i = 0; i < 6; i++)
		next_system_call();
	ck_assert_uint_eq(masked.own->stops, 0);
	ck_assert(!masked.own->on);
	masked_stop();
	ck_assert_uint_eq(masked_in_kernel(), ALL);
	masked_close();
}
END_TEST

/* The thread enters posix_spawn(). True if its mask becomes virtual there. */
static bool
enters_spawn(uint64_t mask)
{
	struct hit hit = {
		.session = &masked.stage.session,
		.program = masked.program,
		.record = masked.record,
		.regs = *thread_regs(&masked.stage.session.table,
				     masked.thread),
	};

	masked_set(mask);
	ck_assert_int_eq(virtual_mask_spawns(&hit), 0);
	ck_assert(masked.own->spawns == (masked.own->stops > 0));
	return masked.own->spawns;
}

START_TEST(spawns)
{
	masked_open_stopped();
	ck_assert_msg(!enters_spawn(REAL), "it looks like a virtual one");
	masked.record->sigtrap->apart = true;
	ck_assert_msg(!enters_spawn(BIT(SIGUSR2)), "a child");
	masked.record->sigtrap->apart = false;
	masked_catches(true);
	ck_assert_msg(!enters_spawn(BIT(SIGUSR2)), "it catches SIGTRAP");
	masked_catches(false);
	begin();
	ck_assert(enters_spawn(REAL));
	ck_assert_msg(masked_in_kernel() == ALL && !masked.own->on,
		      "what the call notes");
	masked.own->again = false;

	sites_lift_all(&masked.program->sites);
	tracee_open_gate();
	virtual_mask_resume(&masked.stage.session, masked.thread);
	while (masked.own->stops)
		next_system_call();
	ck_assert(masked.own->on && masked.own->spawns && !masked.own->again);
	masked_stop();
	ck_assert_uint_eq(masked_in_kernel(), REAL);
	virtual_mask_spawned(masked.record);
	ck_assert(!masked.own->on && !masked.own->spawns);
	ck_assert_uint_eq(masked_in_kernel(), ALL);
	ck_assert_uint_eq(masked.own->stops, 0);
	masked.own->spawns = masked.own->again = true;
	virtual_mask_spawned(masked.record);
	ck_assert_msg(masked.own->stops > 0, "it may set a virtual mask again");
	masked_close();
}
END_TEST

/* posix_spawn() has returned without having blocked all signals. */
START_TEST(fails_to_spawn)
{
	masked_open_stopped();
	ck_assert(enters_spawn(BIT(SIGUSR2)));
	masked.record->sigtrap->apart = true;
	masked_set(ALL & ~LIBRARY);
	virtual_mask_vforked(masked.program, masked.record);
	ck_assert_msg(masked.own->on && !masked.own->spawns,
		      "the child of a vfork() that came later");
	ck_assert(virtual_mask_end(masked.record));
	ck_assert_uint_eq(masked_in_kernel(), ALL & ~LIBRARY);
	masked_close();
}
END_TEST

/* The child of posix_spawn() asks which signals it blocks, to set the default
 * action for each of them, and sets a mask before its exec. */
START_TEST(is_spawned)
{
	struct hit hit;

	masked_open_stopped();
	masked.own->spawns = true;
	begin();
	masked.record->sigtrap->apart = true;
	hit = call_of(SIG_BLOCK, 0, (addr_t)(uintptr_t)&old_there);
	ck_assert_int_eq(virtual_mask_asked(&hit), 0);
	ck_assert_msg(!is_idle(&hit) && masked.own->on,
		      "the kernel tells the mask");
	ck_assert_uint_eq(masked_in_kernel(), REAL);
	ck_assert(!virtual_mask_end(masked.record));
	ck_assert_msg(masked_in_kernel() == REAL,
		      "the mask is the child's own");
	ck_assert(!masked.own->on && !masked.own->spawns);

	/* xtrace did not see the parent enter posix_spawn(). */
	masked.own->again = false;
	masked_set(BIT(SIGUSR2));
	virtual_mask_vforked(masked.program, masked.record);
	ck_assert_msg(!masked.own->on, "it does not block all signals");
	masked_set(ALL);
	virtual_mask_vforked(masked.program, masked.record);
	ck_assert(masked.own->on && !masked.own->spawns);
	ck_assert_uint_eq(masked_in_kernel(), REAL);
	ck_assert_int_eq(virtual_mask_asked(&hit), 0);
	ck_assert(!is_idle(&hit) && !masked.own->on);
	ck_assert_uint_eq(masked_in_kernel(), ALL);
	masked.record->sigtrap->apart = false;
	virtual_mask_vforked(masked.program, masked.record);
	ck_assert_msg(!masked.own->on, "no vfork child");
	masked_close();
}
END_TEST

Suite *
virtual_mask_suite(void)
{
	Suite *suite = suite_create("virtual masks");
	TCase *live = tcase_create("live");

	tcase_set_timeout(live, 60);
	tcase_add_test(live, not_before_the_fourth_trap);
	tcase_add_test(live, states_without_one);
	tcase_add_test(live, ends);
	tcase_add_loop_test(live, asks_for_a_mask, 0, COUNT(asks));
	tcase_add_test(live, asks_without_us);
	tcase_add_test(live, births);
	tcase_add_test(live, is_born_while_xtrace_leaves);
	tcase_add_test(live, stops_until_it_is_set);
	tcase_add_test(live, spawns);
	tcase_add_test(live, fails_to_spawn);
	tcase_add_test(live, is_spawned);
	suite_add_tcase(suite, live);
	return suite;
}
