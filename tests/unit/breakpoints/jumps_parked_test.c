/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * While jumps are made and removed, there is a thread at each byte of each
 * window where an instruction begins: in a signal handler that interrupted it
 * there. By turns, each thread returns to the window while jumps are still made
 * and removed, or while all jumps are planted.
 *
 * ptrace(2) moves the threads to their places while the text has no traps: step
 * by step, and then with a signal. After that they are not traced.
 *
 * JUMP_TOGGLES is the number of times that each jump is made and removed.
 */
#include "tests/unit/breakpoints/jump_scene.h"
#include "tests/unit/breakpoints/suites.h"

#include "process/regs.h"

#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/ptrace.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define TOGGLES 32
/* How often jumps are made and removed before, and after the threads are sent
 * on. */
#define PART 8
#define STEPS_MOST 1000000
/* A thread sleeps after so many rounds, so that the others get a CPU. */
#define ROUNDS 2

/* ---- the program ----------------------------------------------------------*/

static void
on_park(int signal)
{
	const struct timespec moment = { .tv_nsec = 200000 };
	unsigned sent_on = atomic_load(&shared->sent_on);

	(void)signal;
	atomic_fetch_add(&shared->parked, 1);
	while (atomic_load(&shared->sent_on) == sent_on)
		nanosleep(&moment, NULL);
	atomic_fetch_sub(&shared->parked, 1);
}

static void *
work(void *number)
{
	atomic_store(&shared->tids[(uintptr_t)number], gettid());
	atomic_fetch_add(&shared->workers, 1);
	for (int n = 0;; n++) {
		for (size_t i = 0; i < WINDOWS; i++)
			if (jump_call(windows[i], n) != n + 1)
				atomic_fetch_add(&shared->wrong, 1);
		atomic_fetch_add(&shared->rounds, 1);
		atomic_fetch_add(&shared->laps[(uintptr_t)number], 1);
		if (n % ROUNDS == 0)
			jump_nap();
	}
	return NULL;
}

static void
program(void)
{
	const struct sigaction action = { .sa_handler = on_park };
	pthread_t worker;

	sigaction(SIGUSR1, &action, NULL);
	for (uintptr_t i = 0; i < PARKERS; i++)
		if (pthread_create(&worker, NULL, work, (void *)i) != 0)
			_exit(1);
	jump_serve();
}

/* ---- xtrace's side --------------------------------------------------------*/

struct place {
	size_t window;
	unsigned byte;
};

static void
setup(void)
{
	jump_scene_begin(program, PARKERS);
}

static void
toggle(void)
{
	struct jump_request requests[WINDOWS];

	jump_ask(requests, NULL);
	for (size_t i = 0; i < WINDOWS; i++)
		jumps_lift(&sites, planted[i], thread);
	ck_assert_uint_eq(atomic_load(&shared->wrong), 0);
}

/* The places of the windows' instructions. Returns their number. */
static size_t
find_places(struct place places[PARKERS])
{
	struct jump_request requests[WINDOWS];
	size_t count = 0;

	jump_ask(requests, NULL);
	for (size_t i = 0; i < WINDOWS; i++) {
		const struct jump *jump = &planted[i]->jumping->jump;

		for (unsigned byte = 0; byte < jump->length; byte++) {
			if (byte && !(jump->boundaries & 1u << byte))
				continue;
			ck_assert_uint_lt(count, PARKERS);
			places[count++] = (struct place){ i, byte };
		}
	}
	return count;
}

static void
lift_traps(void)
{
	for (size_t i = 0; i < WINDOWS; i++) {
		jumps_lift(&sites, planted[i], thread);
		sites_disown(&sites, planted[i], SITE_OWNER_CALL);
	}
}

static void
plant_traps(void)
{
	for (size_t i = 0; i < WINDOWS; i++)
		ck_assert_int_eq(sites_own(&sites, planted[i], SITE_OWNER_CALL),
				 0);
}

static void
await_stop_of(pid_t tid)
{
	int status;

	ck_assert_int_eq(waitpid(tid, &status, __WALL), tid);
	ck_assert_msg(WIFSTOPPED(status), "%d: status %#x", tid, status);
}

/* Why a thread has stopped. */
static int
code_of(pid_t tid)
{
	siginfo_t info;

	ck_assert_int_eq(ptrace(PTRACE_GETSIGINFO, tid, NULL, &info), 0);
	return info.si_signo == SIGTRAP ? info.si_code : 0;
}

static bool
blocks_traps(pid_t tid)
{
	uint64_t mask;

	ck_assert_int_eq(ptrace(PTRACE_GETSIGMASK, tid, (void *)sizeof(mask),
				&mask),
			 0);
	return mask & 1u << (SIGTRAP - 1);
}

/*
 * If the stopped thread has run into a trap just before the trap was removed,
 * it gets its signal; and it leaves the handler of that signal. In the handler
 * the signal is blocked, and a step there would make the kernel remove the
 * handler (force_sig_info_to_task() in kernel/signal.c).
 */
static void
leave_handler(pid_t tid)
{
	int code;

	while ((code = code_of(tid)) == SI_KERNEL || blocks_traps(tid)) {
		const uintptr_t signal = code == SI_KERNEL ? SIGTRAP : 0;

		ck_assert_int_eq(ptrace(PTRACE_CONT, tid, NULL, (void *)signal),
				 0);
		jump_nap();
		ck_assert_int_eq(ptrace(PTRACE_INTERRUPT, tid, NULL, NULL), 0);
		await_stop_of(tid);
	}
}

static addr_t
pc_of(pid_t tid)
{
	struct regs_request request;
	struct regs regs;

	ck_assert_uint_eq(regs_fetching(&regs, &request), 1);
	ck_assert_int_eq(ptrace((enum __ptrace_request)request.what, tid,
				(void *)(uintptr_t)request.address,
				request.data),
			 0);
	return regs_pc(&regs);
}

static void
park(pid_t tid, const struct place *place)
{
	const addr_t goal = (addr_t)windows[place->window] + place->byte;
	unsigned steps = 0;

	ck_assert_int_eq(ptrace(PTRACE_SEIZE, tid, NULL, NULL), 0);
	ck_assert_int_eq(ptrace(PTRACE_INTERRUPT, tid, NULL, NULL), 0);
	await_stop_of(tid);
	do {
		leave_handler(tid);
		ck_assert_int_eq(ptrace(PTRACE_SINGLESTEP, tid, NULL, NULL), 0);
		await_stop_of(tid);
	} while ((pc_of(tid) != goal || code_of(tid) != TRAP_TRACE) &&
		 ++steps < STEPS_MOST);
	ck_assert_uint_lt(steps, STEPS_MOST);
	ck_assert_int_eq(ptrace(PTRACE_DETACH, tid, NULL,
				(void *)(uintptr_t)SIGUSR1),
			 0);
}

static void
await_parked(size_t count)
{
	while (atomic_load(&shared->parked) != count) {
		jump_check_running();
		jump_nap();
	}
}

/* The threads return to their places while all jumps are planted, and run
 * on. */
static void
send_on_to_jumps(void)
{
	struct jump_request requests[WINDOWS];
	unsigned before[PARKERS];

	jump_ask(requests, NULL);
	for (size_t i = 0; i < PARKERS; i++)
		before[i] = atomic_load(&shared->laps[i]);
	atomic_fetch_add(&shared->sent_on, 1);
	for (size_t i = 0; i < PARKERS; i++)
		while (atomic_load(&shared->laps[i]) - before[i] < 2) {
			jump_check_running();
			jump_nap();
		}
	for (size_t i = 0; i < WINDOWS; i++)
		jumps_lift(&sites, planted[i], thread);
}

static unsigned long
toggles_wanted(void)
{
	const char *number = getenv("JUMP_TOGGLES");

	return number ? strtoul(number, NULL, 10) : TOGGLES;
}

START_TEST(threads_are_parked_in_windows)
{
	struct place places[PARKERS];
	size_t count = find_places(places), round = 0;

	for (unsigned long n = 0; n < toggles_wanted(); n += 2 * PART) {
		lift_traps();
		for (size_t i = 0; i < count; i++)
			park(atomic_load(&shared->tids[i]),
			     &places[(i + round) % count]);
		await_parked(count);
		plant_traps();
		for (unsigned i = 0; i < PART; i++)
			toggle();
		if (round++ % 2)
			atomic_fetch_add(&shared->sent_on, 1);
		else
			send_on_to_jumps();
		for (unsigned i = 0; i < PART; i++)
			toggle();
		await_parked(0);
	}
	sites_lift_all(&sites);
	jump_goes_round();
	ck_assert_uint_ge(count, 2 * WINDOWS);
}
END_TEST

Suite *
jumps_parked_suite(void)
{
	Suite *suite = suite_create("breakpoints/jumps_parked");
	TCase *tests = tcase_create("jumps_parked");

	tcase_add_checked_fixture(tests, setup, jump_scene_end);
	/* On a busy machine the steps to the windows take long. */
	tcase_set_timeout(tests, getenv("JUMP_TOGGLES") ? 36000 : 600);
	tcase_add_test(tests, threads_are_parked_in_windows);
	suite_add_tcase(suite, tests);
	return suite;
}
