/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Starts a program as a tracee, stopped at its first instruction. */
#ifndef PROCESS_SPAWN_H
#define PROCESS_SPAWN_H

#include "base/err.h"
#include "process/thread.h"

#include <limits.h>
#include <signal.h>
#include <stdint.h>
#include <sys/resource.h>

/* The signal actions and the limit of descriptors at our start, which the
 * programs that we start get again. */
struct spawn_signals {
	sigset_t blocked;
	uint64_t ignored; /* bit N - 1 for signal N */
	struct rlimit descriptors;
};

/* Reads our signal mask, the ignored signals and the limit of descriptors. Call
 * this before any of them is changed. */
void spawn_signals_now(struct spawn_signals *ret_signals);
/* Raises our limit of descriptors to the maximum, because each traced process
 * needs one. */
void spawn_more_descriptors(const struct spawn_signals *signals);

/* A process that waits until it becomes the traced command: the first process
 * of xtrace with --grandchild, see spawn_give_place(). */
struct spawn_place {
	pid_t pid;    /* 0: there is none, or it is the command by now */
	int go, word; /* our ends of its pipes */
};

struct spawn_request {
	/* The command and its arguments, NULL-terminated. The command is
	 * searched in PATH. */
	char *const *arguments;
	/* changes of the environment: "VAR=VALUE", or "VAR" to remove it */
	const char *const *changes;
	size_t change_count;
	/* the size of an address in the program, as spawn_word() returned
	 * it; a program with another size is refused */
	unsigned word;
	const char *user; /* the user as which the program runs, or NULL */
	const struct spawn_signals *signals;
	/* set to the pid of the child before the child may call exec */
	volatile pid_t *born;
	/* the process that becomes the command; NULL: a new child */
	struct spawn_place *place;
};

/*
 * Gives this process away: it will become the command of the request, with its
 * pid and its parent. Returns 0 in a grandchild of it, which runs on as xtrace
 * and is not known to the command as a child. If xtrace is killed before the
 * command begins, the command runs untraced. Returns -errno with a sentence in
 * the process itself. Call this before any thread is started.
 */
must_check int spawn_give_place(const struct spawn_request *request,
				struct spawn_place *ret_place, struct err *err);

/* If spawn() has not used the place, its process exits with this status and
 * runs no command. */
void spawn_place_end(struct spawn_place *place, int status);

/*
 * Starts the program. It is stopped at its exec event (STOP_EXEC, already
 * waited for). If there is no such command (-ENOENT) or it cannot be executed
 * (-EACCES), returns with a sentence and without a child.
 */
must_check int spawn(struct table *table, const struct spawn_request *request,
		     struct process **ret_process, struct err *err);

/* Checks in advance, as far as possible, whether the command can be run.
 * Returns 0, or the error of spawn() with its sentence. */
must_check int spawn_check(const struct spawn_request *request,
			   struct err *err);

/*
 * Waits for the end of a child that is not traced, or not any more. Returns its
 * exit status as in a shell (128 + signal if it was killed).
 */
int spawn_await(pid_t pid);

/*
 * Runs a program, untraced, and waits for its end. Returns its exit status as
 * spawn_await(). Returns -EINTR, and kills the program, if SIGINT, SIGTERM or
 * SIGQUIT is pending here; another -errno if it does not start.
 */
must_check int spawn_run(const char *file, char *const *arguments,
			 char *const *environment);

/* The size of an address in the program that execvp(3) runs, according to its
 * file; for a script, in the script's interpreter. If the file cannot be read
 * or is of an unknown kind, the size of an address in xtrace. */
unsigned spawn_word(const char *name);

/* Finds the file that execvp(3) runs. Returns 0, or the errno that execvp(3)
 * would fail with. */
must_check int spawn_find(const char *name, char ret_file[PATH_MAX]);

#endif
