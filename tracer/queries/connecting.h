/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A client that speaks the protocol itself connects to a database. Connecting
 * begins at its call of connect(2), contains the setup of TLS, and ends when
 * the server says whether the client is logged in. The line of code that the
 * event shows is the line that calls connect(2).
 *
 * If a connection becomes encrypted, the login is seen at libssl's functions.
 * It is then taken for the login of the connection that its thread has
 * encrypted last. If the thread has begun to encrypt several connections since
 * its last login, no connecting is shown for these connections.
 */
#ifndef TRACER_QUERIES_CONNECTING_H
#define TRACER_QUERIES_CONNECTING_H

#include "protocols/query.h"
#include "tracer/report/report.h"

struct connecting;
struct wire;

/* Does one of the sets show connecting? */
bool connecting_wanted(const struct session *session);

/* The thread is at the entry of connect(2). Returns NULL if connecting is not
 * wanted, or if a probed function makes this call. */
struct connecting *connecting_begin(const struct hit *hit);
/* connecting may be NULL. */
void connecting_free(struct connecting *connecting);

/* The thread encrypts the connection; takes the ownership of connecting. */
void connecting_encrypts(struct thread_record *record,
			 struct connecting *connecting);
/* The thread makes its first call on an encrypted connection. Returns the
 * struct connecting that connecting_encrypts() has stored for the thread, and
 * the caller owns it. Returns NULL if the connection is not known. */
struct connecting *connecting_encrypted(struct thread_record *record);

/* The login is over: tells the sinks. */
void connecting_over(struct connecting *connecting, struct wire *wire,
		     const struct login *login);

extern const struct life connecting_life;

#endif
