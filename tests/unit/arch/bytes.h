/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Bytes in a readable form, and random numbers that are the same in each
 * run. */
#ifndef TESTS_UNIT_ARCH_BYTES_H
#define TESTS_UNIT_ARCH_BYTES_H

#include <stddef.h>
#include <stdint.h>

/* Reads "48 8b ?? c3". Returns the number of bytes; ?? leaves a byte
 * unchanged. */
size_t bytes_of(const char *hex, uint8_t *to, size_t room);
/* The reverse of bytes_of(); `to` has room for three characters per byte. */
const char *hex_of(const uint8_t *bytes, size_t length, char *to);

/* xorshift64* (Vigna 2014): state is not 0. */
uint64_t random_u64(uint64_t *state);
/* A random number from 0 to below - 1. */
unsigned random_below(uint64_t *state, unsigned below);

/* The .text of the C library that this process runs. */
struct text {
	uint8_t *bytes; /* freed by the caller */
	size_t length;
	size_t *starts; /* offsets of the instructions; freed by the caller */
	size_t count;
	size_t unknown; /* bytes at which no instruction begins */
};
void text_of_libc(struct text *ret_text);

#endif
