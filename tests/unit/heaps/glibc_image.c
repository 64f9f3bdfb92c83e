/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The layouts are those of malloc/malloc.c and malloc/arena.c of glibc. */
#include "tests/unit/heaps/glibc_image.h"

#include "arch/arch.h"
#include "base/xmalloc.h"
#include "tests/unit/checks.h"

#include <errno.h>
#include <string.h>

#define KEY UINT64_C(0x9d3ac1f04b77e265)

static addr_t
symbol(struct binary *binary, const char *name)
{
	static const struct {
		const char *name;
		addr_t at;
	} symbols[] = {
		{ "gnu_get_libc_version", GLIBC_CODE },
		{ "mallinfo", GLIBC_CODE + 32 },
		{ "_IO_2_1_stdin_", GLIBC_DATA + 0x40 },
		{ "environ", GLIBC_DATA + 0xb00 },
	};

	(void)binary;
	for (size_t i = 0; i < array_size(symbols); i++)
		if (strcmp(name, symbols[i].name) == 0)
			return symbols[i].at;
	return 0;
}

static int
read_image(struct reader *reader, addr_t from, void *to, size_t length)
{
	struct glibc_image *image =
		container_of(reader, struct glibc_image, reader);

	for (size_t i = 0; i < GLIBC_PIECES; i++) {
		const struct glibc_piece *piece = &image->pieces[i];

		if (from < piece->from || from - piece->from > piece->length ||
		    piece->length - (from - piece->from) < length)
			continue;
		memcpy(to, piece->bytes + (from - piece->from), length);
		return 0;
	}
	return -EFAULT;
}

uint8_t *
glibc_image_at(struct glibc_image *image, addr_t at)
{
	for (size_t i = 0; i < GLIBC_PIECES; i++)
		if (at >= image->pieces[i].from &&
		    at - image->pieces[i].from < image->pieces[i].length)
			return image->pieces[i].bytes +
			       (at - image->pieces[i].from);
	ck_abort_msg("nothing at %lx", (unsigned long)at);
	return NULL;
}

void
glibc_image_put(struct glibc_image *image, addr_t at, uint64_t word)
{
	memcpy(glibc_image_at(image, at), &word, sizeof(word));
}

static void
put_state(struct glibc_image *image, addr_t at, addr_t top, addr_t next)
{
	for (addr_t i = 0; i < 127; i++) {
		glibc_image_put(image, at + 112 + i * 16, at + 96 + i * 16);
		glibc_image_put(image, at + 120 + i * 16, at + 96 + i * 16);
	}
	glibc_image_put(image, at + 96, top);
	glibc_image_put(image, at + 2160, next);
	glibc_image_put(image, at + 2176, 1);
	glibc_image_put(image, at + 2184, 0x2000);
	glibc_image_put(image, at + 2192, 0x2000);
}

static void
put_parameters(struct glibc_image *image)
{
	glibc_image_put(image, GLIBC_PAR + 56, UINT64_C(2) << 32);
	glibc_image_put(image, GLIBC_PAR + 64, 65536 | UINT64_C(3) << 32);
	glibc_image_put(image, GLIBC_PAR + 80, 0x300000);
	glibc_image_put(image, GLIBC_PAR + 88, 0x300000);
	glibc_image_put(image, GLIBC_PAR + 96, GLIBC_BRK);
	glibc_image_put(image, GLIBC_PAR + 104, 64);
	glibc_image_put(image, GLIBC_PAR + 112, 1032);
	glibc_image_put(image, GLIBC_PAR + 120, 7);
}

/* Puts a chunk of the main arena into bin i. */
static void
put_in_bin(struct glibc_image *image, addr_t at, uint64_t size, addr_t i)
{
	addr_t head = GLIBC_MAIN + 96 + i * 16;

	glibc_image_put(image, at + 16, head);
	glibc_image_put(image, at + 24, head);
	glibc_image_put(image, head + 16, at);
	glibc_image_put(image, head + 24, at);
	glibc_image_put(image, at + size, size);
}

static void
put_cached(struct glibc_image *image, addr_t i, addr_t at)
{
	addr_t cache = GLIBC_BRK + 16;

	glibc_image_at(image, cache + i * 2)[0] = 1;
	glibc_image_put(image, cache + 128 + i * 8, at + 16);
	glibc_image_put(image, at + 16, (at + 16) >> 12);
	glibc_image_put(image, at + 24, KEY);
}

static void
put_main_heap(struct glibc_image *image)
{
	/* The size of each chunk; plus 1 if the chunk before it is not in a
	 * bin. */
	static const uint64_t sizes[] = { 0x291, 0x31,	0x31, 0x21, 0x41,
					  0x501, 0x101, 0x20, 0x91, 0x20,
					  0x601, 0x20,	0xfc1 };
	addr_t at = GLIBC_BRK;

	for (size_t i = 0; i < array_size(sizes); i++) {
		glibc_image_put(image, at + 8, sizes[i]);
		at += sizes[i] & ~UINT64_C(7);
	}
	ck_assert_uint_eq(at, GLIBC_BRK + 0x2000);
	put_cached(image, 1, GLIBC_BRK + 0x2c0);
	put_cached(image, 0, GLIBC_BRK + 0x2f0);
	glibc_image_put(image, GLIBC_MAIN + 16 + 2 * 8, GLIBC_BRK + 0x310);
	glibc_image_put(image, GLIBC_BRK + 0x320, (GLIBC_BRK + 0x320) >> 12);
	put_in_bin(image, GLIBC_BRK + 0x850, 0x100, 0);
	put_in_bin(image, GLIBC_BRK + 0x970, 0x90, 8);
	put_in_bin(image, GLIBC_BRK + 0xa20, 0x600, 70);
}

/* The first heap is full, and ends with two headers. */
static void
put_thread_heaps(struct glibc_image *image)
{
	glibc_image_put(image, GLIBC_HEAP, GLIBC_ARENA);
	glibc_image_put(image, GLIBC_HEAP + 16, 0x1000);
	glibc_image_put(image, GLIBC_HEAP + 0x8d8, 0x715);
	glibc_image_put(image, GLIBC_HEAP + 0xfe8, 0x11);
	glibc_image_put(image, GLIBC_HEAP + 0xff8, 0x1);
	glibc_image_put(image, GLIBC_HEAP_2, GLIBC_ARENA);
	glibc_image_put(image, GLIBC_HEAP_2 + 8, GLIBC_HEAP);
	glibc_image_put(image, GLIBC_HEAP_2 + 16, 0x1000);
	glibc_image_put(image, GLIBC_HEAP_2 + 0x38, 0x105);
	glibc_image_put(image, GLIBC_HEAP_2 + 0x138, 0xed1);
}

struct glibc_image *
glibc_image_new(void)
{
	static const struct {
		addr_t from;
		size_t length;
	} pieces[GLIBC_PIECES] = {
		{ GLIBC_CODE, 0x40 },	 { GLIBC_DATA, 0xb00 },
		{ GLIBC_BRK, 0x1060 },	 { GLIBC_HEAP, 0x1000 },
		{ GLIBC_HEAP_2, 0x160 },
	};
	/* lea 9(%rip),%rax; ret; and the text there */
	static const uint8_t code[] = { 0x48, 0x8d, 0x05, 9, 0, 0, 0, 0xc3 };
	struct glibc_image *image = xcalloc(1, sizeof(*image));

	image->binary = (struct binary){ .symbol = symbol,
					 .label = "libc.so.6",
					 .arch = arch_of_host() };
	image->reader.read = read_image;
	for (size_t i = 0; i < GLIBC_PIECES; i++) {
		image->pieces[i].from = pieces[i].from;
		image->pieces[i].length = pieces[i].length;
	}
	memcpy(glibc_image_at(image, GLIBC_CODE), code, sizeof(code));
	memcpy(glibc_image_at(image, GLIBC_CODE + 16), "2.36", 5);
	put_state(image, GLIBC_MAIN, GLIBC_BRK + 0x1040, GLIBC_ARENA);
	put_state(image, GLIBC_ARENA, GLIBC_HEAP_2 + 0x130, GLIBC_MAIN);
	put_parameters(image);
	put_main_heap(image);
	put_thread_heaps(image);
	return image;
}
