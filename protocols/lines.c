/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Makes lines and blocks of pieces.
 *
 *	line --- its reader calls lines_block() ---> block
 *	block --- its last byte has come ---> line
 *
 * What is completely within one piece, as most lines are, is returned without
 * copying. Only what continues in the next piece is copied.
 */
#include "protocols/lines.h"

#include "base/xmalloc.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* Memory that is kept between lines. */
enum { ROOM_LASTING = 16 << 10 };

/* Decimal digits of a number that is always less than 2^62. */
enum { DIGITS_MOST = 18 };

void
lines_init(struct line_reader *lines)
{
	memset(lines, 0, sizeof(*lines));
	lines->keep = LINES_KEEP;
}

void
lines_release(struct line_reader *lines)
{
	free(lines->start);
	lines_init(lines);
}

static void
keep_bytes(struct line_reader *lines, const unsigned char *bytes, size_t count)
{
	size_t most = lines->keep - lines->kept;

	if (count > most)
		count = most;
	if (count == 0)
		return;
	if (lines->kept + count > lines->room) {
		lines->room = (lines->kept + count) * 2;
		lines->start = xrealloc(lines->start, lines->room);
	}
	memcpy(lines->start + lines->kept, bytes, count);
	lines->kept += count;
}

/* How many bytes of the piece belong to the line or block, and whether they
 * are the last ones. */
static size_t
part_of(const struct line_reader *lines, const struct piece *piece,
	bool *ret_last)
{
	const unsigned char *end;

	if (lines->block) {
		*ret_last = lines->left <= piece->left;
		return *ret_last ? (size_t)lines->left : piece->left;
	}
	end = memchr(piece->at, '\n', piece->left);
	*ret_last = end != NULL;
	return end ? (size_t)(end - piece->at) + 1 : piece->left;
}

static void
start(struct line_reader *lines, uint64_t when)
{
	if (lines->started)
		return;
	lines->started = true;
	lines->began = when;
	lines->kept = 0;
	lines->length = 0;
}

static void
complete(struct line_reader *lines, const unsigned char *bytes,
	 struct text_line *ret_line)
{
	struct text_line line = {
		.bytes = bytes,
		.kept = lines->length < lines->keep ? (size_t)lines->length
						    : lines->keep,
		.length = lines->length,
		.began = lines->began,
		.block = lines->block,
	};

	if (!line.block && line.kept == line.length)
		line.kept--;
	if (!line.block && line.kept + 1 == line.length && line.kept > 0 &&
	    bytes[line.kept - 1] == '\r')
		line.kept--;
	lines->started = lines->block = false;
	lines->keep = LINES_KEEP;
	if (bytes != lines->start && lines->room > ROOM_LASTING) {
		free(lines->start);
		lines->start = NULL;
		lines->room = 0;
	}
	*ret_line = line;
}

int
lines_next(struct line_reader *lines, struct piece *piece,
	   struct text_line *ret_line)
{
	const unsigned char *bytes = piece->at;
	bool last, whole;
	size_t count;

	if (piece->left == 0)
		return 0;
	whole = !lines->started;
	start(lines, piece->when);
	count = part_of(lines, piece, &last);
	piece->at += count;
	piece->left -= count;
	lines->length += count;
	if (lines->block && lines->left != UINT64_MAX)
		lines->left -= count;
	if (!whole || !last) {
		keep_bytes(lines, bytes, count);
		bytes = lines->start;
	}
	if (!last && !lines->block && lines->length > LINES_MOST)
		return -EPROTO;
	if (!last)
		return 0;
	complete(lines, bytes, ret_line);
	return 1;
}

void
lines_block(struct line_reader *lines, uint64_t length, size_t keep)
{
	lines->block = true;
	lines->left = length;
	lines->keep = keep;
}

void
lines_unblock(struct line_reader *lines)
{
	lines->block = false;
	lines->left = 0;
	lines->keep = LINES_KEEP;
}

void
lines_text(char *ret_text, size_t room, const unsigned char *bytes,
	   size_t length)
{
	if (length > room - 1)
		length = room - 1;
	memcpy(ret_text, bytes, length);
	ret_text[length] = '\0';
}

uint64_t
lines_blind(const struct line_reader *lines)
{
	/* Before its first byte the block has no time. */
	if (!lines->block || !lines->started || lines->kept < lines->keep ||
	    lines->left < 2)
		return 0;
	return lines->left - 1;
}

void
lines_pass(struct line_reader *lines, uint64_t count)
{
	uint64_t most = lines_blind(lines);

	if (count > most)
		count = most;
	if (lines->left != UINT64_MAX)
		lines->left -= count;
	lines->length += count;
}

bool
lines_number(const unsigned char *at, const unsigned char *end,
	     uint64_t *ret_number)
{
	uint64_t number = 0;

	if (at >= end || end - at > DIGITS_MOST)
		return false;
	for (; at < end; at++) {
		if (*at < '0' || *at > '9')
			return false;
		number = number * 10 + (uint64_t)(*at - '0');
	}
	*ret_number = number;
	return true;
}
