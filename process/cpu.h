/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Chooses the CPU of the tracing thread. Each stop switches tasks twice, to us
 * and back. This takes one or two microseconds on one CPU. With two CPUs each
 * switch has to wake the other CPU, which takes several times as long.
 * Therefore we move to the tracee's CPU. The affinity and the priority of other
 * tasks are never changed.
 */
#ifndef PROCESS_CPU_H
#define PROCESS_CPU_H

#include <sched.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

struct tally;

struct cpu {
	bool begun, refused;
	cpu_set_t ours;	   /* the CPUs that we may use, as at the start */
	int held;	   /* the CPU to which we are bound, or -1 */
	bool tried;	   /* we moved to another CPU in the last window */
	unsigned patience; /* how many moves in a row did not help */
	unsigned rest;	   /* how many windows pass until the next try */
	unsigned stops;	   /* stops in this window so far */
	/* stops in this window that were of another thread than the stop
	 * before */
	unsigned changes;
	pid_t last;
	uint64_t since; /* start of the window */
	pid_t stat_of;	/* the thread whose stat file is open */
	int stat;	/* /proc/TID/stat, or -1 */
};

void cpu_init(struct cpu *cpu);
void cpu_release(struct cpu *cpu);
/* Called in the tracing thread for each trap at which a thread, tid, has
 * stopped. */
void cpu_stopped(struct cpu *cpu, pid_t tid, struct tally *tally);

#endif
