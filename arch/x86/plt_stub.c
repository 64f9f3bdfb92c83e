/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A jump is in a stub of a PLT if the stub begins at an aligned address, and if
 * the bytes behind the jump may end a stub or begin the next one. */
#include "arch/x86/plt_stub.h"

#include "arch/x86/int3.h"

#include <assert.h>
#include <string.h>

/* The alignment of stubs, in bytes. */
#define STUB_ALIGNMENT 8

bool
ends_with(struct reader *memory, addr_t end, const void *bytes, size_t count)
{
	uint8_t before[8];

	assert(count <= sizeof(before));
	return reader_read(memory, end - count, before, count) == 0 &&
	       memcmp(before, bytes, count) == 0;
}

/* The start of the stub whose jump is at `gate`. */
static addr_t
stub_start(struct reader *memory, addr_t gate, const struct plt_stub_form *form)
{
	const addr_t index = gate - sizeof(uint32_t);

	if (ends_with(memory, index, form->mov, form->mov_length))
		gate = index - form->mov_length;
	if (ends_with(memory, gate, form->endbr, sizeof(form->endbr)))
		gate -= sizeof(form->endbr);
	return gate;
}

/* True if a stub can end here, after the jump: the next stub follows, or push
 * $index, or the first byte of a nop or of an int3. */
static bool
stub_ends(struct reader *memory, addr_t end)
{
	static const uint8_t tails[] = { 0x68, 0x66, 0x0f, 0x90, INT3 };
	uint8_t tail;

	return end % STUB_ALIGNMENT == 0 ||
	       reader_read(memory, end, &tail, 1) < 0 ||
	       memchr(tails, tail, sizeof(tails));
}

bool
plt_stub_around(struct reader *memory, addr_t gate, addr_t end,
		const struct plt_stub_form *form)
{
	return stub_start(memory, gate, form) % STUB_ALIGNMENT == 0 &&
	       stub_ends(memory, end);
}
