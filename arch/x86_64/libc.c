/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * __errno_location() is compiled to one of three forms, with or without an
 * endbr64 before it:
 *
 * 	glibc	mov disp(%rip),%rax ; add %fs:0,%rax ; ret
 * 	static	mov $distance,%rax  ; add %fs:0,%rax ; ret
 * 	musl	mov %fs:0,%rax ; add $distance,%rax ; ret
 *
 * The word of the first form is a R_X86_64_TPOFF64 word of the GOT.
 *
 * glibc's longjmp() has the stack pointer in the seventh word of the jmp_buf,
 * rotated left by 17 and xored with the guard at fs:0x30
 * (sysdeps/unix/sysv/linux/x86_64/pointer_guard.h); musl stores it there
 * unchanged.
 */
#include "arch/x86_64/libc.h"

#include "arch/x86_64/calling.h"
#include "arch/x86/bytes.h"
#include "arch/x86/tls.h"

#include <string.h>

static const uint8_t endbr64[] = { 0xf3, 0x0f, 0x1e, 0xfa };
static const uint8_t mov_word[] = { 0x48, 0x8b, 0x05 };
static const uint8_t mov_immediate[] = { 0x48, 0xc7, 0xc0 };
static const uint8_t add_thread_pointer[] = { 0x64, 0x48, 0x03, 0x04, 0x25,
					      0,    0,	  0,	0 };
static const uint8_t mov_thread_pointer[] = { 0x64, 0x48, 0x8b, 0x04, 0x25,
					      0,    0,	  0,	0 };
static const uint8_t add_short[] = { 0x48, 0x83, 0xc0 };
static const uint8_t add_long[] = { 0x48, 0x05 };

static bool
added_distance(struct byte_run *code, struct errno_place *ret_place)
{
	int32_t word;

	if (take_array(code, add_short) && code->have > 0) {
		ret_place->distance = (int8_t)code->at[0];
		return true;
	}
	if (!take_array(code, add_long) || !take_word(code, &word))
		return false;
	ret_place->distance = word;
	return true;
}

static bool
errno_place(const struct code *of, struct errno_place *ret_place)
{
	struct byte_run code = { of->bytes, of->length };
	struct errno_place place = { 0, 0 };
	bool known = false;
	int32_t word;

	take_array(&code, endbr64);
	if (take_array(&code, mov_word) && take_word(&code, &word)) {
		place.word = of->at + (addr_t)(code.at - of->bytes) +
			     (addr_t)(int64_t)word;
		known = take_array(&code, add_thread_pointer);
	} else if (take_array(&code, mov_immediate) &&
		   take_word(&code, &word)) {
		place.distance = word;
		known = take_array(&code, add_thread_pointer);
	} else if (take_array(&code, mov_thread_pointer)) {
		known = added_distance(&code, &place);
	}
	if (known)
		*ret_place = place;
	return known;
}

/* ---- TLS -------------------------------------------------------------------
 */

static addr_t
thread_pointer(struct reader *memory, addr_t list)
{
	return x86_thread_pointer(memory, list, sizeof(uint64_t));
}

/* ---- longjmp() -------------------------------------------------------------
 */

static unsigned
jump_sps(const struct regs *regs, struct reader *memory, addr_t *ret_sps)
{
	addr_t buffer = x86_64_calling.argument(regs, memory, 0);
	uint64_t word, guard;

	if (reader_u64(memory, buffer + 6 * sizeof(word), &word) < 0 ||
	    reader_u64(memory, regs_thread_pointer(regs) + 0x30, &guard) < 0)
		return 0;
	ret_sps[0] = (word >> 17 | word << 47) ^ guard;
	ret_sps[1] = word;
	return 2;
}

const struct arch_libc x86_64_libc = {
	.errno_place = errno_place,
	.tls_distance = x86_tls_distance,
	.thread_pointer = thread_pointer,
	.jump_sps = jump_sps,
};
