/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A small heap of glibc 2.36, made by hand: the data of libc; a main arena with
 * blocks in use, in a cache of a thread, and in each kind of bin; and an arena
 * of a thread with two heaps.
 */
#ifndef TESTS_UNIT_HEAPS_GLIBC_IMAGE_H
#define TESTS_UNIT_HEAPS_GLIBC_IMAGE_H

#include "base/reader.h"
#include "stacks/binary.h"

#define GLIBC_CODE 0x30000000u
#define GLIBC_DATA 0x10000000u
#define GLIBC_MAIN (GLIBC_DATA + 0x80) /* the main arena */
#define GLIBC_PAR (GLIBC_DATA + 0x980) /* the parameters */
#define GLIBC_BRK 0x20000000u
#define GLIBC_HEAP UINT64_C(0x7000000000)
#define GLIBC_HEAP_2 (GLIBC_HEAP + (UINT64_C(64) << 20))
#define GLIBC_ARENA (GLIBC_HEAP + 48)

#define GLIBC_PIECES 5u
#define GLIBC_PIECE_SIZE 0x2000u

struct glibc_piece {
	addr_t from;
	size_t length;
	uint8_t bytes[GLIBC_PIECE_SIZE];
};

struct glibc_image {
	struct binary binary;
	struct reader reader;
	struct glibc_piece pieces[GLIBC_PIECES];
};

/* The image is on the heap; the caller frees it. */
struct glibc_image *glibc_image_new(void);
/* Where the byte at that address is. */
uint8_t *glibc_image_at(struct glibc_image *image, addr_t at);
void glibc_image_put(struct glibc_image *image, addr_t at, uint64_t word);

#endif
