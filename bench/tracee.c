/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Prints its CPUs, its scheduling policy and its priority before and after it
 * was traced for a while.
 */
#include "bench/called.h"
#include "bench/subject.h"

#include <sched.h>
#include <sys/resource.h>

static void
say(void)
{
	cpu_set_t cpus;
	struct sched_param param;

	CPU_ZERO(&cpus);
	sched_getaffinity(0, sizeof(cpus), &cpus);
	sched_getparam(0, &param);
	for (size_t i = 0; i < CPU_SETSIZE; i++) {
		if (CPU_ISSET(i, &cpus))
			printf("%zu ", i);
	}
	printf("policy %d %d nice %d\n", sched_getscheduler(0),
	       param.sched_priority, getpriority(PRIO_PROCESS, 0));
}

int
main(void)
{
	say();
	for (int i = 0; i < 20000; i++)
		bench_int(i);
	say();
	return 0;
}
