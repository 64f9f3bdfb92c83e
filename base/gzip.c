/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * zlib gets its memory from xcalloc(), so that it cannot fail for lack of
 * memory, and no other failure of deflate() is possible here (zlib.h). The
 * header has no name and no time: the same input gives the same bytes.
 */
#include "base/gzip.h"

#include "base/xmalloc.h"

#include <assert.h>
#include <stdlib.h>
#include <zlib.h>

/* The largest window, and 16 for a gzip header (zlib.h, deflateInit2()). */
#define WINDOW_BITS (15 + 16)
#define MEMORY_LEVEL 8 /* zlib's default */

struct gzip {
	z_stream stream;
};

static void *
give(void *unused, unsigned count, unsigned size)
{
	(void)unused;
	return xcalloc(count, size);
}

static void
take_back(void *unused, void *memory)
{
	(void)unused;
	free(memory);
}

struct gzip *
gzip_new(bool fast)
{
	struct gzip *gzip = xcalloc(1, sizeof(*gzip));
	int r;

	gzip->stream.zalloc = give;
	gzip->stream.zfree = take_back;
	r = deflateInit2(&gzip->stream,
			 fast ? Z_BEST_SPEED : Z_DEFAULT_COMPRESSION,
			 Z_DEFLATED, WINDOW_BITS, MEMORY_LEVEL,
			 Z_DEFAULT_STRATEGY);
	assert(r == Z_OK);
	return gzip;
}

/* Compresses the stream's input, and with Z_FINISH ends the file. */
static void
compress_input(struct gzip *gzip, int flush, struct str *to)
{
	unsigned char room[16384];

	do {
		gzip->stream.next_out = room;
		gzip->stream.avail_out = sizeof(room);
		deflate(&gzip->stream, flush);
		str_add_bytes(to, (const char *)room,
			      sizeof(room) - gzip->stream.avail_out);
	} while (gzip->stream.avail_out == 0);
}

void
gzip_add(struct gzip *gzip, const struct str *bytes, struct str *to)
{
	gzip->stream.next_in = (unsigned char *)str_text(bytes);
	gzip->stream.avail_in = (unsigned)bytes->length;
	compress_input(gzip, Z_NO_FLUSH, to);
}

void
gzip_end(struct gzip *gzip, struct str *to)
{
	compress_input(gzip, Z_FINISH, to);
	deflateEnd(&gzip->stream);
	free(gzip);
}
