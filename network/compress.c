/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The whole text is compressed in one step, into memory that has room for it
 * (deflateBound(), zlib.h). So deflate() cannot fail but for lack of memory,
 * which xcalloc() does not return from.
 */
#include "network/compress.h"

#include "base/attr.h"
#include "base/xmalloc.h"

#include <assert.h>
#include <stdlib.h>
#include <zlib.h>

/* The largest window, and 16 for a gzip header (zlib.h, deflateInit2()). */
#define WINDOW_BITS (15 + 16)
#define MEMORY_LEVEL 8 /* zlib's default */

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

void
compress_gzip(struct str *to, const struct str *text)
{
	z_stream stream = { .zalloc = give, .zfree = take_back };
	uLong bound;
	int r;

	r = deflateInit2(&stream, Z_BEST_SPEED, Z_DEFLATED, WINDOW_BITS,
			 MEMORY_LEVEL, Z_DEFAULT_STRATEGY);
	assert(r == Z_OK);
	bound = deflateBound(&stream, text->length);
	str_clear(to);
	str_add_repeated(to, '\0', bound);
	stream.next_in = (unsigned char *)str_text(text);
	stream.avail_in = (unsigned)text->length;
	stream.next_out = (unsigned char *)to->text;
	stream.avail_out = (unsigned)bound;
	r = deflate(&stream, Z_FINISH);
	assert(r == Z_STREAM_END);
	str_cut(to, bound - stream.avail_out);
	deflateEnd(&stream);
}
