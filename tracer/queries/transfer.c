/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Bytes that the protocol skips, such as those of a long value, are counted but
 * not read. All other bytes are read in chunks, because a call may transfer
 * megabytes.
 */
#include "tracer/queries/transfer.h"

#include "protocols/connection.h"
#include "tracer/model/program.h"
#include "tracer/queries/socket_calls.h"

#include <errno.h>
#include <string.h>

/* How many bytes are read at a time. */
enum { CHUNK = 64 << 10 };

/* from: the address of the bytes, or 0 if the program sends them without having
 * them in its memory, as with sendfile(2). */
static int
take_part(struct program *program, const struct transfer *transfer, addr_t from,
	  uint64_t length)
{
	static unsigned char chunk[CHUNK];
	struct connection *connection = transfer->connection;
	bool known = from != 0;
	int r = 0;

	while (length > 0 && r == 0) {
		uint64_t pass = connection_blind(connection, transfer->client);
		size_t count;

		if (pass > length)
			pass = length;
		connection_pass(connection, transfer->client, pass);
		from += pass;
		length -= pass;
		count = length < CHUNK ? length : CHUNK;
		if (count == 0)
			break;
		if (!known)
			memset(chunk, 0, count);
		else if (reader_read(program_memory(program), from, chunk,
				     count) < 0)
			return -EPROTO;
		r = connection_bytes(connection, transfer->client, chunk, count,
				     transfer->when);
		from += count;
		length -= count;
	}
	return r;
}

int
transfer_take(struct program *program, const struct socket_call *call,
	      const struct transfer *transfer, uint64_t length)
{
	int r = 0;

	if (call->count == 0)
		return take_part(program, transfer, 0, length);
	for (size_t i = 0; i < call->count && length > 0 && r == 0; i++) {
		uint64_t part = call->parts[i].length;

		if (part > length)
			part = length;
		r = take_part(program, transfer, call->parts[i].from, part);
		length -= part;
	}
	return r;
}
