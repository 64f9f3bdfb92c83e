/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The copied pieces are stored one behind the other in slabs (SLAB_SIZE). Two
 * pieces never have an address in common. A read that is not within one piece
 * reads the memory of the process.
 *
 * To copy many small pieces one by one would take a system call each, and the
 * program waits meanwhile. They are sorted, pieces near each other become one
 * (NEAR), and many of these are read by one system call.
 */
#include "heaps/heap_copy.h"

#include "base/xmalloc.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define SLAB_SIZE (UINT64_C(4) << 20)
#define BYTES_MOST (UINT64_C(4) << 30)
/* Bytes between two pieces that are copied with them. Pages are larger, so
 * these bytes are in the pages of the two pieces, and can be read if these
 * can. */
#define NEAR 256u
/* Pieces that are joined have no more bytes than this, because all of them are
 * left out if one byte cannot be read. */
#define JOINED_MOST (UINT64_C(64) << 10)
#define SPANS_MOST 256u

struct heap_slab {
	uint8_t *bytes;
	size_t size;
};

struct heap_piece {
	addr_t from;
	size_t length;
	const uint8_t *bytes;
};

struct heap_pieces {
	vec_of(struct heap_piece) list;
};

static int
compare_pieces(const void *one, const void *other)
{
	const struct heap_piece *a = one, *b = other;

	return a->from < b->from ? -1 : a->from > b->from;
}

/* The last piece that begins at or before that address, or NULL. */
static const struct heap_piece *
piece_before(struct heap_copy *copy, addr_t at)
{
	size_t low = 0, high = copy->pieces.count;

	if (!copy->sorted)
		vec_sort(&copy->pieces, compare_pieces);
	copy->sorted = true;
	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (copy->pieces.at[middle].from <= at)
			low = middle + 1;
		else
			high = middle;
	}
	return low > 0 ? &copy->pieces.at[low - 1] : NULL;
}

/* The copy of these bytes, or NULL. */
static const uint8_t *
copied(struct heap_copy *copy, addr_t from, size_t length)
{
	const struct heap_piece *piece = piece_before(copy, from);

	if (!piece || from - piece->from > piece->length ||
	    piece->length - (from - piece->from) < length)
		return NULL;
	return piece->bytes + (from - piece->from);
}

static int
read_copied(struct reader *reader, addr_t from, void *to, size_t length)
{
	struct heap_copy *copy = container_of(reader, struct heap_copy, reader);
	const uint8_t *bytes = copied(copy, from, length);

	if (!bytes)
		return reader_read(copy->memory, from, to, length);
	memcpy(to, bytes, length);
	return 0;
}

void
heap_copy_init(struct heap_copy *copy, struct reader *memory)
{
	*copy = (struct heap_copy){ .reader = { .read = read_copied },
				    .memory = memory };
}

void
heap_copy_release(struct heap_copy *copy)
{
	for (size_t i = 0; i < copy->slabs.count; i++)
		free(copy->slabs.at[i].bytes);
	vec_release(&copy->slabs);
	vec_release(&copy->pieces);
	vec_release(&copy->wanted);
}

void
heap_copy_clear(struct heap_copy *copy)
{
	vec_clear(&copy->pieces);
	vec_clear(&copy->wanted);
	copy->slab = 0;
	copy->used = 0;
	copy->bytes = 0;
}

/* Returns room for that many bytes behind the last piece. */
static uint8_t *
room(struct heap_copy *copy, size_t length)
{
	struct heap_slab slab = { .size = SLAB_SIZE };

	for (; copy->slab < copy->slabs.count; copy->slab++) {
		const struct heap_slab *next = &copy->slabs.at[copy->slab];

		if (next->size - copy->used >= length)
			return next->bytes + copy->used;
		copy->used = 0;
	}
	if (slab.size < length)
		slab.size = length;
	slab.bytes = xmalloc(slab.size);
	vec_push(&copy->slabs, slab);
	return slab.bytes;
}

/* Reads a piece as a span, which is faster. If that fails, reader_read() tells
 * the reason. */
static int
read_piece(struct reader *memory, addr_t from, uint8_t *to, size_t length)
{
	const struct span span = { from, to, length };

	return reader_spans(memory, &span, 1) == 1
		       ? 0
		       : reader_read(memory, from, to, length);
}

int
heap_copy_add(struct heap_copy *copy, addr_t from, size_t length)
{
	struct heap_piece piece = { .from = from, .length = length };
	uint8_t *to;
	int r;

	if (length > BYTES_MOST - copy->bytes)
		return -EFBIG;
	to = room(copy, length);
	r = read_piece(copy->memory, from, to, length);
	if (r < 0)
		return r;
	piece.bytes = to;
	copy->used += length;
	copy->bytes += length;
	copy->sorted = false;
	vec_push(&copy->pieces, piece);
	return 0;
}

int
heap_copy_need(struct heap_copy *copy, addr_t from, size_t length)
{
	return copied(copy, from, length) ? 0
					  : heap_copy_add(copy, from, length);
}

const uint8_t *
heap_copy_last(const struct heap_copy *copy)
{
	return copy->pieces.at[copy->pieces.count - 1].bytes;
}

/* ---- small pieces ----------------------------------------------------------
 */

void
heap_copy_want(struct heap_copy *copy, addr_t from, size_t length)
{
	struct heap_piece piece = { .from = from, .length = length };

	if (length > 0 && from + length > from)
		vec_push(&copy->wanted, piece);
}

/* Extends the piece by the next one, which does not begin before it. False if
 * they are far from each other, or if they have no byte in common and are too
 * long together. */
static bool
join(struct heap_piece *piece, const struct heap_piece *next)
{
	addr_t end = piece->from + piece->length;
	addr_t next_end = next->from + next->length;

	if (next->from > end && next->from - end > NEAR)
		return false;
	if (next->from >= end && next_end - piece->from > JOINED_MOST)
		return false;
	if (next_end > end)
		piece->length = next_end - piece->from;
	return true;
}

/* Joins the sorted pieces that are near each other. Returns how many are
 * left. */
static size_t
join_wanted(struct heap_copy *copy)
{
	struct heap_piece *pieces = copy->wanted.at;
	size_t count = 0;

	for (size_t i = 0; i < copy->wanted.count; i++)
		if (count == 0 || !join(&pieces[count - 1], &pieces[i]))
			pieces[count++] = pieces[i];
	return count;
}

/* Adds the parts of the piece that are not copied yet, the last one first.
 * Returns how many bytes they have. */
static uint64_t
add_missing(struct heap_copy *copy, struct heap_piece piece,
	    struct heap_pieces *missing)
{
	uint64_t bytes = 0;

	while (piece.length > 0) {
		addr_t end = piece.from + piece.length, begin = piece.from;
		const struct heap_piece *has = piece_before(copy, end - 1);
		struct heap_piece part;

		if (has && has->from + has->length > begin)
			begin = has->from + has->length;
		if (begin < end) {
			part = (struct heap_piece){ .from = begin,
						    .length = end - begin };
			vec_push(&missing->list, part);
			bytes += part.length;
		}
		piece.length = begin > piece.from && has->from > piece.from
				       ? has->from - piece.from
				       : 0;
	}
	return bytes;
}

/* Copies the first of the pieces, as many as one read gives. A piece that
 * cannot be read is left out. Returns how many pieces were copied or left out.
 */
static size_t
copy_some(struct heap_copy *copy, const struct heap_piece *pieces, size_t count)
{
	struct span spans[SPANS_MOST];
	size_t n = count < SPANS_MOST ? count : SPANS_MOST, got;
	size_t slab = copy->slab, used = copy->used;

	for (size_t i = 0; i < n; i++) {
		spans[i] = (struct span){ pieces[i].from,
					  room(copy, pieces[i].length),
					  pieces[i].length };
		copy->used += pieces[i].length;
	}
	got = reader_spans(copy->memory, spans, n);
	/* The room of pieces that were not read is used again. */
	copy->slab = slab;
	copy->used = used;
	for (size_t i = 0; i < got; i++) {
		struct heap_piece piece = pieces[i];

		piece.bytes = room(copy, piece.length);
		copy->used += piece.length;
		copy->bytes += piece.length;
		vec_push(&copy->pieces, piece);
	}
	copy->sorted = false;
	return got < n ? got + 1 : got;
}

int
heap_copy_wanted(struct heap_copy *copy)
{
	struct heap_pieces missing = { 0 };
	uint64_t bytes = 0;
	size_t count;
	bool fits;

	vec_sort(&copy->wanted, compare_pieces);
	count = join_wanted(copy);
	for (size_t i = 0; i < count; i++)
		bytes += add_missing(copy, copy->wanted.at[i], &missing);
	vec_clear(&copy->wanted);
	fits = bytes <= BYTES_MOST - copy->bytes;
	for (size_t i = 0; fits && i < missing.list.count;)
		i += copy_some(copy, missing.list.at + i,
			       missing.list.count - i);
	vec_release(&missing.list);
	return fits ? 0 : -EFBIG;
}

int
heap_copied(int result, const struct binary *binary, const char *language,
	    struct err *err)
{
	if (result == -EFBIG)
		return err_set(err, result,
			       "%s: the heap of %s has more than 4 GiB, which "
			       "xtrace does not copy",
			       binary->label, language);
	return result < 0 ? err_set(err, -EAGAIN,
				    "%s: the heap of %s makes no sense",
				    binary->label, language)
			  : 0;
}
