/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The argument of --inject. An accepted argument changes a result or errno, or
 * delays the call, and its first call is not after its last. A refusal names a
 * column within the text.
 */
#include "base/xmalloc.h"
#include "conf/filter/tampering.h"

#include <assert.h>
#include <stdint.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length);

static void
check(struct tampering *t, const char *text)
{
	uint64_t changed = 0;

	assert(!strcmp(t->text, text));
	assert(!strncmp(t->names, text, strlen(t->names)));
	assert(t->has_result || t->error || t->delay);
	assert(t->error >= 0 && t->error <= 4095);
	assert(t->has_result || !t->error || tampering_of_system_calls(t));
	assert(t->first >= 1 && t->last >= t->first && t->step >= 1);
	for (uint64_t call = 1; call <= 64; call++)
		if (tampering_takes(t)) {
			assert(call >= t->first && call <= t->last);
			changed++;
		}
	assert(t->seen == 64);
	assert(changed > 0 || t->first > 64);
}

int
LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length)
{
	cleanup(freep) char *text = NULL;
	struct tampering *tampering = NULL;
	struct err err = { "" };
	size_t column = 0;

	if (length > 4096)
		return 0;
	text = xstrndup((const char *)bytes, length);
	if (tampering_parse(text, &tampering, &column, &err) < 0) {
		assert(column <= strlen(text));
		assert(err.text[0] && !tampering);
		return 0;
	}
	check(tampering, text);
	tampering_free(tampering);
	return 0;
}
