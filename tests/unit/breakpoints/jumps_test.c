/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Jumps in place of traps, in a program whose threads run through them all the
 * time. xtrace traces one thread of the program, which is stopped. The other
 * threads are not traced, so their traps reach the handler in the program, as
 * if xtrace had been killed. Timers interrupt these threads, and some of their
 * calls begin at a boundary.
 *
 * The test notices if a result is wrong or the program dies.
 */
#include "tests/unit/breakpoints/scene.h"
#include "tests/unit/breakpoints/suites.h"

#include "base/attr.h"
#include "breakpoints/jumps.h"
#include "breakpoints/outlive/cores.h"
#include "breakpoints/outlive/way.h"
#include "breakpoints/step.h"
#include "process/attach.h"
#include "process/regs.h"
#include "process/resume.h"
#include "process/wait.h"

#include <limits.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/ptrace.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

/* Functions that return their argument plus one. Their windows differ: a single
 * instruction; boundaries, with and without a second byte behind the last one;
 * only boundaries; the end of the flow; a call. */
__asm__(".pushsection .text\n"
	".balign 64\n"
	"jumps_one:\n\t"
	"mov $1,%eax\n\t"
	"add %edi,%eax\n\t"
	"ret\n"
	".balign 64\n"
	"jumps_pushes:\n\t"
	"push %rbp\n\t"
	"mov %rsp,%rbp\n\t"
	"push %rbx\n\t"
	"lea 1(%rdi),%eax\n\t"
	"pop %rbx\n\t"
	"pop %rbp\n\t"
	"ret\n"
	".balign 64\n"
	"jumps_frame:\n\t"
	"push %rbp\n\t"
	"mov %rsp,%rbp\n\t"
	"sub $16,%rsp\n\t"
	"lea 1(%rdi),%eax\n\t"
	"leave\n\t"
	"ret\n"
	".balign 64\n"
	"jumps_saved:\n\t"
	"push %r15\n\t"
	"push %r14\n\t"
	"push %r13\n\t"
	"lea 1(%rdi),%eax\n\t"
	"pop %r13\n\t"
	"pop %r14\n\t"
	"pop %r15\n\t"
	"ret\n"
	".balign 64\n"
	"jumps_all:\n\t"
	"push %rax\n\t"
	"push %rcx\n\t"
	"push %rdx\n\t"
	"push %rbx\n\t"
	"push %rsi\n\t"
	"add $40,%rsp\n\t"
	"lea 1(%rdi),%eax\n\t"
	"ret\n"
	".balign 64\n"
	"jumps_end:\n\t"
	"lea 1(%rdi),%eax\n\t"
	"nop\n\t"
	"ret\n"
	".balign 64\n"
	"jumps_middle:\n\t"
	"nopl (%rax)\n\t"
	"lea 1(%rdi),%eax\n\t"
	"ret\n"
	".balign 64\n"
	"jumps_call:\n\t"
	"call *jumps_pointer(%rip)\n\t"
	"ret\n"
	".popsection\n"
	".pushsection .data\n"
	".balign 8\n"
	"jumps_pointer:\n\t"
	".quad jumps_one\n"
	".popsection");

extern const char __attribute__((visibility("hidden"))) jumps_one[],
	jumps_pushes[], jumps_frame[], jumps_saved[], jumps_all[], jumps_end[],
	jumps_middle[], jumps_call[];

static const char *const windows[] = { jumps_one,    jumps_pushes, jumps_frame,
				       jumps_saved,  jumps_all,	   jumps_end,
				       jumps_middle, jumps_call };
#define WINDOWS array_size(windows)
#define MIDDLE 3 /* the boundary of jumps_middle */
#define WORKERS 2
#define TOGGLES 60
/* The timers' period, in microseconds. */
#define PERIOD 500

/* ---- the program ----------------------------------------------------------*/

static struct shared {
	_Atomic uint64_t rounds;
	_Atomic unsigned wrong;
	_Atomic unsigned workers;
	_Atomic unsigned signals;
} * shared;

static int
call(const char *function, int argument)
{
	int (*pointer)(int) = (int (*)(int))(uintptr_t)function;

	return pointer(argument);
}

static void *
work(void *unused)
{
	(void)unused;
	atomic_fetch_add(&shared->workers, 1);
	for (int n = 0;; n++) {
		for (size_t i = 0; i < WINDOWS; i++)
			if (call(windows[i], n) != n + 1)
				atomic_fetch_add(&shared->wrong, 1);
		if (n % 16 == 0 && call(jumps_middle + MIDDLE, n) != n + 1)
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
	if (call(jumps_frame, 41) != 42)
		atomic_fetch_add(&shared->wrong, 1);
}

static void
program(void)
{
	const struct sigaction action = { .sa_handler = on_signal,
					  .sa_flags = SA_RESTART };
	const struct itimerval timer = { { 0, PERIOD }, { 0, PERIOD } };
	sigset_t set;
	pthread_t thread;

	sigaction(SIGPROF, &action, NULL);
	for (unsigned i = 0; i < WORKERS; i++)
		if (pthread_create(&thread, NULL, work, NULL) != 0)
			_exit(1);
	/* The traced thread gets none of these signals, and blocks in no call:
	 * it makes calls for xtrace. */
	sigemptyset(&set);
	sigaddset(&set, SIGPROF);
	pthread_sigmask(SIG_BLOCK, &set, NULL);
	setitimer(ITIMER_PROF, &timer, NULL);
	while (atomic_load(&shared->wrong) < UINT_MAX)
		;
}

/* ---- xtrace's side --------------------------------------------------------*/

static struct table table;
static struct process *process;
static struct thread *thread;
static struct sites sites;
static struct watcher *watcher;
static struct site *planted[WINDOWS];

static void
nap(void)
{
	const struct timespec moment = { .tv_nsec = 1000000 };

	nanosleep(&moment, NULL);
}

static void
attach_to_one(pid_t pid)
{
	struct err err = { "" };
	struct stop stop;

	table_init(&table);
	process = process_add(&table, pid, space_new(pid, &table.tally));
	ck_assert_int_eq(space_open(process->space, &err), 0);
	ck_assert_int_eq(ptrace(PTRACE_SEIZE, pid, NULL,
				attach_options(&table)),
			 0);
	thread = thread_add(&table, process, pid);
	/* With a count of one, xtrace would take the traced thread for the only
	 * thread of the program. */
	process->thread_count += WORKERS;
	ck_assert_int_eq(thread_interrupt(&table, thread), 0);
	ck_assert_int_eq(wait_asked(&table, thread, &stop), 0);
	thread_mend_interrupted(&table, thread);
}

static void
plant_all(void)
{
	for (size_t i = 0; i < WINDOWS; i++) {
		const char *why = "";

		ck_assert_msg(sites_plant_one(&sites, (addr_t)windows[i],
					      SITE_OWNER_CALL, thread,
					      &planted[i], &why) == 0,
			      "%s", why);
	}
}

static void
setup(void)
{
	void *scratch = mmap(NULL, 4096, PROT_READ | PROT_EXEC,
			     MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	pid_t pid;

	shared = mmap(NULL, sizeof(*shared), PROT_READ | PROT_WRITE,
		      MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	ck_assert_ptr_ne(shared, MAP_FAILED);
	pid = tracee_fork(program);
	while (atomic_load(&shared->workers) < WORKERS)
		nap();
	attach_to_one(pid);
	watcher = watcher_start();
	ck_assert_ptr_nonnull(watcher);
	sites_init(&sites, &table, process->space, watcher);
	sites.slots.scratch = (addr_t)scratch;
	plant_all();
}

static void
teardown(void)
{
	watcher_dismiss(watcher);
	sites.watcher = NULL;
	sites_release(&sites);
	tracee_kill(process->pid);
	process->thread_count -= WORKERS;
	table_release(&table);
}

/* The threads run on, and all their results are right. */
static void
goes_round(void)
{
	uint64_t then = atomic_load(&shared->rounds) + 50;

	while (atomic_load(&shared->rounds) < then) {
		ck_assert_int_eq(kill(process->pid, 0), 0);
		nap();
	}
	ck_assert_uint_eq(atomic_load(&shared->wrong), 0);
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
ask(struct jump_request *requests, const struct check_condition *condition)
{
	for (size_t i = 0; i < WINDOWS; i++) {
		requests[i] = (struct jump_request){ .site = planted[i] };
		if (!condition)
			continue;
		requests[i].conditions[0] = *condition;
		requests[i].count = 1;
	}
	ck_assert_int_eq(jumps_plant(&sites, requests, WINDOWS, thread), 0);
	for (size_t i = 0; i < WINDOWS; i++)
		ck_assert_msg(requests[i].done, "%zu: %s", i, requests[i].why);
}

static void
jump_everywhere(void)
{
	struct jump_request requests[WINDOWS];
	uint8_t there[JUMP_MOST], veiled[JUMP_MOST];

	ask(requests, NULL);
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
	goes_round();
	jump_everywhere();
	goes_round();
	for (size_t i = 0; i < WINDOWS; i++) {
		uint8_t there[JUMP_MOST];

		jumps_lift(&sites, planted[i], thread);
		read_text(i, there);
		ck_assert_uint_eq(there[0], 0xcc);
		ck_assert(!memcmp(there + 1, windows[i] + 1, JUMP_MOST - 1));
	}
	goes_round();
	sites_lift_all(&sites);
	for (size_t i = 0; i < WINDOWS; i++)
		ck_assert(is_original(i));
	goes_round();
}
END_TEST

START_TEST(all_jumps_are_lifted)
{
	jump_everywhere();
	sites_lift_all(&sites);
	for (size_t i = 0; i < WINDOWS; i++)
		ck_assert(is_original(i));
	goes_round();
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
		ask(requests, NULL);
		for (size_t i = 0; i < WINDOWS; i++)
			jumps_lift(&sites, planted[i], thread);
		ck_assert_uint_eq(atomic_load(&shared->wrong), 0);
	}
	sites_lift_all(&sites);
	goes_round();
}
END_TEST

/* The condition of these checks always holds: each thread stops at the check's
 * trap, and the handler lets the thread continue. */
START_TEST(checks_stop_threads)
{
	const struct check_condition always = { CHECK_CALLER, 0, UINT64_MAX };
	struct jump_request requests[WINDOWS];

	ask(requests, &always);
	goes_round();
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
	goes_round();
	for (size_t i = 0; i < WINDOWS; i++)
		ck_assert_int_eq(jumps_close(&sites, planted[i], false), 0);
	goes_round();
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
	goes_round();
}
END_TEST

START_TEST(another_owner_makes_a_jump_go_back)
{
	jump_everywhere();
	ck_assert_int_eq(sites_own(&sites, planted[0], SITE_OWNER_GUARD), 0);
	ck_assert(!jumps_begun(planted[0]));
	ck_assert(jumps_begun(planted[1]));
	goes_round();
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
			nap();
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
	goes_round();
	watcher_alarm(watcher);
	await_text();
	goes_round();
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
	goes_round();
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

	tcase_add_checked_fixture(tests, setup, teardown);
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
