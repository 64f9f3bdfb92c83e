/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A stream is the bytes of one direction of one connection. They come in
 * pieces, as the program happens to send or receive them, and leave as the
 * packets of a protocol. Memory is limited: if a packet is not within one
 * piece, only its first `keep` bytes are kept. The rest is skipped and need not
 * even be read.
 */
#ifndef PROTOCOLS_STREAM_H
#define PROTOCOLS_STREAM_H

#include "base/attr.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { STREAM_HEADER_MOST = 8 };

/* Bytes that arrived together. Taking packets out advances at and reduces
 * left. */
struct piece {
	const unsigned char *at;
	size_t left;
	uint64_t when; /* time of arrival, in ns */
};

struct packet {
	const unsigned char *header;
	const unsigned char *body; /* valid until the next stream_next() */
	size_t kept;		   /* bytes at body: all, or `keep` */
	uint64_t length;	   /* length of the body */
	uint64_t began;		   /* time of the packet's first byte, in ns */
};

/* How to find the end of a packet in a protocol. */
struct framing {
	size_t header; /* length, at most STREAM_HEADER_MOST */
	/* The length of the body, from the header. False if it is not a valid
	 * header. */
	bool (*body)(const unsigned char *header, uint64_t *ret_length);
};

struct stream {
	const struct framing *framing;
	size_t keep;
	unsigned char header[STREAM_HEADER_MOST];
	size_t have;	      /* bytes of the header so far */
	unsigned char *start; /* start of the body, while it is incomplete */
	size_t kept;
	size_t room;
	uint64_t length;
	uint64_t left; /* bytes of the body that have not come yet */
	uint64_t began;
};

void stream_init(struct stream *stream, const struct framing *framing,
		 size_t keep);
void stream_release(struct stream *stream);
/* Forgets what has come: the next byte begins a packet. */
void stream_restart(struct stream *stream);

/*
 * Returns 1 and *ret_packet for the next packet that this piece completes, 0 if
 * the piece is used up, or -EPROTO if the bytes are not a packet's header.
 * After -EPROTO the stream is as after stream_restart(), and the rest of the
 * piece is not taken.
 */
must_check int stream_next(struct stream *stream, struct piece *piece,
			   struct packet *ret_packet);

/* True if no part of the next packet has come yet. */
static inline bool
stream_between(const struct stream *stream)
{
	return stream->have == 0;
}

/*
 * How many of the next bytes will be skipped and need not be read. At most left
 * - 1, so that a piece always contains the end of a packet.
 */
uint64_t stream_blind(const struct stream *stream);
/* count bytes, at most stream_blind(), have come and were not read. */
void stream_pass(struct stream *stream, uint64_t count);

#endif
