/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reads a known sequence of instructions, byte by byte. */
#ifndef ARCH_X86_BYTES_H
#define ARCH_X86_BYTES_H

#include "arch/code.h"

/* The bytes that are not yet read. */
struct byte_run {
	const uint8_t *at;
	size_t have;
};

/* Skips the bytes if they come next; else returns false and skips nothing. */
bool take_bytes(struct byte_run *run, const uint8_t *bytes, size_t count);

/* take_bytes() of a whole array. */
#define take_array(run, bytes) take_bytes(run, bytes, sizeof(bytes))

/* Reads the next 4 bytes into *ret_word. False if there are fewer. */
bool take_word(struct byte_run *run, int32_t *ret_word);

#endif
