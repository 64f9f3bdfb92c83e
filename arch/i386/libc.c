/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * __errno_location() of glibc, shared and static, maybe behind an endbr32:
 *
 * 	call next ; add $distance,%eax ; mov disp(%eax),%eax ;
 * 							add %gs:0,%eax ; ret
 * 	call next ; add $distance,%eax ; mov $errno,%eax ; add %gs:0,%eax ; ret
 *
 * The call stores the address behind it in eax; the static form does not use
 * it. The word of the first form is an R_386_TLS_TPOFF word of the GOT.
 *
 * glibc's longjmp() has the stack pointer in the fifth word of the jmp_buf,
 * xored with the guard at gs:0x18 and rotated left by 9
 * (sysdeps/unix/sysv/linux/i386/pointer_guard.h); musl stores it unchanged.
 */
#include "arch/i386/libc.h"

#include "arch/i386/calling.h"
#include "arch/x86/bytes.h"
#include "arch/x86/tls.h"

#include <string.h>

#define WORD sizeof(uint32_t)

static bool
errno_place(const struct code *of, struct errno_place *ret_place)
{
	static const uint8_t endbr32[] = { 0xf3, 0x0f, 0x1e, 0xfb };
	static const uint8_t call[] = { 0xe8 }, add[] = { 0x05 };
	static const uint8_t mov_word[] = { 0x8b, 0x80 };
	static const uint8_t mov_immediate[] = { 0xc7, 0xc0 };
	static const uint8_t add_thread_pointer[] = { 0x65, 0x03, 0x05, 0,
						      0,    0,	  0 };
	struct byte_run code = { of->bytes, of->length };
	struct errno_place place = { 0, 0 };
	int32_t word, added;
	addr_t next;

	take_array(&code, endbr32);
	if (!take_array(&code, call) || !take_word(&code, &word))
		return false;
	next = of->at + (addr_t)(code.at - of->bytes);
	if (!take_array(&code, add) || !take_word(&code, &added))
		return false;
	if (take_array(&code, mov_word) && take_word(&code, &word))
		place.word = (uint32_t)(next + (addr_t)(int64_t)added +
					(addr_t)(int64_t)word);
	else if (take_array(&code, mov_immediate) && take_word(&code, &word))
		place.distance = word;
	if (!take_array(&code, add_thread_pointer))
		return false;
	*ret_place = place;
	return true;
}

static addr_t
thread_pointer(struct reader *memory, addr_t list)
{
	return x86_thread_pointer(memory, list, sizeof(uint32_t));
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
	.tls_distance = x86_tls_distance,
	.thread_pointer = thread_pointer,
	.jump_sps = jump_sps,
};
