/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Records of invented threads, without any system call; and the CPU that their
 * tracer would choose. */
#include "process/thread.h"
#include "tests/unit/process/suites.h"

#include "process/space.h"

#include <string.h>
#include <unistd.h>

/* No process has such a high number (PID_MAX_LIMIT is 4194304). */
#define PID 5000000

static struct table table;

static void
setup(void)
{
	table_init(&table);
}

static void
teardown(void)
{
	table_release(&table);
}

static struct process *
add_process(pid_t pid)
{
	return process_add(&table, pid, space_new(pid, &table.tally));
}

START_TEST(threads_are_found_by_their_number)
{
	struct process *process = add_process(PID);
	struct thread *leader, *other;

	ck_assert(table_empty(&table));
	leader = thread_add(&table, process, PID);
	other = thread_add(&table, process, PID + 1);
	ck_assert(!table_empty(&table));
	ck_assert_ptr_eq(table_process(&table, PID), process);
	ck_assert_ptr_null(table_process(&table, PID + 1));
	ck_assert_ptr_eq(table_thread(&table, PID), leader);
	ck_assert_ptr_eq(table_thread(&table, PID + 1), other);
	ck_assert_uint_eq(process->thread_count, 2);
	ck_assert_ptr_eq(process_speaker(&table, process), leader);
	ck_assert(!thread_remove(&table, leader));
	ck_assert_ptr_null(table_thread(&table, PID));
	ck_assert_ptr_eq(process_speaker(&table, process), other);
	ck_assert(thread_remove(&table, other));
	ck_assert_ptr_null(table_process(&table, PID));
	ck_assert(table_empty(&table));
}
END_TEST

START_TEST(an_exec_renames_its_thread)
{
	struct process *process = add_process(PID);
	struct thread *thread = thread_add(&table, process, PID + 7);

	/* An interrupt came while the thread execed. */
	thread->state = THREAD_RUNNING;
	thread->regs_state = REGS_CLEAN;
	thread->asked = true;
	thread_rename(&table, thread, PID);
	ck_assert(!thread->asked);
	ck_assert_int_eq(thread->state, THREAD_STOPPED);
	ck_assert_int_eq(thread->regs_state, REGS_UNKNOWN);
	ck_assert_ptr_eq(table_thread(&table, PID), thread);
	ck_assert_ptr_null(table_thread(&table, PID + 7));
	ck_assert_int_eq(thread->tid, PID);
}
END_TEST

START_TEST(a_held_process_outlives_its_threads)
{
	struct process *process = add_process(PID);
	struct thread *thread = thread_add(&table, process, PID);

	process_hold(process);
	ck_assert(!thread_remove(&table, thread));
	ck_assert_ptr_eq(table_process(&table, PID), process);
	ck_assert(process_release(&table, process));
	ck_assert_ptr_null(table_process(&table, PID));
}
END_TEST

START_TEST(a_space_lives_as_long_as_its_users)
{
	struct process *parent = add_process(PID);
	struct space *space = parent->space, *own;
	struct process *child = process_add(&table, PID + 1, space_ref(space));
	unsigned serial = space->serial;

	ck_assert_uint_eq(space->users, 2);
	own = space_new(PID + 1, &table.tally);
	ck_assert_uint_ne(own->serial, serial);
	process_set_space(child, own);
	ck_assert_uint_eq(space->users, 1);
	ck_assert_ptr_eq(child->space, own);
	space_unref(NULL);
}
END_TEST

/* Each thread knows its index in the table's list `everyone`, whatever threads
 * were removed. */
START_TEST(everyone_has_a_turn)
{
	struct process *process = add_process(PID);
	struct thread *threads[5];

	for (int i = 0; i < 5; i++) {
		threads[i] = thread_add(&table, process, PID + i);
		threads[i]->busy = i % 2 == 1;
		if (threads[i]->busy)
			vec_push(&table.busy, threads[i]);
	}
	thread_remove(&table, threads[1]);
	thread_remove(&table, threads[4]);
	ck_assert_uint_eq(table.everyone.count, 3);
	for (size_t i = 0; i < table.everyone.count; i++)
		ck_assert_uint_eq(table.everyone.at[i]->place, i);
	ck_assert_uint_eq(table.busy.count, 1);
	ck_assert_ptr_eq(table.busy.at[0], threads[3]);
}
END_TEST

/* ---- which CPU -------------------------------------------------------------
 */

static void
stops_of(struct cpu *cpu, pid_t tid, unsigned count)
{
	for (unsigned i = 0; i < count; i++)
		cpu_stopped(cpu, tid, &table.tally);
}

/* As long as the stops are those of one thread, the tracer stays on that
 * thread's CPU; with several threads it does not. */
START_TEST(the_tracer_goes_where_its_one_thread_is)
{
	struct cpu *cpu = &table.cpu;
	cpu_set_t before, now;

	ck_assert_int_eq(sched_getaffinity(0, sizeof(before), &before), 0);
	stops_of(cpu, getpid(), 63);
	ck_assert(!cpu->begun);
	stops_of(cpu, getpid(), 1);
	ck_assert(cpu->begun);
	for (int i = 0; i < 20; i++) {
		stops_of(cpu, getpid(), 64);
		cpu->rest = 0;
	}
	/* On a machine with one CPU, xtrace does not choose a CPU. */
	if (CPU_COUNT(&before) > 1) {
		ck_assert(!cpu->refused);
		ck_assert_int_ge(cpu->held, 0);
		ck_assert_int_eq(sched_getaffinity(0, sizeof(now), &now), 0);
		ck_assert_int_eq(CPU_COUNT(&now), 1);
	}
	for (int i = 0; i < 64; i++)
		stops_of(cpu, i % 2 ? getpid() : PID, 1);
	ck_assert_int_eq(cpu->held, -1);
	/* The stops of a thread that does not exist any more do not move
	 * xtrace. */
	stops_of(cpu, PID, 64);
	ck_assert_int_eq(cpu->held, -1);
	ck_assert_int_eq(sched_getaffinity(0, sizeof(now), &now), 0);
	ck_assert(CPU_EQUAL(&now, &before));
}
END_TEST

Suite *
table_suite(void)
{
	Suite *suite = suite_create("process/table");
	TCase *tests = tcase_create("table");

	tcase_add_checked_fixture(tests, setup, teardown);
	tcase_add_test(tests, threads_are_found_by_their_number);
	tcase_add_test(tests, an_exec_renames_its_thread);
	tcase_add_test(tests, a_held_process_outlives_its_threads);
	tcase_add_test(tests, a_space_lives_as_long_as_its_users);
	tcase_add_test(tests, everyone_has_a_turn);
	tcase_add_test(tests, the_tracer_goes_where_its_one_thread_is);
	suite_add_tcase(suite, tests);
	return suite;
}
