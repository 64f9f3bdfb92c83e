/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * __errno_location() of glibc, shared and static, maybe behind an endbr32:
 *
 * 	call next ; add $distance,%eax ; mov disp(%eax),%eax ;
 * 							add %gs:0,%eax ; ret
 * 	call next ; add $distance,%eax ; mov $errno,%eax ; add %gs:0,%eax ; ret
 *
 * The call stores the address behind it in eax; the static form does not use
 * it. The slot of the first form is an R_386_TLS_TPOFF word of the GOT.
 *
 * TLS is of variant II: the program's block ends at the thread pointer, where
 * the thread's control block begins. Words 0 and 2 of glibc's tcbhead_t are its
 * own address.
 *
 * glibc's longjmp() has the stack pointer in the fifth word of the jmp_buf,
 * xored with the guard at gs:0x18 and rotated left by 9
 * (sysdeps/unix/sysv/linux/i386/pointer_guard.h); musl stores it unchanged.
 */
#include "arch/i386/libc.h"

#include "arch/i386/calling.h"

#include <string.h>

#define WORD sizeof(uint32_t)

struct i386_cursor {
	const uint8_t *at;
	size_t have;
};

static bool
take_bytes(struct i386_cursor *code, const uint8_t *bytes, size_t count)
{
	if (code->have < count || memcmp(code->at, bytes, count) != 0)
		return false;
	code->at += count;
	code->have -= count;
	return true;
}

#define match(code, bytes) take_bytes(code, bytes, sizeof(bytes))

static bool
take_word(struct i386_cursor *code, int32_t *ret_word)
{
	if (code->have < WORD)
		return false;
	memcpy(ret_word, code->at, WORD);
	code->at += WORD;
	code->have -= WORD;
	return true;
}

static bool
errno_place(const struct code *of, struct errno_place *ret_place)
{
	static const uint8_t endbr32[] = { 0xf3, 0x0f, 0x1e, 0xfb };
	static const uint8_t call[] = { 0xe8 }, add[] = { 0x05 };
	static const uint8_t mov_slot[] = { 0x8b, 0x80 };
	static const uint8_t mov_immediate[] = { 0xc7, 0xc0 };
	static const uint8_t add_thread_pointer[] = { 0x65, 0x03, 0x05, 0,
						      0,    0,	  0 };
	struct i386_cursor code = { of->bytes, of->length };
	struct errno_place place = { 0, 0 };
	int32_t word, added;
	addr_t next;

	match(&code, endbr32);
	if (!match(&code, call) || !take_word(&code, &word))
		return false;
	next = of->at + (addr_t)(code.at - of->bytes);
	if (!match(&code, add) || !take_word(&code, &added))
		return false;
	if (match(&code, mov_slot) && take_word(&code, &word))
		place.slot = (uint32_t)(next + (addr_t)(int64_t)added +
					(addr_t)(int64_t)word);
	else if (match(&code, mov_immediate) && take_word(&code, &word))
		place.distance = word;
	if (!match(&code, add_thread_pointer))
		return false;
	*ret_place = place;
	return true;
}

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
	uint32_t words[RECORD_MOST / WORD];
	addr_t from = (list - sizeof(words)) & ~UINT64_C(63);

	if (reader_read(memory, from, words, sizeof(words)) < 0)
		return 0;
	for (size_t i = array_size(words); i-- > 0;) {
		addr_t at = from + i * WORD;

		if (i + 2 < array_size(words) && words[i] == at &&
		    words[i + 2] == at)
			return at;
	}
	return 0;
}

static unsigned
jump_sps(const struct regs *regs, struct reader *memory, addr_t *ret_sps)
{
	const addr_t buffer = i386_calling.argument(regs, memory, 0);
	const addr_t guard_at = regs_thread_pointer(regs) + 0x18;
	uint32_t word, guard;

	if (reader_read(memory, buffer + 4 * WORD, &word, WORD) < 0 ||
	    reader_read(memory, guard_at, &guard, WORD) < 0)
		return 0;
	ret_sps[0] = (word >> 9 | word << 23) ^ guard;
	ret_sps[1] = word;
	return 2;
}

const struct arch_libc i386_libc = {
	.errno_place = errno_place,
	.tls_distance = tls_distance,
	.thread_pointer = thread_pointer,
	.jump_sps = jump_sps,
};
