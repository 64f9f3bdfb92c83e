/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Words in copied bytes, which need not be aligned. */
#ifndef HEAPS_WORDS_H
#define HEAPS_WORDS_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

static inline uint64_t
word64(const uint8_t *bytes, size_t at)
{
	uint64_t value;

	memcpy(&value, bytes + at, sizeof(value));
	return value;
}

static inline uint32_t
word32(const uint8_t *bytes, size_t at)
{
	uint32_t value;

	memcpy(&value, bytes + at, sizeof(value));
	return value;
}

#endif
