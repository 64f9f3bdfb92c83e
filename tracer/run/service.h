/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A service (--service) runs for days. When it is told to reload, by SIGHUP, it
 * leaves the processes and begins anew in its place: the same process, with
 * options, sets and prototypes as they are now, and its files opened again.
 */
#ifndef TRACER_RUN_SERVICE_H
#define TRACER_RUN_SERVICE_H

#include "base/attr.h"
#include "base/err.h"
#include "tracer/model/notify.h"

#include <stdbool.h>

struct service {
	char **argv;
	bool again;  /* xtrace has begun anew because of a SIGHUP */
	bool checks; /* xtrace only checks if another one can begin anew */
	struct notify notify;
};

/* Call this first. It reads, and removes from the environment, what the run
 * before this one has set there. */
void service_init(struct service *service, char **argv);

/* Could xtrace begin anew with its files as they are now? Another process of
 * xtrace checks this, and says what is wrong. argument is the service. */
must_check bool service_check(void *argument);

/* Begins anew. Returns -errno with a sentence if that is not possible. */
must_check int service_begin_again(const struct service *service,
				   struct err *err);

#endif
