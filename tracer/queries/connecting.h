/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A client that speaks the protocol itself connects to a database: from its
 * call of connect(2), over TLS, until the server says that it has logged in, or
 * that it has not. The event has the line that calls connect(2).
 *
 * If a connection becomes encrypted, the login is seen at libssl's functions.
 * It is then the login of the connection that its thread has encrypted last; if
 * the thread has begun to encrypt several since its last login, no connecting
 * is shown for these.
 */
#ifndef TRACER_QUERIES_CONNECTING_H
#define TRACER_QUERIES_CONNECTING_H

#include "protocols/query.h"
#include "tracer/report/report.h"

struct connecting;
struct wire;

/* Does one of the sets show connecting? */
bool connecting_wanted(const struct session *session);

/* The thread is at the entry of connect(2). NULL if connecting is not wanted,
 * or if a probed function connects. */
struct connecting *connecting_begin(const struct hit *hit);
/* connecting may be NULL. */
void connecting_free(struct connecting *connecting);

/* The thread encrypts the connection; takes the ownership of connecting. */
void connecting_encrypts(struct thread_record *record,
			 struct connecting *connecting);
/* The thread begins to speak on an encrypted connection. Returns what it has
 * encrypted, which is the caller's; NULL if that is not known. */
struct connecting *connecting_encrypted(struct thread_record *record);

/* The login is over: tells the sinks. */
void connecting_over(struct connecting *connecting, const struct wire *wire,
		     const struct login *login);

extern const struct life connecting_life;

#endif
