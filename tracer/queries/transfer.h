/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A transfer is what one call has sent or received. Its bytes are read from the
 * program's memory and given to the connection.
 */
#ifndef TRACER_QUERIES_TRANSFER_H
#define TRACER_QUERIES_TRANSFER_H

#include "base/attr.h"

#include <stdbool.h>
#include <stdint.h>

struct connection;
struct program;
struct socket_call;

struct transfer {
	struct connection *connection;
	bool client;   /* the bytes are from the client to the server */
	uint64_t when; /* the time of the transfer */
};

/*
 * Gives the connection the first length bytes of the call's parts, except the
 * bytes that it skips. Bytes that the kernel has sent from a file are given as
 * zeros. Returns 0, what connection_bytes() returned, or -EPROTO if the memory
 * cannot be read.
 */
must_check int transfer_take(struct program *program,
			     const struct socket_call *call,
			     const struct transfer *transfer, uint64_t length);

#endif
