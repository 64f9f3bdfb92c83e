/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * No symbol leads to the arenas, but the main arena (struct malloc_state in
 * malloc/malloc.c) is in the data of libc, and can be recognized: its 127 bins
 * are heads of double-linked lists, and the head of an empty list has its own
 * address in it twice. The parameters (struct malloc_par) have a fixed number
 * of bins for caches. There has to be one of each in the data.
 *
 *	malloc_state: 0 lock, 4 flags, 16 ten fast bins, 96 top chunk, 112 bins
 *		{ first, last }, 2160 next arena, 2184 bytes, 2192 most bytes
 *	malloc_par: 56 flags of huge pages, 48 their size, 60 blocks by mmap()
 *		(32 bits), 64 the most (65536), 68 the most there were, 80 their
 *		bytes, 88 the most, 96 where brk() began, 104 bins of a cache,
 *		112 the largest block in one, 120 chunks in a bin (7)
 *
 * The main arena is one heap between the first brk() and the top chunk. A
 * thread arena is in its first heap, and a heap begins at a multiple of 64 MiB:
 *
 *	heap: 0 arena, 8 the heap before, 16 size; then the arena, if it is the
 *		first one; then the chunks
 *
 * The bytes of the heaps have to be as many as the arena has counted.
 */
#include "heaps/glibc_arenas.h"

#include "arch/code.h"
#include "base/attr.h"
#include "heaps/words.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define VERSION_ROOM 32u

#define STATE_LOCK 0
#define STATE_FLAGS 4
#define STATE_TOP 96
#define STATE_BINS 112
#define STATE_NEXT 2160
#define STATE_ATTACHED 2176
#define STATE_SYSTEM 2184
#define STATE_SYSTEM_MOST 2192
#define NOT_CONTIGUOUS 2u

#define BINS 127u
#define BINS_EMPTY_LEAST 2u

#define PAR_HUGE 48
#define PAR_MMAPPED 60
#define PAR_MMAPPED_LIMIT 64
#define PAR_MMAPPED_MOST 68
#define PAR_MMAP_BYTES 80
#define PAR_MMAP_BYTES_MOST 88
#define PAR_BRK 96
#define PAR_CACHE_BINS 104
#define PAR_CACHE_LARGEST 112
#define PAR_CACHED_MOST 120
#define PAR_SIZE 136u
#define MMAPPED_LIMIT 65536u
#define CACHE_BINS 64u
#define CACHE_LARGEST 1032u
#define CACHED_MOST 65535u

#define HEAP_ALIGNMENT (UINT64_C(64) << 20)
#define HEAP_HEAD 48u
#define HEAP_ARENA 0
#define HEAP_BEFORE 8
#define HEAP_SIZE 16
/* The first chunk behind an arena: its memory is a multiple of 16. */
#define HEAP_FIRST_CHUNK 2256u

#define DATA_MOST (UINT64_C(1) << 20)
#define ARENAS_MOST 4096u
#define HEAPS_MOST 65536u
#define SIZE_MASK (~UINT64_C(7))

static int
torn(struct glibc_arenas *arenas, const char *reason)
{
	arenas->reason = reason;
	return -EAGAIN;
}

/* ---- libc and its data -----------------------------------------------------
 */

/* The versions of which it was tried that they have this layout. */
static bool
is_known_version(const char *version)
{
	static const char *const known[] = { "2.36", "2.41" };

	for (size_t i = 0; i < array_size(known); i++)
		if (strcmp(version, known[i]) == 0)
			return true;
	return false;
}

static int
find_libc(struct glibc_arenas *arenas, const char *wanted,
	  struct binary *binary, struct reader *memory, struct err *err)
{
	addr_t function = binary_symbol(binary, "gnu_get_libc_version");
	addr_t first = binary_symbol(binary, "_IO_2_1_stdin_");
	addr_t last = binary_symbol(binary, "environ");
	char version[VERSION_ROOM];
	uint64_t text;

	if (!function || !first || !last || !binary_symbol(binary, "mallinfo"))
		return -ENOENT;
	if (binary->arch->word != 8 ||
	    binary->arch->code->accessor(memory, function, NULL, 0, &text) <
		    0 ||
	    reader_cstr(memory, text, version, sizeof(version), NULL) < 0)
		return err_set(err, -EIO,
			       "%s: the version of glibc is not found",
			       binary->label);
	if (!is_known_version(version))
		return err_set(err, -ENOTSUP,
			       "%s: the heap of glibc %s is not known to "
			       "xtrace, only those of 2.36 and 2.41",
			       binary->label, version);
	if (strcmp(version, wanted) != 0)
		return -ENOENT;
	arenas->data = addr_page(first);
	arenas->data_end = last;
	if (last < first || last - first > DATA_MOST)
		return err_set(err, -EIO, "%s: the heap of glibc is not found",
			       binary->label);
	return 0;
}

/* Is there a malloc_state at that address? Each bin is the head of an empty
 * list, or names two chunks. */
static bool
is_state(const uint8_t *state, addr_t at)
{
	unsigned empty = 0;

	for (unsigned i = 0; i < BINS; i++) {
		addr_t head = at + STATE_TOP + i * 16;
		addr_t first = word64(state, STATE_BINS + i * 16);
		addr_t last = word64(state, STATE_BINS + 8 + i * 16);

		if ((first == head) != (last == head) || first % 16 != 0 ||
		    last % 16 != 0 || !first || !last)
			return false;
		empty += first == head;
	}
	return empty >= BINS_EMPTY_LEAST &&
	       word64(state, STATE_ATTACHED) <= UINT32_MAX;
}

/* The main arena's link to the next arena leads to itself, or into a heap. The
 * bytes 16 before or behind the arena, where there are bins, too, have no such
 * link. */
static bool
is_main(const uint8_t *state, addr_t at)
{
	addr_t next = word64(state, STATE_NEXT);

	return (next == at || next % HEAP_ALIGNMENT == HEAP_HEAD) &&
	       is_state(state, at);
}

/* Is it the main arena before the first malloc()? Then it contains only what
 * libc's file has there. */
static bool
is_unused_state(const uint8_t *state, addr_t at)
{
	for (size_t i = 0; i < STATE_NEXT; i++)
		if (state[i] != 0)
			return false;
	return word64(state, STATE_NEXT) == at &&
	       word64(state, STATE_ATTACHED) == 1;
}

static bool
is_parameters(const uint8_t *par)
{
	return word64(par, PAR_CACHE_BINS) == CACHE_BINS &&
	       word64(par, PAR_CACHE_LARGEST) == CACHE_LARGEST &&
	       word64(par, PAR_CACHED_MOST) <= CACHED_MOST &&
	       word32(par, PAR_MMAPPED_LIMIT) == MMAPPED_LIMIT &&
	       word32(par, PAR_MMAPPED) <= word32(par, PAR_MMAPPED_MOST) &&
	       word64(par, PAR_MMAP_BYTES) <=
		       word64(par, PAR_MMAP_BYTES_MOST) &&
	       word64(par, PAR_MMAP_BYTES) % ADDR_PAGE == 0;
}

/* The main arena and the parameters in the data of libc. */
struct data_found {
	addr_t main;
	bool unused;
	const uint8_t *par;
	unsigned mains, pars;
};

static void
search(const struct glibc_arenas *arenas, const uint8_t *data, size_t size,
       struct data_found *found)
{
	for (size_t i = 0; i + PAR_SIZE <= size; i += 8) {
		addr_t at = arenas->data + i;
		bool fits = i + GLIBC_STATE_SIZE <= size;
		bool unused = fits && is_unused_state(data + i, at);

		if (is_parameters(data + i)) {
			found->par = data + i;
			found->pars++;
		}
		if (unused || (fits && is_main(data + i, at))) {
			found->main = at;
			found->unused = unused;
			found->mains++;
		}
	}
}

/* ---- heaps -----------------------------------------------------------------
 */

static int
read_top(struct reader *memory, struct glibc_arena *arena)
{
	int r = reader_u64(memory, arena->top + 8, &arena->top_size);

	arena->top_size &= SIZE_MASK;
	return r;
}

static int
add_main_heap(struct glibc_arenas *arenas, struct reader *memory,
	      struct glibc_arena *arena, addr_t brk)
{
	struct glibc_heap heap = {
		.arena = arenas->arenas.count,
		.begin = (brk + 15) & ~UINT64_C(15),
		.end = arena->top,
		.main = true,
		.last = true,
	};

	heap.copied = heap.begin;
	if (arena->system == 0)
		return 0;
	if (word32(arena->state, STATE_FLAGS) & NOT_CONTIGUOUS ||
	    arena->top % 16 != 0 || arena->top < heap.begin ||
	    read_top(memory, arena) < 0 ||
	    arena->top + arena->top_size != brk + arena->system)
		return torn(arenas, "the main arena is not one piece of "
				    "memory, because it changes, or because "
				    "the program uses brk()");
	vec_push(&arenas->heaps, heap);
	return 0;
}

/* Adds the heap at that address. Sets *ret_size, and *at to the heap before. */
static int
add_heap(struct glibc_arenas *arenas, struct reader *memory,
	 const struct glibc_arena *arena, addr_t *at, uint64_t *ret_size)
{
	uint8_t head[HEAP_HEAD];
	addr_t first = arena->at - HEAP_HEAD, here = *at;
	bool last = (arena->top & ~(HEAP_ALIGNMENT - 1)) == here;
	struct glibc_heap heap = {
		.arena = arenas->arenas.count,
		.copied = here,
		.begin = here + (here == first ? HEAP_FIRST_CHUNK : HEAP_HEAD),
		.last = last,
	};
	uint64_t size;

	if (reader_read(memory, here, head, sizeof(head)) < 0)
		return -EAGAIN;
	size = word64(head, HEAP_SIZE);
	if (word64(head, HEAP_ARENA) != arena->at || size > HEAP_ALIGNMENT ||
	    size < ADDR_PAGE || size % ADDR_PAGE != 0)
		return -EAGAIN;
	heap.end = last ? arena->top : here + size - 16;
	if (heap.end < heap.begin ||
	    (last && arena->top + arena->top_size != here + size))
		return -EAGAIN;
	*ret_size = size;
	*at = here == first ? 0 : word64(head, HEAP_BEFORE);
	vec_push(&arenas->heaps, heap);
	return 0;
}

static int
add_heaps(struct glibc_arenas *arenas, struct reader *memory,
	  struct glibc_arena *arena)
{
	addr_t at = arena->top & ~(HEAP_ALIGNMENT - 1);
	uint64_t bytes = 0, size = 0;

	if (arena->at % HEAP_ALIGNMENT != HEAP_HEAD || arena->top % 16 != 0 ||
	    read_top(memory, arena) < 0)
		return torn(arenas, "an arena is not in its heap");
	while (at && bytes < arena->system) {
		if (arenas->heaps.count >= HEAPS_MOST)
			return torn(arenas, "the list of heaps has no end");
		if (add_heap(arenas, memory, arena, &at, &size) < 0)
			return torn(arenas, "a heap of an arena is damaged");
		bytes += size;
	}
	if (at || bytes != arena->system)
		return torn(arenas, "the bytes of an arena are not those of "
				    "its heaps");
	return 0;
}

/* ---- arenas ----------------------------------------------------------------
 */

static int
read_arena(struct glibc_arenas *arenas, struct reader *memory, addr_t at,
	   struct glibc_arena *ret_arena)
{
	struct glibc_arena arena = { .at = at };

	if (at % 8 != 0 ||
	    reader_read(memory, at, arena.state, sizeof(arena.state)) < 0 ||
	    !is_state(arena.state, at))
		return torn(arenas, "an arena is damaged");
	if (word32(arena.state, STATE_LOCK) != 0)
		return torn(arenas, "a thread changes an arena");
	arena.top = word64(arena.state, STATE_TOP);
	arena.system = word64(arena.state, STATE_SYSTEM);
	if (arena.system > word64(arena.state, STATE_SYSTEM_MOST))
		return torn(arenas, "an arena is damaged");
	if (arena.system > GLIBC_BYTES_MOST - arenas->system)
		return -EFBIG;
	*ret_arena = arena;
	return 0;
}

static bool
is_known(const struct glibc_arenas *arenas, addr_t at)
{
	for (size_t i = 0; i < arenas->arenas.count; i++)
		if (arenas->arenas.at[i].at == at)
			return true;
	return false;
}

static int
by_address(const void *a, const void *b)
{
	const struct glibc_heap *one = a, *other = b;

	return (one->begin > other->begin) - (one->begin < other->begin);
}

/* Adds the arenas of the ring that begins with the main arena. */
static int
add_arenas(struct glibc_arenas *arenas, struct reader *memory, addr_t main,
	   addr_t brk)
{
	addr_t at = main;

	do {
		struct glibc_arena arena;
		int r = read_arena(arenas, memory, at, &arena);

		if (r == 0)
			r = at == main
				    ? add_main_heap(arenas, memory, &arena, brk)
				    : add_heaps(arenas, memory, &arena);
		if (r < 0)
			return r;
		at = word64(arena.state, STATE_NEXT);
		arenas->system += arena.system;
		vec_push(&arenas->arenas, arena);
	} while (at != main && !is_known(arenas, at) &&
		 arenas->arenas.count < ARENAS_MOST);
	return at == main ? 0 : torn(arenas, "the list of arenas has no end");
}

static int
take_parameters(struct glibc_arenas *arenas, const struct data_found *found,
		struct binary *binary, struct err *err)
{
	if (found->mains != 1 || found->pars != 1)
		return err_set(err, -EIO, "%s: the heap of glibc is not found",
			       binary->label);
	if (word64(found->par, PAR_HUGE) != 0)
		return err_set(err, -ENOTSUP,
			       "%s: the heap of glibc is not known to xtrace "
			       "if malloc() uses huge pages",
			       binary->label);
	arenas->mmapped = word32(found->par, PAR_MMAPPED);
	arenas->mmap_bytes = word64(found->par, PAR_MMAP_BYTES);
	arenas->cached_most = word64(found->par, PAR_CACHED_MOST);
	return 0;
}

int
glibc_arenas_find(struct glibc_arenas *arenas, const char *version,
		  struct binary *binary, struct reader *memory, struct err *err)
{
	struct data_found found = { 0 };
	uint8_t *data;
	size_t size;
	int r;

	*arenas = (struct glibc_arenas){ 0 };
	r = find_libc(arenas, version, binary, memory, err);
	if (r < 0)
		return r;
	size = arenas->data_end - arenas->data;
	data = xmalloc(size);
	if (reader_read(memory, arenas->data, data, size) < 0) {
		r = torn(arenas, "the data of libc cannot be read");
	} else {
		search(arenas, data, size, &found);
		r = take_parameters(arenas, &found, binary, err);
	}
	if (r == 0 && !found.unused)
		r = add_arenas(arenas, memory, found.main,
			       word64(found.par, PAR_BRK));
	free(data);
	vec_sort(&arenas->heaps, by_address);
	return r;
}

void
glibc_arenas_release(struct glibc_arenas *arenas)
{
	for (size_t i = 0; i < arenas->heaps.count; i++) {
		free(arenas->heaps.at[i].starts);
		free(arenas->heaps.at[i].used);
		free(arenas->heaps.at[i].listed);
	}
	vec_release(&arenas->heaps);
	vec_release(&arenas->arenas);
}
