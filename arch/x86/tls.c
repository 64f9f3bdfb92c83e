/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Searches the words before a robust list's head for a control block. */
#include "arch/x86/tls.h"

#include <assert.h>
#include <string.h>

/* The largest distance from the start of the control block to the head of the
 * list, in bytes. */
#define RECORD_MOST 1024u

int64_t
x86_tls_distance(uint64_t offset, uint64_t size, uint64_t align)
{
	if (align > 1)
		size = (size + align - 1) / align * align;
	return (int64_t)offset - (int64_t)size;
}

addr_t
x86_thread_pointer(struct reader *memory, addr_t list, size_t word)
{
	uint8_t bytes[RECORD_MOST];
	addr_t from = (list - sizeof(bytes)) & ~UINT64_C(63);

	assert(word == sizeof(uint32_t) || word == sizeof(uint64_t));
	if (reader_read(memory, from, bytes, sizeof(bytes)) < 0)
		return 0;
	for (size_t i = sizeof(bytes) - 3 * word + 1; i-- > 0;) {
		const addr_t at = from + i;
		addr_t tcb = 0, self = 0;

		if (i % word)
			continue;
		memcpy(&tcb, bytes + i, word);
		memcpy(&self, bytes + i + 2 * word, word);
		if (tcb == at && self == at)
			return at;
	}
	return 0;
}
