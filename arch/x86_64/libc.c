/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * __errno_location() is compiled to one of three forms, with or without an
 * endbr64 before it:
 *
 * 	glibc	mov disp(%rip),%rax ; add %fs:0,%rax ; ret
 * 	static	mov $distance,%rax  ; add %fs:0,%rax ; ret
 * 	musl	mov %fs:0,%rax ; add $distance,%rax ; ret
 *
 * The slot of the first form is a R_X86_64_TPOFF64 word of the GOT.
 *
 * TLS is of variant II: the program's block ends at the thread pointer (psABI
 * 3.4.6), where the thread's control block begins (tcb, dtv, self). The control
 * block contains its own address twice: words 0 and 2 of glibc's tcbhead_t.
 *
 * glibc's longjmp() has the stack pointer in the seventh word of the jmp_buf,
 * rotated left by 17 and xored with the guard at fs:0x30
 * (sysdeps/unix/sysv/linux/x86_64/pointer_guard.h); musl stores it there
 * unchanged.
 */
#include "arch/x86_64/libc.h"

#include "arch/x86_64/calling.h"

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

struct cursor {
	const uint8_t *at;
	size_t have;
};

static bool
take_bytes(struct cursor *code, const uint8_t *bytes, size_t count)
{
	if (code->have < count || memcmp(code->at, bytes, count) != 0)
		return false;
	code->at += count;
	code->have -= count;
	return true;
}

#define match(code, bytes) take_bytes(code, bytes, sizeof(bytes))

static bool
take_word(struct cursor *code, int32_t *ret_word)
{
	if (code->have < sizeof(*ret_word))
		return false;
	memcpy(ret_word, code->at, sizeof(*ret_word));
	code->at += sizeof(*ret_word);
	code->have -= sizeof(*ret_word);
	return true;
}

static bool
added_distance(struct cursor *code, struct errno_place *ret_place)
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

static bool
errno_place(const struct code *of, struct errno_place *ret_place)
{
	struct cursor code = { of->bytes, of->length };
	struct errno_place place = { 0, 0 };
	bool known = false;
	int32_t word;

	match(&code, endbr64);
	if (match(&code, mov_slot) && take_word(&code, &word)) {
		place.slot = of->at + (addr_t)(code.at - of->bytes) +
			     (addr_t)(int64_t)word;
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

/* ---- TLS -------------------------------------------------------------------
 */

static int64_t
tls_distance(uint64_t offset, uint64_t size, uint64_t align)
{
	if (align > 1)
		size = (size + align - 1) / align * align;
	return (int64_t)offset - (int64_t)size;
}

/* The largest distance from the start of the block to the list's head. */
#define RECORD_MOST 1024u

static addr_t
thread_pointer(struct reader *memory, addr_t list)
{
	uint64_t words[RECORD_MOST / sizeof(uint64_t)];
	addr_t from = (list - sizeof(words)) & ~UINT64_C(63);

	if (reader_read(memory, from, words, sizeof(words)) < 0)
		return 0;
	for (size_t i = array_size(words); i-- > 0;) {
		addr_t at = from + i * sizeof(words[0]);

		if (i + 2 < array_size(words) && words[i] == at &&
		    words[i + 2] == at)
			return at;
	}
	return 0;
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
	.tls_distance = tls_distance,
	.thread_pointer = thread_pointer,
	.jump_sps = jump_sps,
};
