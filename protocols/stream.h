/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A stream is the bytes of one direction of one connection. They come in
 * pieces, as the program happened to send or receive them, and leave as
 * packets, as the protocol means them. Memory is bounded: of a packet that
 * does not lie whole in one piece the first `keep` bytes are kept and the
 * rest is passed over; what is passed over need not even be read.
 */
#ifndef PROTOCOLS_STREAM_H
#define PROTOCOLS_STREAM_H

#include "base/attr.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { STREAM_HEADER_MOST = 8 };

/* Bytes that arrived together; taking packets out advances at and left. */
struct piece {
	const unsigned char *at;
	size_t left;
	uint64_t when; /* of its arrival, nanoseconds */
};

struct packet {
	const unsigned char *header;
	const unsigned char *body; /* valid until the next stream_next() */
	size_t kept;		   /* bytes at body: all of them, or `keep` */
	uint64_t length;	   /* bytes that the body has */
	uint64_t began;		   /* when its first byte came */
};

/* How a protocol says where a packet ends. */
struct framing {
	size_t header; /* bytes, at most STREAM_HEADER_MOST */
	/* The length of the body after that header; false: no such header. */
	bool (*body)(const unsigned char *header, uint64_t *ret_length);
};

struct stream {
	const struct framing *framing;
	size_t keep;
	unsigned char header[STREAM_HEADER_MOST];
	size_t have;	      /* bytes of the header that came */
	unsigned char *start; /* of the body, while it is incomplete */
	size_t kept;
	size_t room;
	uint64_t length;
	uint64_t left; /* bytes of the body still to come */
	uint64_t began;
};

void stream_init(struct stream *stream, const struct framing *framing,
		 size_t keep);
void stream_release(struct stream *stream);
/* The next byte begins a packet. */
void stream_restart(struct stream *stream);

/*
 * The next packet that is complete with this piece: 1 and *ret_packet; 0 when
 * the piece is used up; -EPROTO when its bytes are no packet's header (the
 * stream is then as after stream_restart(), the rest of the piece not taken).
 */
must_check int stream_next(struct stream *stream, struct piece *piece,
			   struct packet *ret_packet);

/* Nothing of a packet has come. */
static inline bool
stream_between(const struct stream *stream)
{
	return stream->have == 0;
}

/*
 * So many of the next bytes are passed over and would not be looked at: at
 * most left - 1, so that the end of a packet is always seen in a piece.
 */
uint64_t stream_blind(const struct stream *stream);
/* count of them, at most stream_blind(), have come and were not read. */
void stream_pass(struct stream *stream, uint64_t count);

#endif
