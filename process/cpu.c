/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The policy, looked at once in a window of stops:
 *
 * - one thread makes them, on our CPU: stay, bound to it;
 * - one thread, on another CPU: go there, bound to it;
 * - and on another one again: it does not stay with us. The scheduler decides,
 *   and we try again later, each time later still;
 * - several threads make them, or they are rare: the scheduler decides, there
 *   is nothing to be gained.
 *
 * Bound to a CPU we cannot be moved out of the way of others, so we are not
 * unless the tracee proves to run there.
 *
 * That it does not stay happens where a CPU that shares a cache with ours is
 * idle: a thread that is sent on is woken on the idle one, since we are still
 * running on its own (kernel/sched/fair.c, select_idle_sibling). Only the
 * tracee's affinity could prevent that, and it is not ours to set. A machine
 * with other work, or a tracee bound to its CPU, is where following gains.
 *
 * Where a thread runs stands in /proc/TID/stat, field 39 (proc(5)): one read a
 * window. Refusals (seccomp, no /proc) leave us as we came.
 */
#include "process/cpu.h"

#include "base/clock.h"
#include "base/fd.h"
#include "base/log.h"
#include "process/tally.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define WINDOW 64u
#define CHANGES_MOST 4u
#define RARE_NS (WINDOW * UINT64_C(500000))
#define PATIENCE_MOST 10u
#define STAT_PROCESSOR 39

void
cpu_init(struct cpu *cpu)
{
	*cpu = (struct cpu){ .held = -1, .stat = -1 };
}

void
cpu_release(struct cpu *cpu)
{
	fd_closep(&cpu->stat);
}

/* On the tracing thread, whose mask it is. */
static void
begin(struct cpu *cpu)
{
	cpu->begun = true;
	cpu->refused =
		sched_getaffinity(0, sizeof(cpu->ours), &cpu->ours) < 0 ||
		CPU_COUNT(&cpu->ours) < 2;
}

/* The name, field 2, may hold anything and ends with the last parenthesis. */
static int
processor_in(const char *stat)
{
	const char *at = strrchr(stat, ')');

	for (int field = 2; at && field < STAT_PROCESSOR; field++)
		at = strchr(at + 1, ' ');
	return at ? atoi(at + 1) : -1;
}

static int
processor_of(struct cpu *cpu, pid_t tid, struct tally *tally)
{
	char text[1024];
	ssize_t length;

	if (cpu->stat_of != tid) {
		fd_closep(&cpu->stat);
		snprintf(text, sizeof(text), "/proc/%d/stat", tid);
		cpu->stat = open(text, O_RDONLY | O_CLOEXEC);
		cpu->stat_of = tid;
		tally->others += 2;
	}
	length = pread(cpu->stat, text, sizeof(text) - 1, 0);
	tally->others++;
	if (length <= 0) {
		cpu->stat_of = 0;
		return -1;
	}
	text[length] = '\0';
	return processor_in(text);
}

static void
bind_to(struct cpu *cpu, int where, struct tally *tally)
{
	cpu_set_t set = cpu->ours;

	if (where == cpu->held)
		return;
	if (where >= 0) {
		CPU_ZERO(&set);
		CPU_SET((size_t)where, &set);
	}
	tally->others++;
	debug("to CPU %d", where);
	if (sched_setaffinity(0, sizeof(set), &set) < 0)
		cpu->refused = true;
	else
		cpu->held = where;
}

static void
let_go(struct cpu *cpu, struct tally *tally)
{
	cpu->tried = false;
	bind_to(cpu, -1, tally);
}

static void
give_up_for_now(struct cpu *cpu, struct tally *tally)
{
	if (cpu->patience < PATIENCE_MOST)
		cpu->patience++;
	cpu->rest = 1u << cpu->patience;
	let_go(cpu, tally);
}

static void
follow(struct cpu *cpu, pid_t tid, struct tally *tally)
{
	int where = processor_of(cpu, tid, tally);

	if (where < 0 || !CPU_ISSET((size_t)where, &cpu->ours)) {
		let_go(cpu, tally);
	} else if (where == (cpu->held < 0 ? sched_getcpu() : cpu->held)) {
		cpu->tried = false;
		cpu->patience = 0;
		bind_to(cpu, where, tally);
	} else if (cpu->tried) {
		give_up_for_now(cpu, tally);
	} else {
		cpu->tried = true;
		bind_to(cpu, where, tally);
	}
}

static void
look_around(struct cpu *cpu, pid_t tid, struct tally *tally)
{
	uint64_t now = clock_now(), took = now - cpu->since;
	unsigned changes = cpu->changes;

	cpu->since = now;
	cpu->stops = cpu->changes = 0;
	if (changes > CHANGES_MOST || took > RARE_NS)
		let_go(cpu, tally);
	else if (cpu->rest > 0)
		cpu->rest--;
	else
		follow(cpu, tid, tally);
}

void
cpu_stopped(struct cpu *cpu, pid_t tid, struct tally *tally)
{
	if (cpu->refused)
		return;
	cpu->changes += tid != cpu->last;
	cpu->last = tid;
	if (++cpu->stops < WINDOW)
		return;
	if (!cpu->begun)
		begin(cpu);
	if (!cpu->refused)
		look_around(cpu, tid, tally);
}
