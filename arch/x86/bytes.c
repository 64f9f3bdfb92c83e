/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reads a known sequence of instructions. */
#include "arch/x86/bytes.h"

#include <string.h>

bool
take_bytes(struct byte_run *run, const uint8_t *bytes, size_t count)
{
	if (run->have < count || memcmp(run->at, bytes, count) != 0)
		return false;
	run->at += count;
	run->have -= count;
	return true;
}

bool
take_word(struct byte_run *run, int32_t *ret_word)
{
	if (run->have < sizeof(*ret_word))
		return false;
	memcpy(ret_word, run->at, sizeof(*ret_word));
	run->at += sizeof(*ret_word);
	run->have -= sizeof(*ret_word);
	return true;
}
