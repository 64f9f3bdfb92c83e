/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Where malloc() of glibc has its memory: arenas, each of one or more heaps. A
 * heap is one piece of memory, divided into chunks that follow each other.
 */
#ifndef HEAPS_GLIBC_ARENAS_H
#define HEAPS_GLIBC_ARENAS_H

#include "base/addr.h"
#include "base/attr.h"
#include "base/err.h"
#include "base/reader.h"
#include "base/vec.h"
#include "stacks/binary.h"

#include <stdbool.h>
#include <stdint.h>

#define GLIBC_STATE_SIZE 2200u /* of struct malloc_state */
/* Bytes of all arenas; more are not copied. */
#define GLIBC_BYTES_MOST (UINT64_C(4) << 30)

struct glibc_arena {
	addr_t at;
	addr_t top; /* the chunk at the end, which was not given out yet */
	uint64_t top_size;
	uint64_t system; /* bytes that the arena has got from the system */
	uint8_t state[GLIBC_STATE_SIZE];
};

struct glibc_heap {
	size_t arena;	 /* index of its arena */
	addr_t copied;	 /* from here to end + 16 are its bytes */
	addr_t begin;	 /* its first chunk */
	addr_t end;	 /* the top chunk, or a header without a chunk */
	bool main, last; /* it is the main arena's; it has the top chunk */
	/* Maps of its chunks with a bit for each 16 bytes, or NULL: where a
	 * chunk begins, is not free, is in a list of free chunks. */
	uint8_t *starts, *used, *listed;
};

struct glibc_arenas {
	addr_t data, data_end; /* the data of libc */
	vec_of(struct glibc_arena) arenas;
	vec_of(struct glibc_heap) heaps; /* sorted by address */
	uint64_t system;		 /* bytes of all arenas */
	uint64_t mmapped, mmap_bytes; /* blocks that have their own mapping */
	uint64_t cached_most; /* chunks of one size in a cache of a thread */
	const char *reason;   /* why the arenas make no sense */
};

/*
 * Finds the arenas of that version of glibc, such as "2.36". 0; -ENOENT if the
 * binary is not glibc, or another version that is known; -ENOTSUP or -EIO and a
 * message if it is not known; -EFBIG if the arenas have more bytes than
 * are copied; -EAGAIN if they make no sense, which `reason` explains: maybe a
 * thread changes them. Release in any case.
 */
must_check int glibc_arenas_find(struct glibc_arenas *arenas,
				 const char *version, struct binary *binary,
				 struct reader *memory, struct err *err);
void glibc_arenas_release(struct glibc_arenas *arenas);

#endif
