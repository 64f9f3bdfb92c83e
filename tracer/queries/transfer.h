/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A transfer is what one call has sent or received. Its bytes are read from the
 * program's memory and given to the connection.
 */
#ifndef TRACER_QUERIES_TRANSFER_H
#define TRACER_QUERIES_TRANSFER_H

#include "base/attr.h"

#include <stdint.h>

struct connection;
struct program;
struct socket_call;

/*
 * Gives the connection the first length bytes of the call's parts, except the
 * bytes that it skips. when: the time of the transfer. Returns 0, what
 * connection_bytes() returned, or -EPROTO if the memory cannot be read.
 */
must_check int transfer_take(struct program *program,
			     const struct socket_call *call,
			     struct connection *connection, uint64_t length,
			     uint64_t when);

#endif
