/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A thread is one task that we trace. A process is its thread group, in a
 * space. The table knows all of them. Higher rooms keep what they know of a
 * thread in maps of their own, by tid.
 */
#ifndef PROCESS_THREAD_H
#define PROCESS_THREAD_H

#include "arch/regs.h"
#include "base/addr.h"
#include "base/list.h"
#include "base/map.h"
#include "base/vec.h"
#include "process/cpu.h"
#include "process/delays.h"
#include "process/held.h"
#include "process/status.h"
#include "process/stop.h"
#include "process/tally.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <sys/types.h>

struct injection;
struct space;

enum thread_state {
	THREAD_RUNNING,
	/* the thread is in a ptrace-stop that was reported to us */
	THREAD_STOPPED,
	/* the thread is in a group-stop and waits for SIGCONT */
	THREAD_LISTENING,
};

enum regs_state { REGS_UNKNOWN, REGS_CLEAN, REGS_PC_DIRTY, REGS_DIRTY };

struct thread {
	pid_t tid;
	struct process *process;
	struct list sibling; /* links the threads of process->threads */
	enum thread_state state;
	enum regs_state regs_state;
	bool vregs_known;
	size_t place;	 /* the thread's index in table->everyone */
	unsigned misses; /* how many polls in a row have found no stop */
	bool busy;	 /* the thread is in table->busy */
	bool asked; /* the thread was interrupted, and no stop was seen since */
	/* The thread stopped at a system call while our interrupt was pending.
	 * This has consumed the interrupt: the thread is interrupted again. */
	bool ask_again;
	bool watched; /* the thread was resumed to stop at its system calls */
	/* the thread runs and does not stop at its system calls */
	bool unwatched;
	/* a SIGTRAP is queued and will be the next stop, see
	 * thread_trap_comes() */
	bool trap_comes;
	/* The stack pointer at which the thread was resumed with a SIGTRAP, if
	 * it has not stopped since; or 0. */
	addr_t handed_sp;
	/* The injected call that was given up and that the thread still runs,
	 * or NULL; see remote_end(). */
	struct injection *given_up;
	/* For wait_asked(): the state in which the thread was seen last, and
	 * since when. */
	char asked_state;
	uint64_t asked_since;
	/* For process/woken: whether the thread was looked at, and its CPU time
	 * then. */
	bool looked_at;
	uint64_t looked_cpu;
	/* For process/nudge.h: whether the thread is nudged, its own mask, and
	 * the address of its note. */
	bool nudged;
	uint64_t mask;
	addr_t note;
	/* The system call that process/restart has made the thread repeat, by
	 * its stack pointer, and since when. */
	addr_t mended_sp;
	uint64_t mended_since;
	struct held_clock held;
	struct regs regs;
	struct vregs vregs;
};

struct process {
	pid_t pid;
	struct space *space; /* the process is one of its users */
	struct list threads;
	unsigned thread_count;
	bool ours; /* we have started the process or one of its ancestors */
	/* pid of its parent, if it was forked while we trace; else 0 */
	pid_t parent;
};

/* Delayed threads, see process/delay.h. */
struct delayed_stop {
	struct stop stop;
	uint64_t due;
};

struct table {
	struct map threads;   /* tid -> struct thread */
	struct map processes; /* pid -> struct process */
	/* All threads in the order in which process/wait polls them. */
	vec_of(struct thread *) everyone;
	vec_of(struct thread *) busy;
	size_t sweep, next_busy, stops;
	vec_of(struct stop) kept; /* stops for later, see wait_keep() */
	vec_of(struct delayed_stop) delayed;
	/* For a wait for one thread, see wait_late(). */
	uint64_t deadline;	  /* on CLOCK_MONOTONIC; 0: not set yet */
	const atomic_bool *hurry; /* set when the user is waiting, or NULL */
	bool system_calls;	  /* threads stop at their system calls */
	bool announces_exits; /* threads report a STOP_EXIT before their end */
	struct cpu cpu;
	struct delays delays;
	/* When we began to wait for the last stop, if lag.wanted; or 0. */
	uint64_t waiting;
	/* The lag of stops at traps, and of stops at system calls, for which
	 * the kernel works less. */
	struct lag lag, lag_calls;
	struct tally tally;
};

void table_init(struct table *table);
/* Frees all records; the tracees are not changed. */
void table_release(struct table *table);

struct thread *table_thread(const struct table *table, pid_t tid);
struct process *table_process(const struct table *table, pid_t pid);
bool table_empty(const struct table *table);
/* Is the user waiting for xtrace to leave? */
bool table_hurried(const struct table *table);
/* The tids of the threads of process, or of all (NULL): a copy, because threads
 * may end during a walk. The caller releases the list. */
struct pids table_tids(const struct table *table,
		       const struct process *process);

/* The process takes over the caller's use of the space. */
struct process *process_add(struct table *table, pid_t pid,
			    struct space *space);
struct thread *thread_add(struct table *table, struct process *process,
			  pid_t tid);
/* The thread that represents the process: its leader, or another thread if the
 * leader had ended before we attached. */
struct thread *process_speaker(const struct table *table,
			       const struct process *process);
/* process_hold() keeps the record of a process that may have no thread.
 * process_release() ends that; it returns true if it freed the record. */
void process_hold(struct process *process);
bool process_release(struct table *table, struct process *process);
/* Removes the thread, and with its last thread the process (then true). */
bool thread_remove(struct table *table, struct thread *thread);
/* Marks the thread as stopped: its registers are not known any more, and it has
 * no pending interrupt and expects no SIGTRAP. */
void thread_has_stopped(struct thread *thread);
/* Gives the thread a new tid: a thread other than the leader has execed, and
 * takes over the leader's tid. It is in the stop of the exec, which was
 * reported for that tid. */
void thread_rename(struct table *table, struct thread *thread, pid_t tid);
void process_set_space(struct process *process, struct space *space);

#endif
