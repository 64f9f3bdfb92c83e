/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Starting a program under our eyes, stopped at its first instruction. */
#ifndef PROCESS_SPAWN_H
#define PROCESS_SPAWN_H

#include "base/err.h"
#include "process/thread.h"

#include <signal.h>
#include <stdint.h>
#include <sys/resource.h>

/* What signals meant when we were started, and how many descriptors we might
 * have: so it is for what we start. */
struct spawn_signals {
	sigset_t blocked;
	uint64_t ignored; /* bit N - 1 for signal N */
	struct rlimit descriptors;
};

/* As they are now: to be called before any of them is changed. */
void spawn_signals_now(struct spawn_signals *ret_signals);
/* From then on we may have as many descriptors as we are ever allowed to: each
 * process that we trace takes one. */
void spawn_more_descriptors(const struct spawn_signals *signals);

struct spawn_request {
	char *const *arguments; /* NULL-terminated; [0] is searched in PATH */
	const char *user;	/* run as this user, or NULL */
	const struct spawn_signals *signals;
	volatile pid_t *born; /* it is set when it may exec */
};

/*
 * The process is stopped at its exec event (STOP_EXEC, already waited for).
 * -ENOENT when there is no such command, -EACCES when it cannot be executed,
 * with a sentence; nothing is left behind then.
 */
must_check int spawn(struct table *table, const struct spawn_request *request,
		     struct process **ret_process, struct err *err);

/* Would it find what it is to run, as far as can be told before? 0, or what
 * spawn() would answer, with the sentence. */
must_check int spawn_check(const struct spawn_request *request,
			   struct err *err);

/*
 * Waits for the end of a process that spawn() started and nobody traces any
 * more: its exit status as a shell has it (128 + signal if it was killed).
 */
int spawn_await(pid_t pid);

#endif
