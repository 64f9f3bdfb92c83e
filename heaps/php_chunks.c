/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The heap (struct _zend_mm_heap) lies in its first chunk:
 *
 *	  0	int: not 0 if another allocator is used
 *	 16	bytes in use
 *	 32	the first free block of each of 30 sizes
 *	272	bytes that the system gave
 *	320	list of huge blocks { address, size, next }
 *	328	the first chunk
 *	344	number of chunks, 32 bits
 *
 * and a chunk begins with its first page:
 *
 *	  0	the heap
 *	  8	the next chunk; the last one leads to the first
 *	 28	the first page of the free ones at the end, 32 bits
 *	480	a bit for each page: it is in use
 *	544	32 bits for each page, which for the first page of a run are
 *
 *	31 30	29 .. 16	      9 .. 0
 *	 0  1			      pages of a large block
 *	 1  0			      size of its small blocks
 *	 1  1	 pages before it      the same, for further pages of that run
 *
 * A free block begins with the address of the next one.
 */
#include "heaps/php_chunks.h"

#include "base/xmalloc.h"
#include "heaps/words.h"

#include <errno.h>
#include <stdlib.h>

#define CHUNK_SIZE (UINT64_C(2) << 20)
#define PAGE_SIZE 4096u
#define PAGES 512u
#define CHUNKS_MOST 2048u

#define HEAP_CUSTOM 0
#define HEAP_SIZE 16
#define HEAP_FREE 32
#define HEAP_MAPPED 272
#define HEAP_HUGE 320
#define HEAP_FIRST 328
#define HEAP_CHUNKS 344
#define HEAP_READ 352

#define CHUNK_HEAP 0
#define CHUNK_NEXT 8
#define CHUNK_TAIL 28
#define CHUNK_USED 480
#define CHUNK_MAP 544

#define RUN_LARGE 0x40000000u
#define RUN_SMALL 0x80000000u
#define RUN_INNER 0xc0000000u
#define RUN_KIND 0xc0000000u
#define RUN_BIN 0x1fu
#define RUN_PAGES 0x3ffu
#define RUN_BEFORE(info) ((info) >> 16 & 0x1ffu)

#define HUGE_SIZE 8
#define HUGE_NEXT 16
#define HUGE_READ 24
#define HUGE_LEAST (CHUNK_SIZE - PAGE_SIZE)
#define HUGES_MOST 65536u
/* How many bytes of a huge block are copied: at its beginning they are enough
 * to tell what the block contains, and have the beginning of a string. A string
 * ends within the last bytes. */
#define HUGE_HEAD 96u
#define HUGE_TAIL (PAGE_SIZE + 16)

/* The sizes of small blocks, and how many pages a run of each has
 * (Zend/zend_alloc_sizes.h). */
static const struct {
	uint16_t size, pages;
} bins[] = {
	{ 8, 1 },    { 16, 1 },	  { 24, 1 },   { 32, 1 },   { 40, 1 },
	{ 48, 1 },   { 56, 1 },	  { 64, 1 },   { 80, 1 },   { 96, 1 },
	{ 112, 1 },  { 128, 1 },  { 160, 1 },  { 192, 1 },  { 224, 1 },
	{ 256, 1 },  { 320, 5 },  { 384, 3 },  { 448, 1 },  { 512, 1 },
	{ 640, 5 },  { 768, 3 },  { 896, 2 },  { 1024, 2 }, { 1280, 5 },
	{ 1536, 3 }, { 1792, 7 }, { 2048, 4 }, { 2560, 5 }, { 3072, 3 },
};

#define BIN_LARGE array_size(bins)

/* A run of pages, stored at its first page. */
struct php_run {
	/* for each page of the run, the number of its first page; 0 if free */
	uint16_t start;
	uint16_t pages;
	uint16_t bin;
};

struct php_chunk {
	addr_t at;
	struct php_run runs[PAGES];
	/* A bit for each 8 bytes: a small block that is free or was taken
	 * begins here. */
	uint64_t gone[CHUNK_SIZE / 8 / 64];
};

uint64_t
php_block_for(uint64_t size)
{
	for (size_t i = 0; i < array_size(bins); i++)
		if (size <= bins[i].size)
			return bins[i].size;
	return addr_whole_pages(size);
}

/* ---- copying ---------------------------------------------------------------
 */

/* Copies the chunk up to its free tail. */
static int
copy_chunk(struct heap_copy *copy, addr_t at, addr_t heap, addr_t *ret_next)
{
	uint8_t head[CHUNK_TAIL + 4];
	uint32_t tail;
	int r = reader_read(copy->memory, at, head, sizeof(head));

	if (r < 0)
		return r;
	tail = word32(head, CHUNK_TAIL);
	if (at % CHUNK_SIZE != 0 || word64(head, CHUNK_HEAP) != heap ||
	    tail == 0 || tail > PAGES)
		return -EIO;
	*ret_next = word64(head, CHUNK_NEXT);
	return heap_copy_add(copy, at, (size_t)tail * PAGE_SIZE);
}

/* Reads the huge block whose description is at *at, and sets *at to the next
 * one. */
static int
read_huge(struct reader *memory, addr_t *at, struct php_huge *ret_huge)
{
	uint8_t node[HUGE_READ];
	struct php_huge huge = { 0 };
	int r = reader_read(memory, *at, node, sizeof(node));

	if (r < 0)
		return r;
	huge.at = word64(node, 0);
	huge.size = word64(node, HUGE_SIZE);
	if (huge.size < HUGE_LEAST || huge.at + huge.size < huge.at)
		return -EIO;
	*at = word64(node, HUGE_NEXT);
	*ret_huge = huge;
	return 0;
}

/* Calls visit() for each huge block, until it returns an error. */
static int
walk_huges(struct heap_copy *copy, addr_t at,
	   int (*visit)(struct heap_copy *copy, const struct php_huge *huge))
{
	struct php_huge huge;
	int r = 0;

	for (unsigned i = 0; at != 0 && r == 0; i++) {
		r = i < HUGES_MOST ? read_huge(&copy->reader, &at, &huge)
				   : -EIO;
		if (r == 0)
			r = visit(copy, &huge);
	}
	return r;
}

static int
want_huge(struct heap_copy *copy, const struct php_huge *huge)
{
	heap_copy_want(copy, huge->at, HUGE_HEAD);
	heap_copy_want(copy, huge->at + huge->size - HUGE_TAIL, HUGE_TAIL);
	return 0;
}

static int
need_huge(struct heap_copy *copy, const struct php_huge *huge)
{
	return heap_copy_need(copy, huge->at, HUGE_HEAD);
}

/* Copies all blocks together: if one is added between two reads of the list,
 * the copy is sorted each time. Then looks whether their beginnings could be
 * read. */
static int
copy_huges(struct heap_copy *copy, addr_t at)
{
	int r = walk_huges(copy, at, want_huge);

	if (r == 0)
		r = heap_copy_wanted(copy);
	return r == 0 ? walk_huges(copy, at, need_huge) : r;
}

int
php_chunks_copy(struct heap_copy *copy, addr_t heap)
{
	uint8_t head[HEAP_READ];
	uint32_t count;
	addr_t first, at;
	int r = reader_read(copy->memory, heap, head, sizeof(head));

	if (r < 0)
		return r;
	count = word32(head, HEAP_CHUNKS);
	first = word64(head, HEAP_FIRST);
	if (count > CHUNKS_MOST)
		return -EFBIG;
	at = first;
	for (uint32_t i = 0; i < count && r == 0; i++) {
		if (i > 0 && at == first)
			return -EIO;
		r = copy_chunk(copy, at, heap, &at);
	}
	if (r == 0 && at != first)
		r = -EIO;
	return r < 0 ? r : copy_huges(copy, word64(head, HEAP_HUGE));
}

/* ---- chunks ----------------------------------------------------------------
 */

/* Reads the run that begins at the page. Returns its pages, or 0. */
static unsigned
read_run(struct php_chunk *chunk, const uint8_t *head, unsigned page)
{
	uint32_t info = word32(head, CHUNK_MAP + 4 * (size_t)page);
	struct php_run run = { .start = (uint16_t)page };

	if ((info & RUN_KIND) == RUN_LARGE) {
		run.bin = BIN_LARGE;
		run.pages = info & RUN_PAGES;
	} else if ((info & RUN_KIND) == RUN_SMALL &&
		   (info & RUN_BIN) < array_size(bins)) {
		run.bin = info & RUN_BIN;
		run.pages = bins[run.bin].pages;
	}
	if (run.pages == 0 || page + run.pages > PAGES)
		return 0;
	for (unsigned i = 0; i < run.pages; i++) {
		unsigned at = page + i;
		uint32_t inner = word32(head, CHUNK_MAP + 4 * (size_t)at);

		if (!(head[CHUNK_USED + at / 8] & 1 << at % 8))
			return 0;
		if (i > 0 && run.bin != BIN_LARGE &&
		    ((inner & RUN_KIND) != RUN_INNER ||
		     (inner & RUN_BIN) != run.bin || RUN_BEFORE(inner) != i))
			return 0;
		chunk->runs[at] = run;
	}
	return run.pages;
}

static unsigned
blocks_in(const struct php_run *run)
{
	return run->bin == BIN_LARGE
		       ? 1
		       : run->pages * PAGE_SIZE / bins[run->bin].size;
}

static uint64_t
size_in(const struct php_run *run)
{
	return run->bin == BIN_LARGE ? (uint64_t)run->pages * PAGE_SIZE
				     : bins[run->bin].size;
}

/* Reads the chunk's first page. The page itself is a run of its own, and no
 * block. */
static int
read_chunk(struct php_chunks *chunks, struct reader *memory, addr_t at,
	   addr_t heap, addr_t *ret_next)
{
	uint8_t head[PAGE_SIZE];
	struct php_chunk *chunk;
	unsigned page = 1;

	if (at % CHUNK_SIZE != 0 ||
	    reader_read(memory, at, head, sizeof(head)) < 0 ||
	    word64(head, CHUNK_HEAP) != heap ||
	    word32(head, CHUNK_MAP) != (RUN_LARGE | 1))
		return -EIO;
	chunk = xcalloc(1, sizeof(*chunk));
	chunk->at = at;
	vec_push(&chunks->chunks, chunk);
	while (page < PAGES) {
		unsigned pages = 1;

		if (head[CHUNK_USED + page / 8] & 1 << page % 8) {
			pages = read_run(chunk, head, page);
			if (pages == 0)
				return -EIO;
			chunks->size += blocks_in(&chunk->runs[page]) *
					size_in(&chunk->runs[page]);
		}
		page += pages;
	}
	*ret_next = word64(head, CHUNK_NEXT);
	return 0;
}

static int
compare_chunks(const void *one, const void *other)
{
	const struct php_chunk *a = *(struct php_chunk *const *)one;
	const struct php_chunk *b = *(struct php_chunk *const *)other;

	return a->at < b->at ? -1 : a->at > b->at;
}

static struct php_chunk *
chunk_at(const struct php_chunks *chunks, addr_t at)
{
	addr_t start = at & ~(CHUNK_SIZE - 1);
	size_t low = 0, high = chunks->chunks.count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (chunks->chunks.at[middle]->at < start)
			low = middle + 1;
		else
			high = middle;
	}
	return low < chunks->chunks.count && chunks->chunks.at[low]->at == start
		       ? chunks->chunks.at[low]
		       : NULL;
}

static int
read_chunks(struct php_chunks *chunks, struct reader *memory, addr_t heap,
	    const uint8_t *head)
{
	uint32_t count = word32(head, HEAP_CHUNKS);
	addr_t at = word64(head, HEAP_FIRST);

	if (count > CHUNKS_MOST)
		return -EIO;
	for (uint32_t i = 0; i < count; i++) {
		if (read_chunk(chunks, memory, at, heap, &at) < 0)
			return -EIO;
	}
	vec_sort(&chunks->chunks, compare_chunks);
	for (size_t i = 1; i < chunks->chunks.count; i++)
		if (chunks->chunks.at[i - 1]->at == chunks->chunks.at[i]->at)
			return -EIO;
	return at == word64(head, HEAP_FIRST) ? 0 : -EIO;
}

/* ---- blocks ----------------------------------------------------------------
 */

static bool
is_gone(const struct php_chunk *chunk, addr_t block)
{
	unsigned unit = (unsigned)((block - chunk->at) / 8);

	return chunk->gone[unit / 64] >> unit % 64 & 1;
}

static void
set_gone(struct php_chunk *chunk, addr_t block)
{
	unsigned unit = (unsigned)((block - chunk->at) / 8);

	chunk->gone[unit / 64] |= UINT64_C(1) << unit % 64;
}

/* The block of a chunk that contains the address, in use or not. */
static struct php_chunk *
find_block(const struct php_chunks *chunks, addr_t at,
	   struct php_block *ret_block, unsigned *ret_bin)
{
	struct php_chunk *chunk = chunk_at(chunks, at);
	const struct php_run *run;
	addr_t start;
	uint64_t number;

	if (!chunk)
		return NULL;
	run = &chunk->runs[(at - chunk->at) / PAGE_SIZE];
	if (run->start == 0)
		return NULL;
	start = chunk->at + (addr_t)run->start * PAGE_SIZE;
	number = (at - start) / size_in(run);
	if (number >= blocks_in(run))
		return NULL;
	*ret_block = (struct php_block){ start + number * size_in(run),
					 size_in(run) };
	*ret_bin = run->bin;
	return chunk;
}

/* Marks the free blocks of a size. A block that is found twice ends a list
 * that is a cycle. */
static int
read_free(struct php_chunks *chunks, struct reader *memory, addr_t next,
	  unsigned wanted)
{
	while (next != 0) {
		struct php_block block;
		struct php_chunk *chunk;
		unsigned bin;

		chunk = find_block(chunks, next, &block, &bin);
		if (!chunk || bin != wanted || block.at != next ||
		    is_gone(chunk, next) || reader_u64(memory, next, &next) < 0)
			return -EIO;
		set_gone(chunk, block.at);
		chunks->size -= block.size;
	}
	return 0;
}

static int
compare_huges(const void *one, const void *other)
{
	const struct php_huge *a = one, *b = other;

	return a->at < b->at ? -1 : a->at > b->at;
}

static int
read_huges(struct php_chunks *chunks, struct reader *memory, addr_t at)
{
	while (at != 0) {
		struct php_huge huge;

		if (chunks->huge.count == HUGES_MOST ||
		    read_huge(memory, &at, &huge) < 0)
			return -EIO;
		chunks->size += huge.size;
		vec_push(&chunks->huge, huge);
	}
	vec_sort(&chunks->huge, compare_huges);
	return 0;
}

int
php_chunks_read(struct php_chunks *chunks, struct reader *memory, addr_t heap)
{
	uint8_t head[HEAP_READ];

	*chunks = (struct php_chunks){ 0 };
	if (reader_read(memory, heap, head, sizeof(head)) < 0 ||
	    word32(head, HEAP_CUSTOM) != 0 ||
	    read_chunks(chunks, memory, heap, head) < 0)
		return -EIO;
	for (unsigned bin = 0; bin < array_size(bins); bin++)
		if (read_free(chunks, memory,
			      word64(head, HEAP_FREE + 8 * (size_t)bin),
			      bin) < 0)
			return -EIO;
	if (read_huges(chunks, memory, word64(head, HEAP_HUGE)) < 0)
		return -EIO;
	chunks->mapped = word64(head, HEAP_MAPPED);
	return chunks->size == word64(head, HEAP_SIZE) ? 0 : -EIO;
}

void
php_chunks_release(struct php_chunks *chunks)
{
	for (size_t i = 0; i < chunks->chunks.count; i++)
		free(chunks->chunks.at[i]);
	vec_release(&chunks->chunks);
	vec_release(&chunks->huge);
}

/* The free bytes of the run, or 0 if the whole run is free. */
static uint64_t
free_in_run(const struct php_chunk *chunk, unsigned page)
{
	const struct php_run *run = &chunk->runs[page];
	addr_t start = chunk->at + (addr_t)page * PAGE_SIZE;
	uint64_t used = 0;

	for (unsigned i = 0; i < blocks_in(run); i++)
		used += !is_gone(chunk, start + i * size_in(run));
	return used > 0 ? (uint64_t)run->pages * PAGE_SIZE - used * size_in(run)
			: 0;
}

uint64_t
php_chunks_fragmented(const struct php_chunks *chunks)
{
	uint64_t bytes = 0;

	for (size_t i = 0; i < chunks->chunks.count; i++)
		for (unsigned page = 1; page < PAGES; page++)
			if (chunks->chunks.at[i]->runs[page].start == page)
				bytes +=
					free_in_run(chunks->chunks.at[i], page);
	return bytes;
}

/* The huge block that contains the address, or NULL. */
static struct php_huge *
huge_at(const struct php_chunks *chunks, addr_t at)
{
	size_t low = 0, high = chunks->huge.count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (chunks->huge.at[middle].at <= at)
			low = middle + 1;
		else
			high = middle;
	}
	return low > 0 && at - chunks->huge.at[low - 1].at <
				       chunks->huge.at[low - 1].size
		       ? &chunks->huge.at[low - 1]
		       : NULL;
}

bool
php_chunks_take(struct php_chunks *chunks, addr_t at,
		struct php_block *ret_block)
{
	struct php_chunk *chunk;
	struct php_block block;
	struct php_huge *huge;
	unsigned bin;

	chunk = find_block(chunks, at, &block, &bin);
	if (chunk && is_gone(chunk, block.at))
		return false;
	if (chunk) {
		set_gone(chunk, block.at);
		*ret_block = block;
		return true;
	}
	huge = huge_at(chunks, at);
	if (!huge || huge->taken)
		return false;
	huge->taken = true;
	*ret_block = (struct php_block){ huge->at, huge->size };
	return true;
}

static bool
next_huge(const struct php_chunks *chunks, struct php_cursor *cursor,
	  struct php_block *ret_block)
{
	while (cursor->huge < chunks->huge.count) {
		const struct php_huge *huge = &chunks->huge.at[cursor->huge++];

		if (huge->taken)
			continue;
		*ret_block = (struct php_block){ huge->at, huge->size };
		return true;
	}
	return false;
}

/* The next block of the page's run. */
static bool
next_in_run(const struct php_chunk *chunk, struct php_cursor *cursor,
	    struct php_block *ret_block)
{
	const struct php_run *run = &chunk->runs[cursor->page];

	while (run->start == cursor->page && cursor->page > 0 &&
	       cursor->block < blocks_in(run)) {
		addr_t at = chunk->at + (addr_t)cursor->page * PAGE_SIZE +
			    cursor->block++ * size_in(run);

		if (is_gone(chunk, at))
			continue;
		*ret_block = (struct php_block){ at, size_in(run) };
		return true;
	}
	return false;
}

bool
php_chunks_next(const struct php_chunks *chunks, struct php_cursor *cursor,
		struct php_block *ret_block)
{
	for (; cursor->chunk < chunks->chunks.count; cursor->chunk++) {
		const struct php_chunk *chunk =
			chunks->chunks.at[cursor->chunk];

		for (; cursor->page < PAGES; cursor->page++) {
			if (next_in_run(chunk, cursor, ret_block))
				return true;
			cursor->block = 0;
		}
		cursor->page = 0;
	}
	return next_huge(chunks, cursor, ret_block);
}
