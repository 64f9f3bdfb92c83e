/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A program whose threads run through windows all the time (arch/jump.h).
 * xtrace traces one thread of the program, which is stopped. The other threads
 * are not traced, so their traps reach the handler in the program, as if xtrace
 * had been killed.
 */
#ifndef TESTS_UNIT_BREAKPOINTS_JUMP_SCENE_H
#define TESTS_UNIT_BREAKPOINTS_JUMP_SCENE_H

#include "base/attr.h"
#include "breakpoints/jumps.h"
#include "breakpoints/outlive/watcher.h"
#include "process/thread.h"

#include <stdatomic.h>
#include <stdbool.h>

#define WINDOWS 8u
#define PARKERS 24u
#define MIDDLE 3 /* the boundary of jumps_middle */

/* The functions whose first instructions are the windows. */
extern const char __attribute__((visibility("hidden"))) jumps_one[],
	jumps_pushes[], jumps_frame[], jumps_saved[], jumps_all[], jumps_end[],
	jumps_middle[], jumps_call[];
extern const char *const windows[WINDOWS];

/* What the program tells the test. */
extern struct shared {
	_Atomic uint64_t rounds;
	_Atomic unsigned wrong;
	_Atomic unsigned workers;
	_Atomic bool serves; /* the traced thread is in jump_serve() */
	_Atomic unsigned signals;
	/* of jumps_parked_test.c: the threads, how many of them are parked, and
	 * how often they were sent on */
	_Atomic int tids[PARKERS];
	_Atomic unsigned parked, sent_on;
	_Atomic unsigned laps[PARKERS]; /* rounds of each thread */
} * shared;

extern struct table table;
extern struct process *process;
extern struct thread *thread;
extern struct sites sites;
extern struct watcher *watcher;
extern struct site *planted[WINDOWS];

/* Runs the program until it has begun so many workers and its first thread is
 * in jump_serve(), and plants a trap at each window. */
void jump_scene_begin(void (*program)(void), unsigned workers);
void jump_scene_end(void);

/* For the program's first thread, when it has done everything else: runs
 * without a system call. The test traces this thread, so from then on it runs
 * nothing but the calls that xtrace injects. */
never_returns void jump_serve(void);

/* For the program: calls a function by its address. */
int jump_call(const char *function, int argument);
void jump_nap(void);

/* Fails if the program has ended. kill(2) would also find a zombie. */
void jump_check_running(void);
/* Waits until the threads have run on, and checks that all their results are
 * right. */
void jump_goes_round(void);
/* Gives each window its jump, with this condition or, if it is NULL, without
 * one. */
void jump_ask(struct jump_request *requests,
	      const struct check_condition *condition);

#endif
