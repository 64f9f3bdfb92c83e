/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Virtual masks, state by state: when a thread gets one, when it still has it,
 * what pthread_sigmask() makes of it, who inherits it, and how it ends. The
 * tracee is a stopped copy of the test; its mask in the kernel is compared.
 */
#include "tests/unit/live/tracee.h"
#include "tests/unit/tracer/stage.h"
#include "tests/unit/tracer/suites.h"

#include "process/regs.h"
#include "process/resume.h"
#include "process/siginfo.h"
#include "process/status.h"
#include "process/wait.h"
#include "tracer/remote_calls/inject.h"
#include "tracer/report/report.h"
#include "tracer/sigtrap/sigtrap_parts.h"
#include "tests/unit/checks.h"

#include <signal.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))
#define BIT(signal) SIGNAL_BIT(signal)
#define FIXED (BIT(SIGKILL) | BIT(SIGSTOP))
/* The signals with which glibc cancels threads and changes user ids of all
 * threads. The C library blocks them only around a clone. */
#define LIBRARY (BIT(32) | BIT(33))
#define ALL (~FIXED)
#define REAL (ALL & ~TRAP_BIT)

/* ---- a stopped tracee ------------------------------------------------------
 */

static struct stage stage;
static struct thread *thread;
static struct thread_record *record;
static struct program *program;
static struct virtual_mask *own;

TARGET static int
unit_masked(int number)
{
	return number;
}

static void
set_all(void)
{
	const uint64_t all = ALL;

	unit_masked(1);
	syscall(SYS_rt_sigprocmask, SIG_SETMASK, &all, NULL, sizeof(all));
	for (;;)
		syscall(SYS_getppid);
}

static volatile uint64_t turns;

static void
spin(void)
{
	for (;;)
		turns++;
}

static void
stop(void)
{
	thread = inject_stop(&stage.session, stage.pid);
	ck_assert_ptr_nonnull(thread);
	thread_mend_interrupted(&stage.session.table, thread);
}

static void
open_stage(void (*run)(void))
{
	stage_open(&stage, "-x unit_masked", NULL, run);
	thread = table_thread(&stage.session.table, stage.pid);
	ck_assert_ptr_nonnull(thread);
	record = session_record(&stage.session, thread);
	program = session_program(&stage.session, thread->process->space);
	ck_assert_uint_ne(program->sites.survive.code, 0);
	own = &record->sigtrap->mask;
}

static void
open_stopped(void)
{
	open_stage(set_all);
	stop();
}

static void
close_stage(void)
{
	free(stage_close(&stage));
}

static void
set(uint64_t mask)
{
	ck_assert_int_eq(thread_set_signal_mask(thread, mask), 0);
}

static uint64_t
in_kernel(void)
{
	uint64_t mask;

	ck_assert_int_eq(thread_signal_mask(thread, &mask), 0);
	return mask;
}

static bool
keep(uint64_t mask)
{
	set(mask & ~TRAP_BIT);
	return virtual_mask_keep(program, record, mask & ~TRAP_BIT);
}

static void
begin(void)
{
	own->again = true;
	ck_assert(keep(ALL));
	ck_assert(own->on);
}

START_TEST(not_before_the_fourth_trap)
{
	open_stopped();
	for (int i = 0; i < 3; i++)
		ck_assert(!keep(ALL));
	/* After a trap with another mask, the traps are counted anew. */
	ck_assert(!keep(BIT(SIGUSR1)));
	for (int i = 0; i < 3; i++) {
		ck_assert(!keep(ALL));
		ck_assert(!own->on && !own->again);
	}
	ck_assert_uint_eq(record->sigtrap->belief, BELIEF_OPEN);
	ck_assert(keep(ALL));
	ck_assert(own->on && own->again);
	ck_assert_uint_eq(own->real, REAL);
	ck_assert_uint_eq(in_kernel(), REAL);
	ck_assert_uint_eq(record->sigtrap->belief, BELIEF_BLOCKS);
	ck_assert_uint_eq(record->sigtrap->after_all, BELIEF_OPEN);
	ck_assert(virtual_mask_end(record));
	ck_assert(!own->on && own->again);
	ck_assert_uint_eq(in_kernel(), ALL);
	ck_assert_msg(!virtual_mask_end(record), "it has ended");
	ck_assert_msg(keep(ALL), "again, at once");
	close_stage();
}
END_TEST

/* In these states no thread gets a virtual mask. */
static void
leaves(bool is)
{
	stage.session.leaving = is;
}

static void
is_in_handler(bool is)
{
	record->sigtrap->handler = is ? 0x1000 : 0;
}

static void
has_own_action(bool is)
{
	record->sigtrap->own = is;
}

static void
catches(bool is)
{
	program->sites.survive.header.program.handler = is ? 0x1000 : 0;
}

static void
has_no_area(bool is)
{
	static addr_t code;

	if (is)
		code = program->sites.survive.code;
	program->sites.survive.code = is ? 0 : code;
}

START_TEST(states_without_one)
{
	static void (*const states[])(bool is) = { leaves, is_in_handler,
						   has_own_action, catches,
						   has_no_area };

	open_stopped();
	own->again = true;
	for (size_t i = 0; i < COUNT(states); i++) {
		states[i](true);
		ck_assert_msg(!keep(ALL), "state %zu", i);
		ck_assert(!own->on);
		states[i](false);
	}
	program->sites.survive.header.program.handler =
		(uint64_t)(uintptr_t)SIG_IGN;
	ck_assert_msg(keep(ALL), "a program that ignores SIGTRAP");
	catches(false);
	close_stage();
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

	open_stopped();
	for (size_t i = 0; i < COUNT(rows); i++) {
		begin();
		set(rows[i].found);
		ck_assert(virtual_mask_end(record) == rows[i].had);
		ck_assert_uint_eq(in_kernel(), rows[i].after);
		ck_assert(!own->on);
		ck_assert_uint_eq(record->sigtrap->belief,
				  i == 3 ? BELIEF_OPEN : BELIEF_BLOCKS);
	}
	begin();
	thread->nudged = true;
	ck_assert(!virtual_mask_end(record));
	thread->nudged = false;
	ck_assert_msg(own->on && in_kernel() == REAL, "not during a nudge");
	close_stage();
}
END_TEST

/* ---- pthread_sigmask() -----------------------------------------------------
 */

/* The addresses are the same in the copy. */
static uint64_t set_there, old_there;

struct ask {
	const char *what;
	bool on; /* the thread has a virtual mask */
	int how;
	bool has_set;
	uint64_t set;
	/* Is the call of the program idle, because xtrace has set the mask? */
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

	ck_assert_int_eq(space_write(program->space,
				     (addr_t)(uintptr_t)&set_there, &mask,
				     sizeof(mask)),
			 0);
	ck_assert_int_eq(space_write(program->space,
				     (addr_t)(uintptr_t)&old_there, &none,
				     sizeof(none)),
			 0);
}

static uint64_t
told(void)
{
	uint64_t mask;

	ck_assert_int_eq(reader_u64(program_memory(program),
				    (addr_t)(uintptr_t)&old_there, &mask),
			 0);
	return mask;
}

/* A call of pthread_sigmask(how, set, old), as the thread's registers say. */
static struct hit
call_of(int how, addr_t set, addr_t old)
{
	struct hit hit = {
		.session = &stage.session,
		.program = program,
		.record = record,
		.regs = *thread_regs(&stage.session.table, thread),
	};

	hit_calling(&hit)->set_argument(&hit.regs, 0, (uint64_t)how);
	hit_calling(&hit)->set_argument(&hit.regs, 1, set);
	hit_calling(&hit)->set_argument(&hit.regs, 2, old);
	thread_set_regs(thread, &hit.regs);
	return hit;
}

/* The second and third arguments that the thread has now. */
static bool
is_idle(const struct hit *hit)
{
	struct hit now = *hit;

	now.regs = *thread_regs(&stage.session.table, thread);
	return hit_argument(&now, 1) == 0 && hit_argument(&now, 2) == 0;
}

START_TEST(asks_for_a_mask)
{
	const struct ask *ask = &asks[_i];
	struct hit hit;

	open_stopped();
	own->again = true;
	if (ask->on)
		begin();
	else
		set(BIT(SIGUSR2));
	write_words(ask->set);
	hit = call_of(ask->how,
		      ask->has_set ? (addr_t)(uintptr_t)&set_there : 0,
		      (addr_t)(uintptr_t)&old_there);
	ck_assert_int_eq(virtual_mask_asked(&hit), 0);
	ck_assert_msg(is_idle(&hit) == ask->idle, "%s: idle", ask->what);
	ck_assert_msg(told() == ask->told, "%s: told %lx", ask->what,
		      (unsigned long)told());
	ck_assert_msg(in_kernel() == ask->after, "%s: %lx", ask->what,
		      (unsigned long)in_kernel());
	ck_assert_msg(own->on == ask->on_after, "%s: on", ask->what);
	close_stage();
}
END_TEST

/* In these cases xtrace does not change the call. */
START_TEST(asks_without_us)
{
	struct hit hit;

	open_stopped();
	write_words(0);
	hit = call_of(SIG_SETMASK, (addr_t)(uintptr_t)&set_there, 0);
	set(ALL);
	ck_assert_int_eq(virtual_mask_asked(&hit), 0);
	ck_assert_msg(in_kernel() == ALL, "it never had a virtual mask");
	begin();
	hit.before = true;
	ck_assert_int_eq(virtual_mask_asked(&hit), 0);
	ck_assert_msg(in_kernel() == REAL, "a call from before the attach");
	hit = call_of(SIG_SETMASK, 8, 0);
	ck_assert_int_eq(virtual_mask_asked(&hit), 0);
	ck_assert_msg(in_kernel() == ALL && !own->on, "no mask to be read");
	begin();
	set(BIT(SIGUSR2));
	hit = call_of(SIG_BLOCK, (addr_t)(uintptr_t)&set_there, 0);
	ck_assert_int_eq(virtual_mask_asked(&hit), 0);
	ck_assert_msg(in_kernel() == BIT(SIGUSR2) && !own->on, "set unseen");
	ck_assert(!is_idle(&hit));
	leaves(true);
	hit = call_of(SIG_SETMASK, (addr_t)(uintptr_t)&set_there, 0);
	ck_assert_int_eq(virtual_mask_asked(&hit), 0);
	ck_assert_msg(in_kernel() == BIT(SIGUSR2), "xtrace leaves");
	leaves(false);
	close_stage();
}
END_TEST

/* ---- births ----------------------------------------------------------------
 */

START_TEST(births)
{
	struct sigtrap one = { .belief = BELIEF_OPEN }, other = one;
	struct thread_record parent = { .sigtrap = &one };
	struct thread_record child = { .sigtrap = &other };

	open_stopped();
	one.mask = (struct virtual_mask){ .blocked = 2 };
	virtual_mask_born(program, &parent, &child);
	ck_assert_uint_eq(other.mask.blocked, 0);
	ck_assert_uint_eq(one.mask.stops + other.mask.stops, 0);

	one.mask = (struct virtual_mask){ .again = true };
	virtual_mask_born(NULL, &parent, &child);
	ck_assert_msg(other.mask.again, "a process");
	ck_assert_uint_eq(one.mask.stops + other.mask.stops, 0);
	virtual_mask_born(program, &parent, &child);
	ck_assert_msg(one.mask.stops > 0 && other.mask.stops > 0, "a thread");

	one.mask = (struct virtual_mask){ .on = true, .again = true };
	virtual_mask_born(program, &parent, &child);
	ck_assert(other.mask.on);
	ck_assert_uint_eq(one.mask.stops + other.mask.stops, 0);

	other.handler = 0x1000;
	one.mask = (struct virtual_mask){ .again = true };
	virtual_mask_born(program, &parent, &child);
	ck_assert_uint_eq(one.mask.stops + other.mask.stops, 0);
	close_stage();
}
END_TEST

static void
next_system_call(void)
{
	struct stop stop;

	ck_assert_int_eq(wait_thread(&stage.session.table, thread, &stop), 0);
	ck_assert_uint_eq(stop.kind, STOP_SYSCALL);
	ck_assert(virtual_mask_stopped(&stage.session, thread));
}

/* The thread is stopped at each system call until it has set its mask. */
START_TEST(stops_until_it_is_set)
{
	open_stopped();
	ck_assert_msg(!virtual_mask_stopped(&stage.session, thread), "no stop");
	sites_lift_all(&program->sites);
	own->again = true;
	own->stops = 100;
	tracee_open_gate();
	virtual_mask_resume(&stage.session, thread);
	while (own->stops)
		next_system_call();
	ck_assert(own->on);
	stop();
	ck_assert_uint_eq(in_kernel(), REAL);
	ck_assert_uint_eq(own->real, REAL);

	/* If the thread sets no mask, xtrace stops asking. */
	virtual_mask_end(record);
	own->stops = 6;
	virtual_mask_resume(&stage.session, thread);
	for (int i = 0; i < 6; i++)
		next_system_call();
	ck_assert_uint_eq(own->stops, 0);
	ck_assert(!own->on);
	stop();
	ck_assert_uint_eq(in_kernel(), ALL);
	close_stage();
}
END_TEST

/* The thread enters posix_spawn(). True if its mask becomes virtual there. */
static bool
enters_spawn(uint64_t mask)
{
	struct hit hit = {
		.session = &stage.session,
		.program = program,
		.record = record,
		.regs = *thread_regs(&stage.session.table, thread),
	};

	set(mask);
	ck_assert_int_eq(virtual_mask_spawns(&hit), 0);
	ck_assert(own->spawns == (own->stops > 0));
	return own->spawns;
}

START_TEST(spawns)
{
	open_stopped();
	ck_assert_msg(!enters_spawn(REAL), "it looks like a virtual one");
	record->sigtrap->apart = true;
	ck_assert_msg(!enters_spawn(BIT(SIGUSR2)), "a child");
	record->sigtrap->apart = false;
	catches(true);
	ck_assert_msg(!enters_spawn(BIT(SIGUSR2)), "it catches SIGTRAP");
	catches(false);
	begin();
	ck_assert(enters_spawn(REAL));
	ck_assert_msg(in_kernel() == ALL && !own->on, "what the call notes");
	own->again = false;

	sites_lift_all(&program->sites);
	tracee_open_gate();
	virtual_mask_resume(&stage.session, thread);
	while (own->stops)
		next_system_call();
	ck_assert(own->on && own->spawns && !own->again);
	stop();
	ck_assert_uint_eq(in_kernel(), REAL);
	virtual_mask_spawned(record);
	ck_assert(!own->on && !own->spawns);
	ck_assert_uint_eq(in_kernel(), ALL);
	close_stage();
}
END_TEST

/* The child asks which signals it blocks, to set the default action for each of
 * them, and sets a mask before its exec. */
START_TEST(is_spawned)
{
	struct hit hit;

	open_stopped();
	own->spawns = true;
	begin();
	record->sigtrap->apart = true;
	hit = call_of(SIG_BLOCK, 0, (addr_t)(uintptr_t)&old_there);
	ck_assert_int_eq(virtual_mask_asked(&hit), 0);
	ck_assert_msg(!is_idle(&hit) && own->on, "the kernel tells the mask");
	ck_assert_uint_eq(in_kernel(), REAL);
	ck_assert(!virtual_mask_end(record));
	ck_assert_msg(in_kernel() == REAL, "the mask is the child's own");
	ck_assert(!own->on && !own->spawns);

	/* xtrace did not see the parent enter posix_spawn(). */
	own->again = false;
	set(BIT(SIGUSR2));
	virtual_mask_vforked(program, record);
	ck_assert_msg(!own->on, "it does not block all signals");
	set(ALL);
	virtual_mask_vforked(program, record);
	ck_assert(own->on && !own->spawns);
	ck_assert_uint_eq(in_kernel(), REAL);
	ck_assert_int_eq(virtual_mask_asked(&hit), 0);
	ck_assert(!is_idle(&hit) && !own->on);
	ck_assert_uint_eq(in_kernel(), ALL);
	record->sigtrap->apart = false;
	virtual_mask_vforked(program, record);
	ck_assert_msg(!own->on, "no vfork child");
	close_stage();
}
END_TEST

/* ---- the attach ------------------------------------------------------------
 */

static uint64_t
in_proc(void)
{
	struct status status;

	ck_assert_int_eq(status_read(stage.pid, &status), 0);
	return status.blocked;
}

/* The copy blocks in a read, which the kernel continues. */
static void
attach_with(uint64_t mask)
{
	set(mask);
	thread_resume(&stage.session.table, thread, 0);
	tracee_await_blocked(stage.pid, SYS_read);
	virtual_mask_attach(&stage.session, thread->process);
}

START_TEST(attaches)
{
	open_stopped();
	attach_with(TRAP_BIT);
	ck_assert_msg(!own->on && in_proc() == TRAP_BIT, "one signal");
	ck_assert(!virtual_mask_may_end(record));
	stop();
	catches(true);
	attach_with(ALL);
	catches(false);
	ck_assert_msg(!own->on && in_proc() == ALL, "it catches SIGTRAP");
	stop();
	attach_with(ALL);
	ck_assert(own->on && own->again);
	ck_assert_uint_eq(in_proc(), REAL);
	ck_assert(virtual_mask_may_end(record));
	stop();
	close_stage();
}
END_TEST

static bool
spins(void)
{
	uint64_t count;

	ck_assert_int_eq(reader_u64(program_memory(program),
				    (addr_t)(uintptr_t)&turns, &count),
			 0);
	return count > 0;
}

static void
attach_running(uint64_t mask)
{
	struct blocked blocked = { .running = false };

	set(mask);
	thread_resume(&stage.session.table, thread, 0);
	while (!blocked.running || !spins())
		ck_assert_int_eq(status_blocked(stage.pid, stage.pid, &blocked),
				 0);
	virtual_mask_attach(&stage.session, thread->process);
}

/* A thread that runs with the mask of the C library is in a clone. */
START_TEST(attaches_to_one_that_runs)
{
	open_stage(spin);
	stop();
	sites_lift_all(&program->sites);
	tracee_open_gate();
	attach_running(ALL);
	ck_assert_msg(own->again && own->stops > 0, "later");
	ck_assert(!own->on);
	stop();
	ck_assert_uint_eq(in_kernel(), ALL);
	own->again = false;
	own->stops = 0;
	attach_running(ALL & ~LIBRARY);
	ck_assert(own->on && own->again);
	stop();
	ck_assert_uint_eq(in_kernel(), REAL & ~LIBRARY);
	close_stage();
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
	tcase_add_test(live, stops_until_it_is_set);
	tcase_add_test(live, spawns);
	tcase_add_test(live, is_spawned);
	tcase_add_test(live, attaches);
	tcase_add_test(live, attaches_to_one_that_runs);
	suite_add_tcase(suite, live);
	return suite;
}
