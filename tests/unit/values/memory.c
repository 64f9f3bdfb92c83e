/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Pages in an array. As in a process, a read that touches a missing page fails
 * as a whole.
 */
#include "tests/unit/values/memory.h"

#include <assert.h>
#include <errno.h>
#include <stdbool.h>
#include <string.h>

static unsigned char *
find(struct memory *memory, addr_t address)
{
	for (size_t i = 0; i < memory->count; i++) {
		if (memory->pages[i].address == address / MEMORY_PAGE)
			return memory->pages[i].bytes + address % MEMORY_PAGE;
	}
	return NULL;
}

static int
memory_read(struct reader *reader, addr_t from, void *to, size_t len)
{
	struct memory *memory = container_of(reader, struct memory, reader);
	unsigned char *bytes = to;

	memory->reads++;
	for (size_t i = 0; i < len; i++) {
		const unsigned char *byte = find(memory, from + i);

		if (!byte)
			return -EFAULT;
		bytes[i] = *byte;
	}
	return 0;
}

void
memory_init(struct memory *memory)
{
	memory->reader.read = memory_read;
	memory->reads = 0;
	memory->count = 0;
}

void
memory_put(struct memory *memory, addr_t address, const void *bytes,
	   size_t length)
{
	for (size_t i = 0; i < length; i++) {
		unsigned char *byte = find(memory, address + i);

		if (!byte) {
			size_t page = memory->count++;

			assert(page < MEMORY_PAGES);
			memory->pages[page].address =
				(address + i) / MEMORY_PAGE;
			memset(memory->pages[page].bytes, 0, MEMORY_PAGE);
			byte = find(memory, address + i);
		}
		*byte = ((const unsigned char *)bytes)[i];
	}
}

void
memory_put_text(struct memory *memory, addr_t address, const char *text)
{
	memory_put(memory, address, text, strlen(text) + 1);
}

void
memory_put_u64(struct memory *memory, addr_t address, uint64_t value)
{
	memory_put(memory, address, &value, sizeof(value));
}
