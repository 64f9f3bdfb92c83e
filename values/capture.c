/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A capture is a list of pieces. A piece never crosses the end of a page:
 *
 *	[addr ............ addr + length)	bytes, or "cannot be read"
 *
 * A read of a live process is a system call, and most arguments are short
 * strings and small structs. Therefore a miss reads more than the caller needs:
 * everything that the caller may want, extended at both ends to whole windows
 * of WINDOW bytes, but never beyond the end of a page, because only whole pages
 * are readable or not. The rest of a string, the other fields of a struct and
 * the neighbours on the stack then need no further read. A page that cannot be
 * read is tried only once.
 *
 * Pieces may overlap, because the thread was stopped while all of them were
 * read. Most calls have one or two pieces. A few have thousands; for them the
 * pieces are in a hash table by page, which grows.
 *
 * An address may be any number, up to the largest. Lengths are compared as
 * differences, which do not overflow.
 */
#include "values/capture.h"

#include <errno.h>
#include <stdbool.h>
#include <string.h>

#define WINDOW ((size_t)128)
#define LISTS_STEP 8u
#define LIST_LENGTH 4u

struct capture_piece {
	struct capture_piece *older;
	addr_t address;
	size_t length;
	const unsigned char *bytes; /* NULL: cannot be read */
};

static int
capture_reader_read(struct reader *reader, addr_t from, void *to, size_t len)
{
	return capture_read(container_of(reader, struct capture, reader), from,
			    to, len);
}

void
capture_init(struct capture *capture, struct reader *live, struct arena *arena)
{
	*capture = (struct capture){
		.reader = { .read = capture_reader_read },
		.live = live,
		.arena = arena,
		.list_count = CAPTURE_LISTS,
	};
	capture->lists = capture->few;
}

void
capture_seal(struct capture *capture)
{
	capture->live = NULL;
}

static struct capture_piece **
list_of(const struct capture *capture, addr_t address)
{
	/* Multiplicative hashing: the upper half of the product depends on all
	 * bits of the page's number (Knuth, section 6.4). */
	uint64_t mixed =
		address / ADDR_PAGE * UINT64_C(0x9e3779b97f4a7c15) >> 32;

	return &capture->lists[mixed & (capture->list_count - 1)];
}

static void
spread(struct capture *capture)
{
	struct capture_piece **old = capture->lists;
	size_t count = capture->list_count;

	capture->list_count *= LISTS_STEP;
	capture->lists =
		arena_zalloc(capture->arena,
			     capture->list_count * sizeof(capture->lists[0]));
	for (size_t i = 0; i < count; i++) {
		struct capture_piece *piece = old[i], *older;

		for (; piece; piece = older) {
			struct capture_piece **list =
				list_of(capture, piece->address);

			older = piece->older;
			piece->older = *list;
			*list = piece;
		}
	}
}

static const struct capture_piece *
remember(struct capture *capture, addr_t address, size_t length,
	 const unsigned char *bytes)
{
	struct capture_piece **list;
	struct capture_piece *piece =
		arena_alloc(capture->arena, sizeof(*piece));

	if (capture->piece_count++ / LIST_LENGTH >= capture->list_count)
		spread(capture);
	list = list_of(capture, address);
	*piece = (struct capture_piece){ *list, address, length, bytes };
	*list = piece;
	return piece;
}

void
capture_add(struct capture *capture, addr_t address, const unsigned char *bytes,
	    size_t length)
{
	const unsigned char *copy = arena_copy(capture->arena, bytes, length);

	while (length > 0) {
		size_t page = ADDR_PAGE - address % ADDR_PAGE;
		size_t part = length < page ? length : page;

		remember(capture, address, part, copy);
		address += part;
		copy += part;
		length -= part;
	}
}

static const struct capture_piece *
find_piece(const struct capture *capture, addr_t address)
{
	const struct capture_piece *piece = *list_of(capture, address);

	while (piece && address - piece->address >= piece->length)
		piece = piece->older;
	return piece;
}

/* Reads whole windows, from the window of address to the window of the last
 * byte. */
static const struct capture_piece *
read_live(struct capture *capture, addr_t address, size_t want)
{
	addr_t from = address - address % WINDOW;
	size_t page = ADDR_PAGE - from % ADDR_PAGE, length = page;
	unsigned char *bytes;

	if (want < page)
		length = (address % WINDOW + want + WINDOW - 1) & -WINDOW;
	if (length > page)
		length = page;
	bytes = arena_alloc(capture->arena, length);
	if (reader_read(capture->live, from, bytes, length) == 0)
		return remember(capture, from, length, bytes);
	return remember(capture, addr_page(address), ADDR_PAGE, NULL);
}

const unsigned char *
capture_peek(struct capture *capture, addr_t address, size_t want,
	     size_t *ret_have)
{
	const struct capture_piece *piece;
	size_t have;

	if (want == 0)
		return NULL;
	piece = find_piece(capture, address);
	if (!piece && capture->live)
		piece = read_live(capture, address, want);
	if (!piece || !piece->bytes)
		return NULL;
	have = piece->length - (address - piece->address);
	*ret_have = have < want ? have : want;
	return piece->bytes + (address - piece->address);
}

int
capture_read(struct capture *capture, addr_t address, void *to, size_t length)
{
	while (length > 0) {
		size_t have;
		const unsigned char *bytes =
			capture_peek(capture, address, length, &have);

		if (!bytes)
			return -EFAULT;
		to = mempcpy(to, bytes, have);
		address += have;
		length -= have;
	}
	return 0;
}
