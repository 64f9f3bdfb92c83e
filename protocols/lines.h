/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The bytes of one direction of a connection whose protocol consists of lines
 * and blocks. A line ends with LF, or with CR and LF. A block is a number of
 * bytes; its reader knows from the line before how many they are. Memory is
 * limited: of a line and of a block only the first bytes are kept, and those of
 * a block that are not kept need not even be read.
 */
#ifndef PROTOCOLS_LINES_H
#define PROTOCOLS_LINES_H

#include "base/attr.h"
#include "protocols/stream.h"

enum {
	LINES_KEEP = 8 << 10,  /* bytes of a line that are kept */
	LINES_MOST = 16 << 20, /* a longer line makes no sense */
};

struct text_line {
	const unsigned char *bytes; /* valid until the next lines_next() */
	size_t kept;	 /* bytes that are kept, without the line's end */
	uint64_t length; /* bytes of the whole line, with its end */
	uint64_t began;	 /* time of the first byte */
	bool block;
};

struct line_reader {
	size_t keep;
	unsigned char *start; /* start of what is incomplete */
	size_t kept, room;
	bool started; /* a byte of the next line or block has come */
	bool block;
	uint64_t left;	 /* bytes of the block that have not come yet */
	uint64_t length; /* bytes that have come */
	uint64_t began;
};

void lines_init(struct line_reader *lines);
void lines_release(struct line_reader *lines);

/*
 * Returns 1 and *ret_line for the next line or block that this piece completes,
 * 0 if the piece is used up, or -EPROTO for a line that is too long.
 */
must_check int lines_next(struct line_reader *lines, struct piece *piece,
			  struct text_line *ret_line);

/* The next `length` bytes, at least one, are a block; the first `keep` of them
 * are kept. A block of UINT64_MAX bytes does not end. */
void lines_block(struct line_reader *lines, uint64_t length, size_t keep);

/* The block whose bytes come next will not be sent: a line comes instead. No
 * byte of the block has come yet. */
void lines_unblock(struct line_reader *lines);

/* Copies bytes of a line or block as text, as many as fit into room bytes with
 * a NUL. */
void lines_text(char *ret_text, size_t room, const unsigned char *bytes,
		size_t length);

/* lines_blind() returns how many of the next bytes need not be read, and
 * lines_pass() says that such bytes have come: as stream_blind() and
 * stream_pass() for packets. */
uint64_t lines_blind(const struct line_reader *lines);
void lines_pass(struct line_reader *lines, uint64_t count);

/* The number, in decimal digits, that is all of the bytes from `at` to `end`;
 * false if they are something else, or the number exceeds 2^62. */
must_check bool lines_number(const unsigned char *at, const unsigned char *end,
			     uint64_t *ret_number);

#endif
