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

/* Call this before any test: no other file gets the numbers of enum APART_*. */
void peer_reserve(void);

/* A socket on a free port of 127.0.0.1. */
int peer_socket(unsigned *ret_port, bool listens);
/* Connects to the port. */
int peer_connect(unsigned port);
void peer_send(int fd, const char *text);
/* What comes until the other side closes the connection, as a text. The caller
 * frees it. */
char *peer_receive(int fd);
/* Would receiving wait? */
bool peer_waits(int fd);

/* Starts the work. given: the descriptor that it gets, or -1. */
void peer_start(void (*work)(void *argument), void *argument, int given);
/* The work may look at the time. */
void peer_wake(void);
/* xtrace has ended. */
void peer_end_xtrace(void);
/* Has the work returned? Then the thread is joined. */
bool peer_returned(void);
/* xtrace has ended, and the work must return. */
void peer_stop(void);

#endif
