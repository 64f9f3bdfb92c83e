/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * loop WHICH N [LIBRARY]: makes N calls of one function, and prints the
 * nanoseconds per call: mean and median (subject_time()).
 *
 *	int	bench_int(), a number in and out
 *	string	bench_string()
 *	quiet	bench_quiet(), which is never traced
 *	system	the system call getppid(2)
 *	stub	bench_int(), by a function that reads the clock before and
 *		after, and adds the call and its time to sums
 *	probe	the SDT probe bench:probe, with a number
 *	move	bench_int(), moving to another CPU every 1000 calls
 *	pair	bench_int() in two processes, each bound to a CPU; the time
 *		of the slower one
 *
 * LIBRARY is loaded first.
 */
#include "bench/called.h"
#include "bench/subject.h"
#include "tests/cases/probes/support/sdt.h"

#include <dlfcn.h>
#include <sched.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>

#define MOVE_EVERY 1000

static volatile int sink;

static void
call_int(long count)
{
	for (long i = 0; i < count; i++)
		sink = bench_int((int)i);
}

static void
call_string(long count)
{
	for (long i = 0; i < count; i++)
		sink = bench_string("SELECT name FROM people WHERE id = ?");
}

/* The least that counting and timing a call costs: the counting code is
 * compiled in, and the call returns to it. */
static __attribute__((noinline)) int
stub(int x)
{
	static volatile unsigned long calls, ticks;
	unsigned long began = __builtin_ia32_rdtsc();
	int result = bench_int(x);

	ticks += __builtin_ia32_rdtsc() - began;
	calls++;
	return result;
}

static void
call_stub(long count)
{
	for (long i = 0; i < count; i++)
		sink = stub((int)i);
}

static void
call_quiet(long count)
{
	for (long i = 0; i < count; i++)
		sink = bench_quiet((int)i);
}

static void
call_system(long count)
{
	for (long i = 0; i < count; i++)
		sink = (int)syscall(SYS_getppid);
}

static void
call_probe(long count)
{
	for (long i = 0; i < count; i++)
		PROBE("bench", "probe", "0", "-4@%0", "r"((int)i));
}

static void
go_to_cpu(long which)
{
	cpu_set_t cpus;

	CPU_ZERO(&cpus);
	CPU_SET((size_t)(which % sysconf(_SC_NPROCESSORS_ONLN)), &cpus);
	sched_setaffinity(0, sizeof(cpus), &cpus);
}

static void
call_moving(long count)
{
	static long calls;

	for (long i = 0; i < count; i++, calls++) {
		if (calls % MOVE_EVERY == 0)
			go_to_cpu(calls / MOVE_EVERY);
		call_int(1);
	}
}

/* The mean and the median of the slower process. */
static double
time_pair(long count, double *ret_median)
{
	double mine, other = 0;
	int ends[2];

	if (pipe(ends) < 0)
		return 0;
	if (fork() == 0) {
		go_to_cpu(1);
		mine = subject_time(call_int, count, ret_median);
		_exit(write(ends[1], &mine, sizeof(mine)) < 0);
	}
	go_to_cpu(0);
	mine = subject_time(call_int, count, ret_median);
	if (read(ends[0], &other, sizeof(other)) < 0)
		return 0;
	wait(NULL);
	return mine > other ? mine : other;
}

int
main(int argc, char **argv)
{
	const char *which = argc > 1 ? argv[1] : "int";
	long count = argc > 2 ? atol(argv[2]) : 10000;
	double took, median;

	if (argc > 3 && !dlopen(argv[3], RTLD_NOW))
		return 2;
	subject_ready((const void *)bench_int);
	if (!strcmp(which, "string"))
		took = subject_time(call_string, count, &median);
	else if (!strcmp(which, "stub"))
		took = subject_time(call_stub, count, &median);
	else if (!strcmp(which, "quiet"))
		took = subject_time(call_quiet, count, &median);
	else if (!strcmp(which, "system"))
		took = subject_time(call_system, count, &median);
	else if (!strcmp(which, "probe"))
		took = subject_time(call_probe, count, &median);
	else if (!strcmp(which, "move"))
		took = subject_time(call_moving, count, &median);
	else if (!strcmp(which, "pair"))
		took = time_pair(count, &median);
	else
		took = subject_time(call_int, count, &median);
	printf("%.3f %.3f\n", took, median);
	return 0;
}
