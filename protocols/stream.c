/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Makes packets of pieces.
 *
 *	have < header        collecting the header
 *	have == header       collecting the body: kept of length, left to come
 *
 * A packet that is completely within one piece, as most are, is returned
 * without copying. Only a packet that continues in the next piece is copied.
 */
#include "protocols/stream.h"

#include "base/xmalloc.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* Memory that a stream keeps between packets. */
enum { ROOM_LASTING = 16 << 10 };

void
stream_init(struct stream *stream, const struct framing *framing, size_t keep)
{
	memset(stream, 0, sizeof(*stream));
	stream->framing = framing;
	stream->keep = keep;
}

void
stream_release(struct stream *stream)
{
	free(stream->start);
	stream->start = NULL;
	stream->room = 0;
	stream_restart(stream);
}

void
stream_restart(struct stream *stream)
{
	stream->have = 0;
	stream->kept = 0;
	stream->length = stream->left = 0;
	if (stream->room > ROOM_LASTING) {
		free(stream->start);
		stream->start = NULL;
		stream->room = 0;
	}
}

static void
keep_bytes(struct stream *stream, const unsigned char *bytes, size_t count)
{
	size_t wanted = stream->kept + count;

	if (count == 0)
		return;
	if (wanted > stream->room) {
		size_t room = stream->room * 2;

		if (room < wanted)
			room = wanted;
		stream->start = xrealloc(stream->start, room);
		stream->room = room;
	}
	memcpy(stream->start + stream->kept, bytes, count);
	stream->kept = wanted;
}

/* Returns 1 if the header is complete. */
static int
take_header(struct stream *stream, struct piece *piece)
{
	size_t size = stream->framing->header;
	size_t count = size - stream->have;

	if (stream->have == 0) {
		/* Drops the previous packet, which the caller does not use any
		 * more when it gives bytes of the next one. */
		stream_restart(stream);
		stream->began = piece->when;
	}
	if (count > piece->left)
		count = piece->left;
	memcpy(stream->header + stream->have, piece->at, count);
	if (stream->have + count == size &&
	    !stream->framing->body(stream->header, &stream->length)) {
		stream_restart(stream);
		return -EPROTO;
	}
	stream->have += count;
	piece->at += count;
	piece->left -= count;
	if (stream->have < size)
		return 0;
	stream->left = stream->length;
	return 1;
}

int
stream_next(struct stream *stream, struct piece *piece,
	    struct packet *ret_packet)
{
	const unsigned char *body = piece->at;
	size_t count, keep;

	if (piece->left == 0)
		return 0;
	if (stream->have < stream->framing->header) {
		int answer = take_header(stream, piece);

		if (answer <= 0)
			return answer;
		body = piece->at;
	}
	count = stream->left < piece->left ? stream->left : piece->left;
	if (stream->left != stream->length || count < stream->left) {
		keep = stream->keep - stream->kept;
		keep_bytes(stream, body, keep < count ? keep : count);
		body = stream->start;
	} else {
		stream->kept = count < stream->keep ? count : stream->keep;
	}
	piece->at += count;
	piece->left -= count;
	stream->left -= count;
	if (stream->left > 0)
		return 0;
	*ret_packet = (struct packet){
		.header = stream->header,
		.body = body,
		.kept = stream->kept,
		.length = stream->length,
		.began = stream->began,
	};
	stream->have = 0;
	return 1;
}

uint64_t
stream_blind(const struct stream *stream)
{
	if (stream->have < stream->framing->header ||
	    stream->kept < stream->keep || stream->left < 2)
		return 0;
	return stream->left - 1;
}

void
stream_pass(struct stream *stream, uint64_t count)
{
	uint64_t most = stream_blind(stream);

	stream->left -= count < most ? count : most;
}
