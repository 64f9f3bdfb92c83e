/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The sums are those of mallinfo2(): the bytes of all rows are uordblks and
 * hblkhd less the blocks in caches of threads, which malloc() takes for blocks
 * in use. A row for the memory that arenas need for themselves makes up for the
 * difference between all chunks and all bytes.
 */
#include "heaps/glibc_malloc.h"

#include "heaps/glibc_chunks.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>

/* A chunk has a header, whose size includes it, and the last 8 bytes of the
 * block are those of the next chunk. */
#define CHUNK_BESIDE 8u
#define NAME_ROOM 80u

#define KEY_HEADERS 1000u
#define KEY_MMAPPED 1001u

static int
copy_heaps(struct glibc_arenas *arenas, struct heap_copy *copy)
{
	int r = heap_copy_need(copy, arenas->data,
			       arenas->data_end - arenas->data);

	for (size_t i = 0; i < arenas->heaps.count && r == 0; i++) {
		const struct glibc_heap *heap = &arenas->heaps.at[i];

		r = heap_copy_need(copy, heap->copied,
				   heap->end - heap->copied + 16);
	}
	return r;
}

static int
senseless(const struct binary *binary, const struct glibc_arenas *arenas,
	  struct err *err)
{
	return err_set(err, -EAGAIN, "%s: the heap of glibc makes no sense: %s",
		       binary->label, arenas->reason);
}

static int
copy_version(const char *version, struct binary *binary, struct heap_copy *copy,
	     struct err *err)
{
	struct glibc_arenas arenas;
	int r = glibc_arenas_find(&arenas, version, binary, copy->memory, err);

	if (r == -EAGAIN)
		r = senseless(binary, &arenas, err);
	else if (r == 0 || r == -EFBIG)
		r = heap_copied(r < 0 ? r : copy_heaps(&arenas, copy), binary,
				"glibc", err);
	glibc_arenas_release(&arenas);
	return r;
}

/* "malloc(25..40)": the bytes that a program asks for to get such a chunk. */
static void
class_name(char *name, size_t room, const char *prefix, unsigned class)
{
	uint64_t least, largest;

	glibc_class_sizes(class, &least, &largest);
	snprintf(name, room, "%smalloc(%" PRIu64 "..%" PRIu64 ")", prefix,
		 class == 0 ? 0 : least - CHUNK_BESIDE - 15,
		 largest - CHUNK_BESIDE);
}

static void
add_used(struct census *census, const struct glibc_tally *tally)
{
	for (unsigned i = 0; i < GLIBC_CLASSES; i++) {
		char name[NAME_ROOM];

		class_name(name, sizeof(name), "", i);
		census_count(census, census_add(census, i + 1, name),
			     tally->count[GLIBC_USED][i],
			     tally->bytes[GLIBC_USED][i]);
	}
}

static void
add_free(struct census *census, const struct glibc_arenas *arenas,
	 const struct glibc_tally *tally)
{
	static const char *const prefixes[GLIBC_USED] = {
		"thread cache: ", "fast bin: ",	 "unsorted: ",
		"small bin: ",	  "large bin: ",
	};
	uint64_t tops = 0, bytes = 0;

	for (unsigned list = 0; list < GLIBC_USED; list++)
		for (unsigned i = 0; i < GLIBC_CLASSES; i++) {
			char name[NAME_ROOM];

			class_name(name, sizeof(name), prefixes[list], i);
			census_add_free(census, name, tally->count[list][i],
					tally->bytes[list][i]);
		}
	for (size_t i = 0; i < arenas->arenas.count; i++) {
		tops += arenas->arenas.at[i].system > 0;
		bytes += arenas->arenas.at[i].top_size;
	}
	census_add_free(census, "top of an arena", tops, bytes);
}

static int
fill(struct census *census, const struct glibc_arenas *arenas,
     const struct glibc_tally *tally)
{
	uint64_t used = tally->all_bytes;

	for (size_t i = 0; i < arenas->arenas.count; i++)
		used += arenas->arenas.at[i].top_size;
	if (used > arenas->system)
		return -EAGAIN;
	add_used(census, tally);
	census_count(census,
		     census_add(census, KEY_MMAPPED, "malloc by mmap()"),
		     arenas->mmapped, arenas->mmap_bytes);
	census_count(census,
		     census_add(census, KEY_HEADERS, "(headers of arenas)"),
		     used == arenas->system ? 0 : arenas->heaps.count,
		     arenas->system - used);
	add_free(census, arenas, tally);
	census->mapped = arenas->system + arenas->mmap_bytes;
	census->pages = arenas->heaps.count;
	return 0;
}

static int
count_version(const char *version, struct binary *binary, struct reader *memory,
	      struct census *census, struct err *err)
{
	struct glibc_arenas arenas;
	struct glibc_tally *tally = xcalloc(1, sizeof(*tally));
	int r = glibc_arenas_find(&arenas, version, binary, memory, err);

	if (r == 0) {
		r = glibc_chunks(&arenas, memory, tally);
		if (r == 0)
			r = fill(census, &arenas, tally);
	}
	if (r == -EAGAIN)
		r = senseless(binary, &arenas, err);
	else if (r == -EFBIG)
		r = heap_copied(r, binary, "glibc", err);
	glibc_arenas_release(&arenas);
	free(tally);
	return r;
}

/* ---- versions --------------------------------------------------------------
 */

#define VERSION(name, text)                                                   \
	static int copy_##name(struct binary *binary, struct heap_copy *copy, \
			       struct err *err)                               \
	{                                                                     \
		return copy_version(text, binary, copy, err);                 \
	}                                                                     \
	static int count_##name(struct binary *binary, struct reader *memory, \
				struct census *census, struct err *err)       \
	{                                                                     \
		return count_version(text, binary, memory, census, err);      \
	}
VERSION(2_36, "2.36")
VERSION(2_41, "2.41")

const struct heap_language heap_natives[] = {
	{ "glibc 2.36", HEAP_HELD, copy_2_36, count_2_36 },
	{ "glibc 2.41", HEAP_HELD, copy_2_41, count_2_41 },
	{ 0 },
};
