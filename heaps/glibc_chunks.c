/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 *	chunk: 0 size of the chunk before, if that is free; 8 size, with flags
 *		in three bits: 1 the chunk before is in use, 4 of a thread
 *		arena; 16 the block, or links of a list
 *
 * A chunk that is free has its size in the next chunk, and is in one of the 127
 * double-linked bins of its arena. A chunk in a fast bin or in the cache of a
 * thread looks like one in use. These lists have one link each, which is mixed
 * with its own address (PROTECT_PTR).
 *
 *	cache (a chunk of 656 bytes): 0 how many chunks each of the 64 lists has
 *		(16 bits each), 128 the first block of each list
 *	block in a cache: 0 link, 8 a random number that all of them have
 *
 * Nothing tells where the caches are, but a chunk that is not a cache does not
 * have 64 such lists. A thread may have been stopped while it changes its
 * cache: then one list is not right, and the heap has to be copied again.
 *
 * Each chunk must be in one list at most, and each free chunk in one.
 */
#include "heaps/glibc_chunks.h"

#include "heaps/words.h"

#include <errno.h>
#include <stdlib.h>

#define CHUNK_HEAD 16u
#define CHUNK_SIZE 8
#define CHUNK_NEXT 16
#define CHUNK_BEFORE 24
#define CHUNK_READ 32u
#define CHUNK_LEAST 32u

#define FLAG_BEFORE_USED 1u
#define FLAG_MMAPPED 2u
#define FLAG_THREAD 4u
#define FLAGS UINT64_C(7)

#define STATE_FAST 16
#define STATE_TOP 96
#define STATE_BINS 112
#define FAST_BINS 10u
#define BINS 127u
#define SMALL_BINS 63u /* and the unsorted bin */

#define CACHE_CHUNK 656u
#define CACHE_SIZE 640u
#define CACHE_LISTS 64u
#define CACHE_FIRST 128
/* Blocks that are looked at in vain, in lists of chunks that are no caches. */
#define VAIN_MOST (UINT64_C(1) << 24)

struct chunks {
	struct glibc_arenas *arenas;
	struct reader *memory;
	struct glibc_tally *tally;
	vec_of(addr_t) maybe_caches;
	uint64_t free, linked; /* chunks that are free; those in bins */
	uint64_t key;	       /* the random number, or 0 */
	uint64_t vain;	       /* blocks looked at in chunks without a cache */
};

static int
torn(struct chunks *chunks, const char *reason)
{
	chunks->arenas->reason = reason;
	return -EAGAIN;
}

/* ---- classes ---------------------------------------------------------------
 */

void
glibc_class_sizes(unsigned class, uint64_t *ret_least, uint64_t *ret_largest)
{
	if (class < GLIBC_CLASSES_EXACT) {
		*ret_least = CHUNK_LEAST + 16 * (uint64_t) class;
		*ret_largest = *ret_least;
		return;
	}
	*ret_largest = UINT64_C(2048) << (class - GLIBC_CLASSES_EXACT);
	*ret_least =
		class == GLIBC_CLASSES_EXACT ? 1056 : *ret_largest / 2 + 16;
}

static void
count(struct chunks *chunks, enum glibc_list list, uint64_t size)
{
	unsigned class = (unsigned)(size - CHUNK_LEAST) / 16;

	if (size > CHUNK_LEAST + 16 * (GLIBC_CLASSES_EXACT - 1)) {
		class = GLIBC_CLASSES_EXACT;
		while (class < GLIBC_CLASSES - 1 &&
		       UINT64_C(2048) << (class - GLIBC_CLASSES_EXACT) < size)
			class ++;
	}
	chunks->tally->count[list][class]++;
	chunks->tally->bytes[list][class] += size;
}

/* ---- maps ------------------------------------------------------------------
 */

static bool
bit(const uint8_t *map, size_t at)
{
	return map[at / 8] & 1u << at % 8;
}

static void
set_bit(uint8_t *map, size_t at)
{
	map[at / 8] |= (uint8_t)(1u << at % 8);
}

static struct glibc_heap *
heap_of(struct chunks *chunks, addr_t at)
{
	struct glibc_heap *heaps = chunks->arenas->heaps.at;
	size_t low = 0, high = chunks->arenas->heaps.count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (heaps[middle].begin <= at)
			low = middle + 1;
		else
			high = middle;
	}
	return low > 0 && at < heaps[low - 1].end ? &heaps[low - 1] : NULL;
}

/* Is this a chunk that is in no list yet? Then it is put into one. used: it
 * must look as if it were in use, or must not. arena: whose chunk it must be,
 * or -1. mark: put it into the list. */
struct chunk_wanted {
	bool used, mark;
	long arena;
};

static bool
list_chunk(struct chunks *chunks, addr_t at, const struct chunk_wanted *wanted)
{
	struct glibc_heap *heap = at % 16 == 0 ? heap_of(chunks, at) : NULL;
	size_t place;

	if (!heap ||
	    (wanted->arena >= 0 && heap->arena != (size_t)wanted->arena))
		return false;
	place = (at - heap->begin) / 16;
	if (!bit(heap->starts, place) || bit(heap->listed, place) ||
	    bit(heap->used, place) != wanted->used)
		return false;
	if (wanted->mark)
		set_bit(heap->listed, place);
	return true;
}

/* Reads the size of a chunk, its flags and its links. */
static int
read_chunk(struct chunks *chunks, addr_t at, uint8_t chunk[CHUNK_READ],
	   uint64_t *ret_size)
{
	if (reader_read(chunks->memory, at, chunk, CHUNK_READ) < 0)
		return -EAGAIN;
	*ret_size = word64(chunk, CHUNK_SIZE) & ~FLAGS;
	return 0;
}

/* ---- chunks of a heap ------------------------------------------------------
 */

static void
make_maps(struct glibc_heap *heap)
{
	size_t bytes = (heap->end - heap->begin) / 128 + 1;

	heap->starts = xcalloc(bytes, 1);
	heap->used = xcalloc(bytes, 1);
	heap->listed = xcalloc(bytes, 1);
}

/* A heap that is full ends with one or two headers that are no chunks of a
 * program. */
static bool
is_end(const struct glibc_heap *heap, addr_t at, uint64_t size, uint64_t head)
{
	return !heap->last && at + size == heap->end &&
	       (size == CHUNK_HEAD || size == CHUNK_LEAST) &&
	       !(head & FLAG_THREAD);
}

static bool
is_size(const struct glibc_heap *heap, addr_t at, uint64_t head)
{
	uint64_t size = head & ~FLAGS;

	return size % 16 == 0 && size <= heap->end - at &&
	       !(head & FLAG_MMAPPED) &&
	       (size >= CHUNK_LEAST || is_end(heap, at, size, head));
}

/* Notes the chunk at that address. next: the header of the next chunk. */
static bool
note_chunk(struct chunks *chunks, struct glibc_heap *heap, addr_t at,
	   uint64_t head, const uint8_t *next)
{
	uint64_t size = head & ~FLAGS;
	size_t place = (at - heap->begin) / 16;
	bool used = word64(next, CHUNK_SIZE) & FLAG_BEFORE_USED;

	if (used && is_end(heap, at, size, head))
		return true;
	if (size < CHUNK_LEAST || (!used && word64(next, 0) != size))
		return false;
	set_bit(heap->starts, place);
	if (used)
		set_bit(heap->used, place);
	else
		chunks->free++;
	if (used && size == CACHE_CHUNK)
		vec_push(&chunks->maybe_caches, at);
	return true;
}

static int
walk_heap(struct chunks *chunks, struct glibc_heap *heap)
{
	addr_t at = heap->begin;
	uint8_t next[CHUNK_HEAD];
	uint64_t head;

	make_maps(heap);
	if (reader_u64(chunks->memory, at + CHUNK_SIZE, &head) < 0)
		return torn(chunks, "a heap cannot be read");
	while (at < heap->end) {
		uint64_t size = head & ~FLAGS;

		if (!is_size(heap, at, head) ||
		    reader_read(chunks->memory, at + size, next, sizeof(next)) <
			    0 ||
		    !note_chunk(chunks, heap, at, head, next))
			return torn(chunks, "a chunk has no right size");
		at += size;
		head = word64(next, CHUNK_SIZE);
	}
	if (!heap->last && (head & ~FLAGS) != 0)
		return torn(chunks, "a heap has no right end");
	return 0;
}

/* ---- bins ------------------------------------------------------------------
 */

/* Counts the chunks of bin i, from 0. */
static int
walk_bin(struct chunks *chunks, size_t arena, unsigned i)
{
	const struct glibc_arena *of = &chunks->arenas->arenas.at[arena];
	const struct chunk_wanted wanted = { false, true, (long)arena };
	addr_t head = of->at + STATE_TOP + i * 16, before = head;
	addr_t at = word64(of->state, STATE_BINS + i * 16);
	enum glibc_list list = i == 0		? GLIBC_UNSORTED
			       : i < SMALL_BINS ? GLIBC_SMALL
						: GLIBC_LARGE;

	while (at != head) {
		uint8_t chunk[CHUNK_READ];
		uint64_t size;

		if (!list_chunk(chunks, at, &wanted) ||
		    read_chunk(chunks, at, chunk, &size) < 0 ||
		    word64(chunk, CHUNK_BEFORE) != before ||
		    (list == GLIBC_SMALL && size != (i + 1) * 16))
			return torn(chunks, "a list of free chunks is damaged");
		count(chunks, list, size);
		chunks->linked++;
		before = at;
		at = word64(chunk, CHUNK_NEXT);
	}
	return word64(of->state, STATE_BINS + 8 + i * 16) == before
		       ? 0
		       : torn(chunks, "a list of free chunks is damaged");
}

static int
walk_fast_bin(struct chunks *chunks, size_t arena, unsigned i)
{
	const struct chunk_wanted wanted = { true, true, (long)arena };
	addr_t at = word64(chunks->arenas->arenas.at[arena].state,
			   STATE_FAST + i * 8);

	while (at != 0) {
		uint8_t chunk[CHUNK_READ];
		uint64_t size;

		if (!list_chunk(chunks, at, &wanted) ||
		    read_chunk(chunks, at, chunk, &size) < 0 ||
		    size != CHUNK_LEAST + i * 16)
			return torn(chunks, "a fast bin is damaged");
		count(chunks, GLIBC_FAST, size);
		at = word64(chunk, CHUNK_NEXT) ^ (at + CHUNK_NEXT) >> 12;
	}
	return 0;
}

static int
walk_arena(struct chunks *chunks, size_t arena)
{
	int r = 0;

	for (unsigned i = 0; i < BINS && r == 0; i++)
		r = walk_bin(chunks, arena, i);
	for (unsigned i = 0; i < FAST_BINS && r == 0; i++)
		r = walk_fast_bin(chunks, arena, i);
	return r;
}

/* ---- caches ----------------------------------------------------------------
 */

/* What a chunk that may be a cache has. */
struct cache {
	uint8_t bytes[CACHE_SIZE];
	unsigned lists;	 /* lists whose first block is right */
	unsigned wrong;	 /* lists that are not right */
	uint64_t blocks; /* in all lists that were looked at */
	uint64_t key;	 /* the random number of the blocks */
};

static unsigned
blocks_said(const struct cache *cache, unsigned i)
{
	return cache->bytes[i * 2] | (unsigned)cache->bytes[i * 2 + 1] << 8;
}

/* Is there a block of list i at that address? Sets *ret_next to the next. */
static bool
is_block(struct chunks *chunks, struct cache *cache, unsigned i, addr_t at,
	 addr_t *ret_next)
{
	const struct chunk_wanted wanted = { true, false, -1 };
	uint8_t chunk[CHUNK_READ];
	uint64_t size;

	if (!list_chunk(chunks, at - CHUNK_HEAD, &wanted) ||
	    read_chunk(chunks, at - CHUNK_HEAD, chunk, &size) < 0 ||
	    size != CHUNK_LEAST + i * 16)
		return false;
	if (cache->key == 0)
		cache->key = word64(chunk, CHUNK_BEFORE);
	*ret_next = word64(chunk, CHUNK_NEXT) ^ at >> 12;
	return word64(chunk, CHUNK_BEFORE) == cache->key;
}

static void
check_list(struct chunks *chunks, struct cache *cache, unsigned i)
{
	addr_t at = word64(cache->bytes, CACHE_FIRST + i * 8), next;
	unsigned said = blocks_said(cache, i), blocks = 0;
	bool possible = said <= chunks->arenas->cached_most;
	unsigned most = possible ? said : 0;

	while (at && blocks <= most && is_block(chunks, cache, i, at, &next)) {
		at = next;
		blocks++;
	}
	cache->lists += blocks > 0;
	cache->blocks += blocks;
	if (at || blocks != said || !possible)
		cache->wrong++;
}

static int
take_list(struct chunks *chunks, struct cache *cache, unsigned i)
{
	const struct chunk_wanted wanted = { true, true, -1 };
	addr_t at = word64(cache->bytes, CACHE_FIRST + i * 8), next;

	while (at) {
		if (!is_block(chunks, cache, i, at, &next) ||
		    !list_chunk(chunks, at - CHUNK_HEAD, &wanted))
			return torn(chunks, "a thread's cache is damaged");
		count(chunks, GLIBC_TCACHE, CHUNK_LEAST + i * 16);
		at = next;
	}
	return 0;
}

/* Random bytes are hardly ever an address or a small number. */
static bool
looks_random(uint64_t word)
{
	return word >> 48 != 0 && word >> 48 != 0xffff;
}

/* The chunk is no cache. A program can have many chunks that nearly are one,
 * with the same long lists. */
static int
no_cache(struct chunks *chunks, const struct cache *cache)
{
	chunks->vain += cache->blocks;
	return chunks->vain <= VAIN_MOST
		       ? 0
		       : torn(chunks, "too many blocks look like caches");
}

/* Takes the blocks in the cache, if the chunk at that address is one. */
static int
try_cache(struct chunks *chunks, addr_t at)
{
	struct cache cache = { .key = chunks->key };
	int r = 0;

	if (reader_read(chunks->memory, at + CHUNK_HEAD, cache.bytes,
			sizeof(cache.bytes)) < 0)
		return torn(chunks, "a heap cannot be read");
	for (unsigned i = 0; i < CACHE_LISTS && cache.wrong <= 1; i++)
		check_list(chunks, &cache, i);
	if (cache.lists == 0 || cache.wrong > 1)
		return no_cache(chunks, &cache);
	if (cache.wrong == 1)
		return looks_random(cache.key)
			       ? torn(chunks, "a thread changes its cache")
			       : no_cache(chunks, &cache);
	chunks->key = cache.key;
	for (unsigned i = 0; i < CACHE_LISTS && r == 0; i++)
		r = take_list(chunks, &cache, i);
	return r;
}

/* ---- the whole -------------------------------------------------------------
 */

/* Counts the chunks that are in use. */
static int
count_used(struct chunks *chunks, const struct glibc_heap *heap)
{
	addr_t at = heap->begin;

	while (at < heap->end) {
		size_t place = (at - heap->begin) / 16;
		uint64_t size;

		if (reader_u64(chunks->memory, at + CHUNK_SIZE, &size) < 0)
			return torn(chunks, "a heap cannot be read");
		size &= ~FLAGS;
		if (bit(heap->starts, place)) {
			chunks->tally->all_bytes += size;
			if (!bit(heap->listed, place))
				count(chunks, GLIBC_USED, size);
		}
		at += size;
	}
	return 0;
}

static int
walk(struct chunks *chunks)
{
	struct glibc_arenas *arenas = chunks->arenas;
	int r = 0;

	for (size_t i = 0; i < arenas->heaps.count && r == 0; i++)
		r = walk_heap(chunks, &arenas->heaps.at[i]);
	for (size_t i = 0; i < arenas->arenas.count && r == 0; i++)
		if (arenas->arenas.at[i].system > 0)
			r = walk_arena(chunks, i);
	if (r == 0 && chunks->linked != chunks->free)
		r = torn(chunks, "a free chunk is in no list");
	for (size_t i = 0; i < chunks->maybe_caches.count && r == 0; i++)
		r = try_cache(chunks, chunks->maybe_caches.at[i]);
	for (size_t i = 0; i < arenas->heaps.count && r == 0; i++)
		r = count_used(chunks, &arenas->heaps.at[i]);
	return r;
}

int
glibc_chunks(struct glibc_arenas *arenas, struct reader *memory,
	     struct glibc_tally *tally)
{
	struct chunks chunks = { .arenas = arenas,
				 .memory = memory,
				 .tally = tally };
	int r;

	*tally = (struct glibc_tally){ 0 };
	r = walk(&chunks);
	vec_release(&chunks.maybe_caches);
	return r;
}
