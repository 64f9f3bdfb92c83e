/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Tells the service manager how the service is: READY=1, RELOADING=1,
 * STOPPING=1, as sd_notify(3) does, in datagrams to the socket that the
 * variable NOTIFY_SOCKET names. If the variable is not set, nobody is told.
 */
#ifndef TRACER_MODEL_NOTIFY_H
#define TRACER_MODEL_NOTIFY_H

#include <stdbool.h>
#include <sys/socket.h>
#include <sys/un.h>

struct notify {
	struct sockaddr_un to;
	socklen_t length; /* 0: nobody is told */
};

/* Removes NOTIFY_SOCKET from the environment, so that no command gets it. */
void notify_init(struct notify *notify);
/* Sets NOTIFY_SOCKET again, for the program that takes the place of this
 * one. */
void notify_restore(const struct notify *notify);

void notify_ready(const struct notify *notify);
void notify_reloading(const struct notify *notify);
void notify_stopping(const struct notify *notify);

#endif
