/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A tracee for the unit tests of the live wing: a forked copy of the test
 * itself, which the test has seized. All code and data of the test are at the
 * same addresses in the tracee.
 */
#ifndef TESTS_UNIT_LIVE_TRACEE_H
#define TESTS_UNIT_LIVE_TRACEE_H

#include "process/stop.h"
#include "process/thread.h"

#include <sys/types.h>

struct tracee {
	struct table table;
	struct process *process;
	struct thread *thread;
	pid_t pid;
};

/* A copy of the test that calls `run` and then exits with status 0. It is
 * killed when the test ends. */
pid_t tracee_fork(void (*run)(void));
/* Like tracee_fork(), but waits for tracee_open_gate() before it runs. */
pid_t tracee_fork_gated(void (*run)(void));
void tracee_open_gate(void);
/* Kills a copy of the test, if it still exists. */
void tracee_kill(pid_t pid);
/* Like tracee_fork(), and seizes the copy before it calls run. */
void tracee_start(struct tracee *tracee, void (*run)(void));
/* Kills the tracee and frees all records. */
void tracee_end(struct tracee *tracee);

/* Interrupts the tracee, and returns its next stop, which may have another
 * reason. */
struct stop tracee_stop(struct tracee *tracee);
/* Waits for the tracee's next stop, which must be of this kind. */
struct stop tracee_await(struct tracee *tracee, enum stop_kind kind);
/* Resumes the tracee with this signal, or with none if it is 0. */
void tracee_resume(struct tracee *tracee, int signal);

/* Waits until the process sleeps in this system call. */
void tracee_await_blocked(pid_t pid, long number);

/* For `run`: sleeps until it is killed. */
void tracee_pause(void);

#endif
