/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Where the tracing thread runs. Each stop changes the running task twice, to
 * us and back: a matter of a microsecond or two on one CPU, and between two
 * of them a wake of the other one each time, which is several times dearer.
 * So we go where the tracee is. Nobody else's affinity is touched, and nobody's
 * priority.
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
	cpu_set_t ours;	   /* what we may run on: as we came */
	int held;	   /* the CPU that we have bound ourselves to, or -1 */
	bool tried;	   /* ... a window ago, to follow */
	unsigned patience; /* failures to follow in a row */
	unsigned rest;	   /* windows until we try again */
	unsigned stops;	   /* in this window */
	unsigned changes;  /* of these, of another thread than the one before */
	pid_t last;
	uint64_t since; /* when the window began */
	pid_t stat_of;	/* whose file stat is */
	int stat;	/* /proc/TID/stat, or -1 */
};

void cpu_init(struct cpu *cpu);
void cpu_release(struct cpu *cpu);
/* Called by the tracing thread for each trap: tid has stopped at one. */
void cpu_stopped(struct cpu *cpu, pid_t tid, struct tally *tally);

#endif
