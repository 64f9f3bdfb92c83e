/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Bytes that the protocol skips, such as those of a long value, are counted but
 * not read. The others are read in chunks, because a call may transfer
 * megabytes.
 */
#include "tracer/queries/transfer.h"

#include "protocols/connection.h"
#include "tracer/model/program.h"
#include "tracer/queries/socket_calls.h"

#include <errno.h>

/* How many bytes are read at a time. */
enum { CHUNK = 64 << 10 };

static int
take_part(struct program *program, struct connection *connection, bool client,
	  addr_t from, uint64_t length, uint64_t when)
{
	static unsigned char chunk[CHUNK];
	int r = 0;

	while (length > 0 && r == 0) {
		uint64_t pass = connection_blind(connection, client);
		size_t count;

		if (pass > length)
			pass = length;
		connection_pass(connection, client, pass);
		from += pass;
		length -= pass;
		count = length < CHUNK ? length : CHUNK;
		if (count == 0)
			break;
		if (reader_read(program_memory(program), from, chunk, count) <
		    0)
			return -EPROTO;
		r = connection_bytes(connection, client, chunk, count, when);
		from += count;
		length -= count;
	}
	return r;
}

int
transfer_take(struct program *program, const struct socket_call *call,
	      struct connection *connection, uint64_t length, uint64_t when)
{
	int r = 0;

	for (size_t i = 0; i < call->count && length > 0 && r == 0; i++) {
		uint64_t part = call->parts[i].length;

		if (part > length)
			part = length;
		r = take_part(program, connection, call->act == SOCKET_SENDS,
			      call->parts[i].from, part, when);
		length -= part;
	}
	return r;
}
