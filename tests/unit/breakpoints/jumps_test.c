/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Jumps in place of traps, in a program whose threads run through them all the
 * time (jump_scene.h). Timers interrupt these threads, and some of their calls
 * begin at a boundary.
 *
 * The test notices if a result is wrong or the program dies.
 */
#include "tests/unit/breakpoints/jump_scene.h"
#include "tests/unit/breakpoints/suites.h"

#include "base/attr.h"
#include "breakpoints/jumps.h"
#include "breakpoints/outlive/cores.h"
#include "breakpoints/outlive/way.h"
#include "breakpoints/step.h"

#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <unistd.h>

#define WORKERS 2
#define TOGGLES 60
/* The timers' period, in microseconds. */
#define PERIOD 500
/* For how many naps the first thread sleeps after the workers have begun. */
#define LATE 5

/* ---- the program ----------------------------------------------------------*/

static void *
work(void *unused)
{
	(void)unused;
	atomic_fetch_add(&shared->workers, 1);
	for (int n = 0;; n++) {
		for (size_t i = 0; i < WINDOWS; i++)
			if (jump_call(windows[i], n) != n + 1)
				atomic_fetch_add(&shared->wrong, 1);
		if (n % 16 == 0 && jump_call(jumps_middle + MIDDLE, n) != n + 1)
			atomic_fetch_add(&shared->wrong, 1);
		atomic_fetch_add(&shared->rounds, 1);
	}
	return NULL;
}

static void
on_signal(int signal)
{
	(void)signal;
	atomic_fetch_add(&shared->signals, 1);
	if (jump_call(jumps_frame, 41) != 42)
		atomic_fetch_add(&shared->wrong, 1);
}

/* On a busy machine the workers may run long before the first thread does. A
 * test that attached to it then would get no signal of the timer. */
static void
be_late(void)
{
	for (unsigned naps = 0; naps < LATE;
	     naps += atomic_load(&shared->workers) == WORKERS)
		jump_nap();
}

static void
program(void)
{
	const struct sigaction action = { .sa_handler = on_signal,
					  .sa_flags = SA_RESTART };
	const struct itimerval timer = { { 0, PERIOD }, { 0, PERIOD } };
	sigset_t set;
	pthread_t worker;

	sigaction(SIGPROF, &action, NULL);
	for (unsigned i = 0; i < WORKERS; i++)
		if (pthread_create(&worker, NULL, work, NULL) != 0)
			_exit(1);
	be_late();
	/* The traced thread gets none of these signals, and blocks in no call:
	 * it makes calls for xtrace. */
	sigemptyset(&set);
	sigaddset(&set, SIGPROF);
	pthread_sigmask(SIG_BLOCK, &set, NULL);
	setitimer(ITIMER_PROF, &timer, NULL);
	jump_serve();
}

/* ---- xtrace's side --------------------------------------------------------*/

static void
setup(void)
{
	jump_scene_begin(program, WORKERS);
}

static void
read_text(size_t i, uint8_t *to)
{
	ck_assert_int_eq(space_read_raw(sites.space, (addr_t)windows[i], to,
					JUMP_MOST),
			 0);
}

static bool
is_original(size_t i)
{
	uint8_t there[JUMP_MOST];

	read_text(i, there);
	return !memcmp(there, windows[i], sizeof(there));
}

static void
jump_everywhere(void)
{
	struct jump_request requests[WINDOWS];
	uint8_t there[JUMP_MOST], veiled[JUMP_MOST];

	jump_ask(requests, NULL);
	for (size_t i = 0; i < WINDOWS; i++) {
		const struct jump *jump = &planted[i]->jumping->jump;

		read_text(i, there);
		ck_assert(!memcmp(there, jump->planted, jump->length));
		ck_assert_int_eq(reader_read(&sites.space->reader,
					     (addr_t)windows[i], veiled,
					     sizeof(veiled)),
				 0);
		ck_assert(!memcmp(veiled, windows[i], sizeof(veiled)));
	}
}

START_TEST(jumps_go_up_and_back)
{
	jump_goes_round();
	jump_everywhere();
	jump_goes_round();
	for (size_t i = 0; i < WINDOWS; i++) {
		uint8_t there[JUMP_MOST];

		jumps_lift(&sites, planted[i], thread);
		read_text(i, there);
		ck_assert_uint_eq(there[0], 0xcc);
		ck_assert(!memcmp(there + 1, windows[i] + 1, JUMP_MOST - 1));
	}
	jump_goes_round();
	sites_lift_all(&sites);
	for (size_t i = 0; i < WINDOWS; i++)
		ck_assert(is_original(i));
	jump_goes_round();
}
END_TEST

START_TEST(all_jumps_are_lifted)
{
	jump_everywhere();
	sites_lift_all(&sites);
	for (size_t i = 0; i < WINDOWS; i++)
		ck_assert(is_original(i));
	jump_goes_round();
}
END_TEST

/* Jumps are made and removed while threads run through the windows. A busy
 * machine may give these threads no CPU during the first TOGGLES times. */
START_TEST(jumps_are_toggled)
{
	struct jump_request requests[WINDOWS];
	uint64_t before = atomic_load(&shared->rounds);

	for (unsigned n = 0;
	     n < TOGGLES || atomic_load(&shared->rounds) == before ||
	     !atomic_load(&shared->signals);
	     n++) {
		jump_ask(requests, NULL);
		for (size_t i = 0; i < WINDOWS; i++)
			jumps_lift(&sites, planted[i], thread);
		ck_assert_uint_eq(atomic_load(&shared->wrong), 0);
	}
	sites_lift_all(&sites);
	jump_goes_round();
}
END_TEST

/* The condition of these checks always holds: each thread stops at the check's
 * trap, and the handler lets the thread continue. */
START_TEST(checks_stop_threads)
{
	const struct check_condition always = { CHECK_CALLER, 0, UINT64_MAX };
	struct jump_request requests[WINDOWS];

	jump_ask(requests, &always);
	jump_goes_round();
	for (size_t i = 0; i < WINDOWS; i++) {
		const struct jumping *jumping = planted[i]->jumping;
		addr_t trap = jumping->check_at + jumping->check.trap;

		ck_assert_ptr_eq(jumps_stopped_at(&sites, trap), planted[i]);
		ck_assert_ptr_eq(jumps_stopped_at(&sites, jumping->jump.board),
				 planted[i]);
		ck_assert_ptr_null(jumps_stopped_at(&sites, trap + 1));
		ck_assert_int_eq(jumps_set_number(&sites, planted[i], 0, 7), 0);
		ck_assert_int_eq(jumps_close(&sites, planted[i], true), 0);
	}
	jump_goes_round();
	for (size_t i = 0; i < WINDOWS; i++)
		ck_assert_int_eq(jumps_close(&sites, planted[i], false), 0);
	jump_goes_round();
}
END_TEST

START_TEST(a_new_site_makes_a_jump_go_back)
{
	const char *why = "";
	struct site *site;

	jump_everywhere();
	ck_assert_int_eq(sites_plant_one(&sites, (addr_t)jumps_middle + MIDDLE,
					 SITE_OWNER_CALL, thread, &site, &why),
			 0);
	ck_assert(!jumps_begun(sites_find(&sites, (addr_t)jumps_middle)));
	ck_assert(jumps_begun(sites_find(&sites, (addr_t)jumps_call)));
	jump_goes_round();
}
END_TEST

START_TEST(another_owner_makes_a_jump_go_back)
{
	jump_everywhere();
	ck_assert_int_eq(sites_own(&sites, planted[0], SITE_OWNER_GUARD), 0);
	ck_assert(!jumps_begun(planted[0]));
	ck_assert(jumps_begun(planted[1]));
	jump_goes_round();
}
END_TEST

START_TEST(boundaries_are_known)
{
	addr_t at = (addr_t)jumps_middle, pc = 0, slot = 0;
	struct site *site;

	jump_everywhere();
	site = jumps_inner_at(&sites, at + MIDDLE, &pc, &slot);
	ck_assert_ptr_eq(site, sites_find(&sites, at));
	ck_assert_uint_eq(pc, at + MIDDLE);
	ck_assert(slots_cover(&sites.slots, slot));
	ck_assert_ptr_null(jumps_inner_at(&sites, at + 1, &pc, &slot));
	ck_assert_ptr_null(jumps_stopped_at(&sites, at + MIDDLE));
}
END_TEST

/* ---- xtrace is killed -----------------------------------------------------*/

/* Writes the bytes of a step that are set in `part`. */
static void
write_part(const struct jump *jump, struct jump_step step, unsigned part)
{
	const struct jump_step some = { (uint8_t)(step.bytes & part),
					step.stage };

	ck_assert_int_ge(way_step(sites.space->memory, jump,
				  &arch_of_host()->trap, some),
			 0);
}

static struct jump_step
step_of(const struct jump *jump, unsigned i)
{
	if (i < JUMP_STEPS)
		return jump_step_up(jump, i);
	return jump_step_back(jump, i - JUMP_STEPS, true);
}

/* How far the way up, and then the way back, have come: `steps` whole steps,
 * and some bytes of the next one. */
static void
write_state(unsigned steps, unsigned part)
{
	for (unsigned i = 0; i <= steps; i++) {
		for (size_t w = 0; w < WINDOWS; w++) {
			const struct jump *jump = &planted[w]->jumping->jump;

			write_part(jump, step_of(jump, i),
				   i < steps ? ~0u : part);
		}
		ck_assert_int_eq(cores_sync_global(), 0);
	}
}

static void
await_text(void)
{
	for (size_t i = 0; i < WINDOWS; i++) {
		while (!is_original(i))
			jump_nap();
	}
}

/* Ends xtrace's work after `steps` steps and some bytes of the next step: the
 * program runs for a moment with these bytes, then the watcher restores
 * everything. */
static void
die_in(unsigned steps, unsigned part)
{
	for (size_t i = 0; i < WINDOWS; i++) {
		const struct jump *jump = &planted[i]->jumping->jump;
		uint32_t number =
			watcher_note(watcher, process->pid, planted[i]->address,
				     &arch_of_host()->trap,
				     planted[i]->original);

		ck_assert_uint_ne(number, 0);
		watcher_note_jump(watcher, number, jump);
		ck_assert_int_eq(space_write(sites.space, jump->at,
					     arch_of_host()->trap.bytes, 1),
				 0);
	}
	write_state(steps, part);
	jump_goes_round();
	watcher_alarm(watcher);
	await_text();
	jump_goes_round();
	watcher_dismiss(watcher);
	watcher = watcher_start();
	ck_assert_ptr_nonnull(watcher);
}

/* Which bytes of a step are written when xtrace is killed: none, some from the
 * first one on, or some up to the last one. */
static const unsigned parts[] = { 0, 0x02, 0x06, 0x0e, 0x30, 0x38 };

START_TEST(killed_at_each_step)
{
	jump_everywhere();
	sites_lift_all(&sites);
	watcher_dismiss(watcher);
	watcher = watcher_start();
	sites.watcher = NULL;
	for (size_t i = 0; i < array_size(parts); i++)
		die_in((unsigned)_i, parts[i]);
}
END_TEST

/* xtrace is killed and leaves the jumps. A later xtrace finds them in the
 * handler area. */
START_TEST(a_later_one_brings_them_back)
{
	struct survive later = { 0 };
	struct slots slots = { 0 };

	jump_everywhere();
	watcher_dismiss(watcher);
	watcher = NULL;
	ck_assert(survive_adopt(&later, &slots, sites.space));
	for (size_t i = 0; i < WINDOWS; i++)
		ck_assert(is_original(i));
	jump_goes_round();
	survive_release(&later);
	slots_release(&slots);
	sites.watcher = NULL;
}
END_TEST

Suite *
jumps_suite(void)
{
	Suite *suite = suite_create("breakpoints/jumps");
	TCase *tests = tcase_create("jumps");

	tcase_add_checked_fixture(tests, setup, jump_scene_end);
	tcase_set_timeout(tests, 60);
	tcase_add_test(tests, jumps_go_up_and_back);
	tcase_add_test(tests, all_jumps_are_lifted);
	tcase_add_test(tests, jumps_are_toggled);
	tcase_add_test(tests, checks_stop_threads);
	tcase_add_test(tests, a_new_site_makes_a_jump_go_back);
	tcase_add_test(tests, another_owner_makes_a_jump_go_back);
	tcase_add_test(tests, boundaries_are_known);
	tcase_add_loop_test(tests, killed_at_each_step, 0, 2 * JUMP_STEPS);
	tcase_add_test(tests, a_later_one_brings_them_back);
	suite_add_tcase(suite, tests);
	return suite;
}
