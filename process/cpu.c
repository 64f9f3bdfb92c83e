/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The policy. It is applied once per window of stops:
 *
 * - one thread stops, on our CPU: stay, bound to it;
 * - one thread stops, on another CPU: move there, bound to it;
 * - we have moved, and the thread is on yet another CPU: moving does not help.
 *   The scheduler decides, and we try again later, after longer and longer
 *   pauses;
 * - several threads stop, or stops are rare: the scheduler decides, because
 *   nothing can be gained.
 *
 * While we are bound to a CPU, the scheduler cannot move us out of the way of
 * other tasks. Therefore we are bound only while the tracee runs there.
 *
 * Moving does not help if a CPU that shares a cache with ours is idle: a thread
 * that we resume is woken on the idle CPU, because we are still running on its
 * own (kernel/sched/fair.c, select_idle_sibling). Only the tracee's affinity
 * could prevent this, and we must not change it. Moving helps on a busy
 * machine, or if the tracee is bound to its CPU.
 *
 * Field 39 of /proc/TID/stat is the CPU of a thread (proc(5)); it is read once
 * per window. If something is refused (seccomp, no /proc), our affinity stays
 * as it was at the start.
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

/* Called in the tracing thread, because the set of allowed CPUs is a thread's
 * (sched_setaffinity(2)). */
static void
begin(struct cpu *cpu)
{
	cpu->begun = true;
	cpu->refused =
		sched_getaffinity(0, sizeof(cpu->ours), &cpu->ours) < 0 ||
		CPU_COUNT(&cpu->ours) < 2;
}

/* The number of the CPU in a line of /proc/TID/stat. Field 2, the name, may
 * contain any characters; it ends with the last parenthesis. */
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
