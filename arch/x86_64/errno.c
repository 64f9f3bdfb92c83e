/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The three shapes that __errno_location() is compiled to, behind an endbr64
 * or not:
 *
 *	glibc	mov disp(%rip),%rax ; add %fs:0,%rax ; ret
 *	static	mov $distance,%rax  ; add %fs:0,%rax ; ret
 *	musl	mov %fs:0,%rax ; add $distance,%rax ; ret
 *
 * The slot of the first is a R_X86_64_TPOFF64 word of the GOT.
 */
#include "arch/x86_64/errno.h"

#include <string.h>

static const uint8_t endbr64[] = { 0xf3, 0x0f, 0x1e, 0xfa };
static const uint8_t mov_slot[] = { 0x48, 0x8b, 0x05 };
static const uint8_t mov_immediate[] = { 0x48, 0xc7, 0xc0 };
static const uint8_t add_thread_pointer[] = { 0x64, 0x48, 0x03, 0x04, 0x25,
					      0,    0,	  0,	0 };
static const uint8_t mov_thread_pointer[] = { 0x64, 0x48, 0x8b, 0x04, 0x25,
					      0,    0,	  0,	0 };
static const uint8_t add_short[] = { 0x48, 0x83, 0xc0 };
static const uint8_t add_long[] = { 0x48, 0x05 };

struct code {
	const uint8_t *at;
	size_t have;
};

static bool
take_bytes(struct code *code, const uint8_t *bytes, size_t count)
{
	if (code->have < count || memcmp(code->at, bytes, count) != 0)
		return false;
	code->at += count;
	code->have -= count;
	return true;
}

#define match(code, bytes) take_bytes(code, bytes, sizeof(bytes))

static bool
take_word(struct code *code, int32_t *ret_word)
{
	if (code->have < sizeof(*ret_word))
		return false;
	memcpy(ret_word, code->at, sizeof(*ret_word));
	code->at += sizeof(*ret_word);
	code->have -= sizeof(*ret_word);
	return true;
}

static bool
added_distance(struct code *code, struct errno_place *ret_place)
{
	int32_t word;

	if (match(code, add_short) && code->have > 0) {
		ret_place->distance = (int8_t)code->at[0];
		return true;
	}
	if (!match(code, add_long) || !take_word(code, &word))
		return false;
	ret_place->distance = word;
	return true;
}

bool
errno_place(const uint8_t *bytes, size_t have, addr_t at,
	    struct errno_place *ret_place)
{
	struct code code = { bytes, have };
	struct errno_place place = { 0, 0 };
	bool known = false;
	int32_t word;

	match(&code, endbr64);
	if (match(&code, mov_slot) && take_word(&code, &word)) {
		place.slot =
			at + (addr_t)(code.at - bytes) + (addr_t)(int64_t)word;
		known = match(&code, add_thread_pointer);
	} else if (match(&code, mov_immediate) && take_word(&code, &word)) {
		place.distance = word;
		known = match(&code, add_thread_pointer);
	} else if (match(&code, mov_thread_pointer)) {
		known = added_distance(&code, &place);
	}
	if (known)
		*ret_place = place;
	return known;
}
