/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Conversations of memcached's protocols, with any kind of error. */
#include "tests/fuzz/conversation_fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length);

int
LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length)
{
	judge_input(PROTOCOL_MEMCACHED, bytes, length);
	return 0;
}
