/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A tracee for the units of the live wing: a forked copy of the test itself,
 * seized by it. Whatever the test has in its memory, code and data, the tracee
 * has at the same address.
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

/* A copy of the test that runs `run` and then ends with status 0. It is killed
 * when the test ends. */
pid_t tracee_fork(void (*run)(void));
/* The same, that waits before it runs it until tracee_open_gate(). */
pid_t tracee_fork_gated(void (*run)(void));
void tracee_open_gate(void);
/* Kills a copy, if it is there. */
void tracee_kill(pid_t pid);
/* The same as tracee_fork(), seized when it is about to run it. */
void tracee_start(struct tracee *tracee, void (*run)(void));
/* Killed, and all records freed. */
void tracee_end(struct tracee *tracee);

/* Asks it to stop; it has stopped for that, or for something else. */
struct stop tracee_stop(struct tracee *tracee);
/* Its next stop, which is of this kind. */
struct stop tracee_await(struct tracee *tracee, enum stop_kind kind);
/* Sends it on with this signal, or 0. */
void tracee_resume(struct tracee *tracee, int signal);

/* Until it sleeps in this system call. */
void tracee_await_blocked(pid_t pid, long number);

/* For `run`: sleeps until it is killed. */
void tracee_pause(void);

#endif
