/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A process of xtrace's own that speaks to the network, without the rights to
 * trace. It ends when xtrace ends, however that happens. xtrace never waits for
 * it, except at the start and for a limited time at the end.
 */
#ifndef NETWORK_APART_H
#define NETWORK_APART_H

#include "base/attr.h"
#include "base/err.h"

#include <stdbool.h>

struct apart {
	int pipe;  /* as long as it is open, the process runs */
	int ended; /* at the end of the process, reading it returns 0 */
};

/* The descriptors that the process has. */
enum {
	APART_LIFE = 3,	 /* readable when there is work; at its end, when
			  * xtrace has ended */
	APART_ENDED = 4, /* the other end of struct apart's `ended` */
	APART_GIVEN = 5, /* a duplicate of the descriptor that was given */
};

struct apart_work {
	const char *name; /* of the process */
	int given;	  /* a descriptor that the process gets, or -1 */
	/* What the process does; it exits when this returns. */
	void (*run)(void *argument);
	void *argument; /* of run(); fork(2) copies what it points to */
};

/* Starts the process. Call this before any thread is started. */
must_check int apart_start(struct apart *ret_apart,
			   const struct apart_work *work, struct err *err);
/* Tells the process that there is work. Does not wait. */
void apart_wake(struct apart *apart);
/* The process calls this when it wakes up: reads what apart_wake() has written.
 * False if xtrace has ended. */
must_check bool apart_awake(void);
/* Asks the process to end, and waits for at most this time. False if it still
 * runs then. */
bool apart_end(struct apart *apart, unsigned milliseconds);

#endif
