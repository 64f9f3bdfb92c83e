/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The number of the system call is in eax when `syscall` runs (psABI A.2.1).
 * Compilers and assemblers load it a few instructions before:
 *
 *	mov $13, %eax		b8 0d 00 00 00		glibc, musl, Go
 *	mov $13, %rax		48 c7 c0 0d 00 00 00
 *	push $13; pop %rax	6a 0d 58		for small code
 *
 * or into another register, which is copied to eax later. So each byte 13 of
 * the code is examined (memchr(3) finds them at the speed of memory): if the
 * bytes around it load the constant, the instructions that follow are decoded
 * up to the `syscall`, and the registers that hold the constant are tracked. A
 * jump, a call or an instruction that we cannot decode ends the search, because
 * the number and the `syscall` are in one straight piece of code.
 *
 * A place is not proved to be code: bytes of data or of another instruction may
 * look the same. The `syscall` stores the address after it in rcx (Intel SDM 2,
 * SYSCALL), so a trap there tells whether a `syscall` was executed.
 */
#include "arch/x86_64/sigactions.h"

#include "arch/x86_64/insn.h"
#include "arch/x86_64/insn_effect.h"

#include <string.h>

/* SYS_rt_sigaction on x86-64; the compiler's machine may differ */
#define NUMBER 13
#define RAX_BIT 1u

/* The most instructions between the load of the number and the `syscall`. */
#define BETWEEN_MOST 24

static bool
has_bytes(const uint8_t *code, size_t size, size_t at, const char *bytes,
	  size_t count)
{
	return at <= size && size - at >= count &&
	       memcmp(code + at, bytes, count) == 0;
}

/* How many bytes of an instruction that loads 13 may be before the byte 13: 1
 * in `mov $13, %r32`, 2 in the form with a REX prefix, 3 in `mov $13, %r64`. */
static const size_t loads_before[] = { 1, 2, 3 };

/* The register that the instruction at `at` sets to 13, as a bit; 0 if none. */
static unsigned
loaded_by(const uint8_t *code, size_t size, size_t at, size_t *ret_behind)
{
	struct insn_effect effect;
	struct insn insn;

	if (insn_decode(code + at, size - at, at, &insn) < 0 ||
	    insn_effect(code + at, size - at, at, &effect) < 0 ||
	    effect.kind != EFFECT_CONSTANT || effect.number != NUMBER)
		return 0;
	*ret_behind = at + insn.length;
	return 1u << effect.to;
}

/* The register that `push $13; pop %reg` at `at` sets to 13, as a bit; 0 if
 * other instructions are there. */
static unsigned
popped_by(const uint8_t *code, size_t size, size_t at, size_t *ret_behind)
{
	struct insn_effect effect;
	struct insn insn;

	if (!has_bytes(code, size, at, "\x6a\x0d", 2))
		return 0;
	at += 2;
	if (insn_decode(code + at, size - at, at, &insn) < 0 ||
	    insn_effect(code + at, size - at, at, &effect) < 0 ||
	    effect.kind != EFFECT_POP)
		return 0;
	*ret_behind = at + insn.length;
	return 1u << effect.to;
}

static unsigned
loaded_around(const uint8_t *code, size_t size, size_t at, size_t *ret_behind)
{
	unsigned loaded = 0;

	if (at > 0)
		loaded = popped_by(code, size, at - 1, ret_behind);
	if (loaded || !has_bytes(code, size, at, "\x0d\0\0\0", 4))
		return loaded;
	for (size_t i = 0; i < sizeof(loads_before) / sizeof(loads_before[0]);
	     i++) {
		size_t before = loads_before[i], behind;
		unsigned found;

		if (before > at)
			continue;
		found = loaded_by(code, size, at - before, &behind);
		/* The constant of `mov $13, %al` has one byte. These four
		 * bytes must be the last part of the instruction. */
		if (found && behind == at + 4) {
			*ret_behind = behind;
			loaded = found;
		}
	}
	return loaded;
}

static bool
falls_through(const struct insn *insn)
{
	return insn->kind == INSN_PLAIN || insn->kind == INSN_PC_RELATIVE ||
	       insn->kind == INSN_NOTHING;
}

/* Follows the constant from the instruction at `at` to a `syscall`. Returns the
 * offset after it, or size. */
static size_t
follow(const uint8_t *code, size_t size, size_t at, unsigned holds)
{
	for (unsigned i = 0; i < BETWEEN_MOST && holds && at < size; i++) {
		struct insn_effect effect;
		struct insn insn;
		bool copied;

		if (has_bytes(code, size, at, "\x0f\x05", 2))
			return holds & RAX_BIT ? at + 2 : size;
		if (insn_decode(code + at, size - at, at, &insn) < 0 ||
		    !falls_through(&insn) ||
		    insn_effect(code + at, size - at, at, &effect) < 0)
			return size;
		copied = effect.kind == EFFECT_COPY && effect.size >= 4 &&
			 holds & 1u << effect.from;
		holds &= ~effect.writes;
		if (copied)
			holds |= 1u << effect.to;
		at += insn.length;
	}
	return size;
}

size_t
x86_64_next_sigaction(const struct code *of, size_t from, size_t *ret_next)
{
	const uint8_t *code = of->bytes;
	size_t size = of->length;

	while (from < size) {
		const uint8_t *found = memchr(code + from, NUMBER, size - from);
		size_t at, behind;
		unsigned holds;

		if (!found)
			break;
		at = (size_t)(found - code);
		from = at + 1;
		holds = loaded_around(code, size, at, &behind);
		behind = holds ? follow(code, size, behind, holds) : size;
		if (behind < size) {
			*ret_next = from;
			return behind;
		}
	}
	*ret_next = size;
	return size;
}
