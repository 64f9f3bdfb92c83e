/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The head of a request, of any bytes, in any number of pieces. */
#include "protocols/served.h"

#include <assert.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length);

static void
check_span(const char *copy, size_t length, const char *at, size_t count)
{
	assert(count > 0 && at >= copy && count <= length);
	assert((size_t)(at - copy) <= length - count);
	for (size_t i = 0; i < count; i++)
		assert((unsigned char)at[i] > ' ');
}

int
LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length)
{
	for (size_t have = 0; have <= length; have++) {
		struct served_head head = { .whole = true };
		/* A copy of exactly this length, so that the sanitizer finds
		 * reads behind its end. */
		char *copy = malloc(have ? have : 1);
		enum served served;

		assert(copy);
		memcpy(copy, bytes, have);
		served = served_read(copy, have, &head);
		if (served == SERVED_HEAD) {
			check_span(copy, have, head.method, head.method_length);
			check_span(copy, have, head.target, head.target_length);
			assert(!head.has_parent ||
			       (head.whole && strlen(head.parent.trace) == 32 &&
				strlen(head.parent.parent) == 16));
		}
		free(copy);
		if (served != SERVED_MORE && head.whole)
			break;
	}
	return 0;
}
