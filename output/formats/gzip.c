/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * zlib gets its memory from xcalloc(), so that it cannot fail for lack of
 * memory, and no other failure of deflate() is possible here (zlib.h). The
 * header has no name and no time: the same input gives the same bytes.
 */
#include "output/formats/gzip.h"

#include "base/attr.h"
#include "base/xmalloc.h"
#include "output/out.h"

#include <assert.h>
#include <stdlib.h>
#include <zlib.h>

/* The largest window, and 16 for a gzip header (zlib.h, deflateInit2()). */
#define WINDOW_BITS (15 + 16)
#define MEMORY_LEVEL 8 /* zlib's default */

struct gzip {
	z_stream stream;
	struct out *out;
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

/* Compresses the stream's input, and with Z_FINISH ends the file. */
static void
compress_input(struct gzip *gzip, int flush)
{
	unsigned char room[16384];

	do {
		gzip->stream.next_out = room;
		gzip->stream.avail_out = sizeof(room);
		deflate(&gzip->stream, flush);
		out_write(gzip->out, (const char *)room,
			  sizeof(room) - gzip->stream.avail_out);
	} while (gzip->stream.avail_out == 0);
	out_flush(gzip->out, true);
}

struct gzip *
gzip_new(struct out *out)
{
	struct gzip *gzip = xcalloc(1, sizeof(*gzip));
	int r;

	gzip->out = out;
	gzip->stream.zalloc = give;
	gzip->stream.zfree = take_back;
	r = deflateInit2(&gzip->stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED,
			 WINDOW_BITS, MEMORY_LEVEL, Z_DEFAULT_STRATEGY);
	assert(r == Z_OK);
	return gzip;
}

void
gzip_write(struct gzip *gzip, const struct str *bytes)
{
	gzip->stream.next_in = (unsigned char *)str_text(bytes);
	gzip->stream.avail_in = (unsigned)bytes->length;
	compress_input(gzip, Z_NO_FLUSH);
}

void
gzip_close(struct gzip *gzip)
{
	compress_input(gzip, Z_FINISH);
	deflateEnd(&gzip->stream);
	free(gzip);
}
