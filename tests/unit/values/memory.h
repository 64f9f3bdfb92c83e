/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Memory for tests: pages at chosen addresses, and a count of the reads. */
#ifndef TESTS_UNIT_VALUES_MEMORY_H
#define TESTS_UNIT_VALUES_MEMORY_H

#include "base/addr.h"
#include "base/reader.h"

#include <stddef.h>

#define MEMORY_PAGE 4096u
#define MEMORY_PAGES 8u

struct memory {
	struct reader reader;
	unsigned reads;
	struct {
		addr_t address;
		unsigned char bytes[MEMORY_PAGE];
	} pages[MEMORY_PAGES];
	size_t count;
};

/* Makes a memory without pages. */
void memory_init(struct memory *memory);
/* Puts bytes at address. New pages are zeroed. */
void memory_put(struct memory *memory, addr_t address, const void *bytes,
		size_t length);
void memory_put_text(struct memory *memory, addr_t address, const char *text);
void memory_put_u64(struct memory *memory, addr_t address, uint64_t value);

#endif
