/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * PostgreSQL conversations with any kind of error, read as the beginning of a
 * connection and as the middle of one.
 */
#include "tests/fuzz/conversation_fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length);

int
LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length)
{
	judge_input(PROTOCOL_POSTGRES, bytes, length);
	judge_input(PROTOCOL_POSTGRES_START, bytes, length);
	return 0;
}
