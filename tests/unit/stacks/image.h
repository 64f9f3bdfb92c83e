/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Objects of an interpreter, made word by word in one piece of memory, which
 * can be damaged. Nothing else can be read.
 */
#ifndef TESTS_UNIT_STACKS_IMAGE_H
#define TESTS_UNIT_STACKS_IMAGE_H

#include "base/reader.h"
#include "tests/unit/checks.h"

#include <errno.h>
#include <stdbool.h>
#include <string.h>

#define IMAGE_WORDS 4096u

struct image_memory {
	struct reader reader;
	size_t used;
	uint64_t words[IMAGE_WORDS];
};

static inline int
image_read(struct reader *reader, addr_t from, void *to, size_t length)
{
	struct image_memory *image =
		container_of(reader, struct image_memory, reader);
	addr_t start = (addr_t)image->words;
	size_t size = image->used * 8;

	if (from < start || from - start > size ||
	    size - (from - start) < length)
		return -EFAULT;
	memcpy(to, (char *)image->words + (from - start), length);
	return 0;
}

static inline void
image_begin(struct image_memory *image)
{
	memset(image, 0, sizeof(*image));
	image->reader.read = image_read;
}

static inline addr_t
image_room(struct image_memory *image, size_t bytes)
{
	addr_t at = (addr_t)&image->words[image->used];

	image->used += (bytes + 7) / 8;
	ck_assert_uint_le(image->used, IMAGE_WORDS);
	return at;
}

static inline void
image_put(addr_t at, uint64_t word)
{
	memcpy((void *)at, &word, sizeof(word));
}

static inline addr_t
image_text(struct image_memory *image, const char *text)
{
	addr_t at = image_room(image, strlen(text) + 1);

	memcpy((void *)at, text, strlen(text) + 1);
	return at;
}

/*
 * Damages each word in several ways, one at a time. check() must then find the
 * right text or none, except while a word of the text itself is damaged: then
 * it is only called.
 */
static inline void
image_damage(struct image_memory *image, addr_t text, size_t text_bytes,
	     void (*check)(bool strict))
{
	check(true);
	for (size_t i = 0; i < image->used; i++) {
		addr_t at = (addr_t)&image->words[i];
		const uint64_t saved = image->words[i];
		const uint64_t values[] = { 0,
					    1,
					    UINT64_MAX,
					    at,
					    (addr_t)image->words,
					    saved ^ 8,
					    saved ^ 16,
					    saved ^ 1 };

		for (size_t k = 0; k < sizeof(values) / 8; k++) {
			image->words[i] = values[k];
			check(at < text || at >= text + text_bytes);
		}
		image->words[i] = saved;
	}
}

#endif
