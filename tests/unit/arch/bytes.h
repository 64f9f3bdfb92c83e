/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Bytes as a test writes them, and random numbers that are always the same. */
#ifndef TESTS_UNIT_ARCH_BYTES_H
#define TESTS_UNIT_ARCH_BYTES_H

#include <stddef.h>
#include <stdint.h>

/* "48 8b ?? c3": how many bytes; ?? is whatever stood there. */
size_t bytes_of(const char *hex, uint8_t *to, size_t room);
/* The other way round; to has room for three characters a byte. */
const char *hex_of(const uint8_t *bytes, size_t length, char *to);

/* xorshift64* (Vigna 2014): state is not 0. */
uint64_t random_u64(uint64_t *state);
/* 0 to below - 1. */
unsigned random_below(uint64_t *state, unsigned below);

/* The .text of the C library that this process runs. */
struct text {
	uint8_t *bytes; /* freed by the caller */
	size_t length;
	size_t *starts; /* offsets of the instructions; freed by the caller */
	size_t count;
	size_t unknown; /* bytes that begin no instruction */
};
void text_of_libc(struct text *ret_text);

#endif
