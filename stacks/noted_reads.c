/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A read of more than 8 bytes is not noted, because it reads the code of the
 * function. The function reads its data in words or less. */
#include "stacks/noted_reads.h"

#include "arch/code.h"

static int
note(struct reader *reader, addr_t from, void *to, size_t length)
{
	struct noted_reads *noted =
		container_of(reader, struct noted_reads, reader);
	int r = reader_read(noted->memory, from, to, length);

	if (r == 0 && length <= sizeof(uint64_t)) {
		if (noted->count < NOTED_MOST) {
			noted->at[noted->count] = from;
			noted->lengths[noted->count] = (uint8_t)length;
		}
		noted->count++;
	}
	return r;
}

bool
noted_reads_of(struct noted_reads *noted, const struct arch *arch,
	       struct reader *memory, addr_t entry)
{
	uint64_t result;

	*noted = (struct noted_reads){ .reader = { .read = note },
				       .memory = memory };
	return arch->code->accessor(&noted->reader, entry, NULL, 0, &result) ==
		       0 &&
	       noted->count > 0 && noted->count <= NOTED_MOST;
}
