/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The test as the other end of a process of network/apart.h: the work runs in a
 * thread of the test, with the descriptors of such a process, and the test is
 * its client or its server on the loopback device.
 */
#ifndef TESTS_UNIT_NETWORK_PEER_H
#define TESTS_UNIT_NETWORK_PEER_H

#include "base/str.h"

#include <stdbool.h>

/* Reserves the descriptors of enum APART_*, so that no other file gets their
 * numbers. Must be called before any test. */
void peer_reserve(void);

/* A socket on a free port of 127.0.0.1. */
int peer_socket(unsigned *ret_port, bool listens);
/* Connects to the port. */
int peer_connect(unsigned port);
void peer_send(int fd, const char *text);
/* Receives until the other side closes the connection. Returns the received
 * text, which the caller frees. */
char *peer_receive(int fd);
/* Would receiving wait? */
bool peer_waits(int fd);

/* Starts the work with the descriptor `given`, which may be -1. */
void peer_start(void (*work)(void *argument), void *argument, int given);
/* Wakes the work, so that it looks at the time. */
void peer_wake(void);
/* Closes the test's end of the pipe, as if xtrace had ended. */
void peer_end_xtrace(void);
/* Has the work returned? If so, joins its thread. */
bool peer_returned(void);
/* Ends as peer_end_xtrace() does, and waits until the work has returned. */
void peer_stop(void);

#endif
