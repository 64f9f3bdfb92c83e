/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A content is a private copy of the bytes of a file. Each part is read from
 * the file when it is first needed.
 */
#ifndef SYMBOLS_CONTENT_H
#define SYMBOLS_CONTENT_H

#include "base/attr.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct content {
	/* length bytes; bytes that were not read yet are 0. The copy may be
	 * changed. */
	uint8_t *bytes;
	size_t length;
	uint8_t *have; /* a flag for each block; NULL: all bytes were read */
	int fd;	       /* -1: all bytes were read */
	/* true: bytes is a mapping; false: it is from malloc() */
	bool mapped;
	bool cut; /* the file ended too early, or could not be read */
};

/* Makes a content that is a copy of length bytes in memory. */
void content_copy(struct content *content, const void *bytes, size_t length);
/*
 * Makes a content of the first length bytes of an open file. Takes over the
 * descriptor in any case. Returns 0, or -errno, and then there is nothing to
 * release.
 */
must_check int content_open(struct content *content, int fd, size_t length);
void content_release(struct content *content);

/* The bytes at an offset, which do not move until the release. NULL if they are
 * not all in the file, or could not be read. */
const uint8_t *content_at(struct content *content, uint64_t offset,
			  uint64_t length);

#endif
