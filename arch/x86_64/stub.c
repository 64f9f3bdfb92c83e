/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The stub's bytes. A system call takes its number in rax, its arguments in rdi
 * rsi rdx r10 r8 r9, and overwrites rax, rcx and r11 (psABI A.2.1). mov and lea
 * change no flag, and `syscall` restores the flags from r11. The last jump
 * reads its target from the eight bytes behind it, so it needs no register:
 *
 *	mov $a,%rdi ... mov $number,%rax ; syscall	for each call
 *	mov $SIG_SETMASK,%edi ; lea mask(%rip),%rsi ... syscall
 *	mov $own,%rdi ... mov $own,%r11 ; jmp *0(%rip) ; .quad pc
 *	mask: .quad
 *
 * Each value is moved in its shortest form, because the unused space behind a
 * library's text, where the first stub is written, is small.
 */
#include "arch/x86_64/stub.h"

#include "arch/x86/gpr.h"

#include <assert.h>
#include <signal.h>
#include <string.h>
#include <sys/syscall.h>

/* the size of the kernel's sigset_t */
#define MASK_SIZE 8

static const uint8_t argument_registers[6] = { GPR_DI, GPR_SI, GPR_DX,
					       GPR_10, GPR_8,  GPR_9 };

/* The registers that the stub overwrites, in the order in which it restores
 * them. */
static const uint8_t used_registers[] = { GPR_AX, GPR_DI, GPR_SI,
					  GPR_DX, GPR_10, GPR_8,
					  GPR_9,  GPR_CX, GPR_11 };

/* syscall; lea distance(%rip),%rsi; jmp *0(%rip) */
static const uint8_t call_bytes[] = { 0x0f, 0x05 };
static const uint8_t lea_bytes[] = { 0x48, 0x8d, 0x35 };
static const uint8_t jump_bytes[] = { 0xff, 0x25, 0, 0, 0, 0 };

static uint8_t *
put_bytes(uint8_t *at, const void *bytes, size_t count)
{
	memcpy(at, bytes, count);
	return at + count;
}

/* mov $imm32,%r32; mov $simm32,%r64; movabs $imm64,%r64. */
static uint8_t *
put_mov(uint8_t *at, unsigned reg, uint64_t value)
{
	uint32_t low = (uint32_t)value;
	uint8_t high_reg = reg >> 3; /* REX.B */

	if (value == low) {
		if (high_reg)
			*at++ = 0x41;
		*at++ = (uint8_t)(0xb8 | (reg & 7));
		return put_bytes(at, &low, sizeof(low));
	}
	*at++ = 0x48 | high_reg; /* REX.W */
	if ((int64_t)value == (int32_t)low) {
		*at++ = 0xc7;
		*at++ = (uint8_t)(0xc0 | (reg & 7));
		return put_bytes(at, &low, sizeof(low));
	}
	*at++ = (uint8_t)(0xb8 | (reg & 7));
	return put_bytes(at, &value, sizeof(value));
}

static uint8_t *
put_call(uint8_t *at, const struct stub_call *call)
{
	for (size_t i = 0; i < array_size(argument_registers); i++)
		at = put_mov(at, argument_registers[i], call->arguments[i]);
	at = put_mov(at, GPR_AX, (uint64_t)call->number);
	return put_bytes(at, call_bytes, sizeof(call_bytes));
}

/* rt_sigprocmask(SIG_SETMASK, mask, NULL, 8). *ret_mask: where to store the
 * distance to the mask, counted from the byte behind it. */
static uint8_t *
put_mask_call(uint8_t *at, uint8_t **ret_distance)
{
	static const uint8_t distance[sizeof(int32_t)];

	at = put_mov(at, GPR_DI, SIG_SETMASK);
	at = put_bytes(at, lea_bytes, sizeof(lea_bytes));
	*ret_distance = at;
	at = put_bytes(at, distance, sizeof(distance));
	at = put_mov(at, GPR_DX, 0);
	at = put_mov(at, GPR_10, MASK_SIZE);
	at = put_mov(at, GPR_AX, SYS_rt_sigprocmask);
	return put_bytes(at, call_bytes, sizeof(call_bytes));
}

static uint8_t *
put_resume(uint8_t *at, const struct regs *resume)
{
	struct user_regs_struct gpr = resume->gpr;
	uint64_t pc = gpr.rip;

	for (size_t i = 0; i < sizeof(used_registers); i++)
		at = put_mov(at, used_registers[i],
			     *x86_gpr(&gpr, used_registers[i]));
	at = put_bytes(at, jump_bytes, sizeof(jump_bytes));
	return put_bytes(at, &pc, sizeof(pc));
}

size_t
x86_64_stub_build(const struct stub_call *calls, size_t count,
		  const struct regs *resume, uint64_t mask, addr_t address,
		  uint8_t *to)
{
	uint8_t *at = to, *distance;
	int32_t to_mask;

	(void)address; /* the code runs at any address */
	assert(count <= STUB_CALLS);
	for (size_t i = 0; i < count; i++)
		at = put_call(at, &calls[i]);
	at = put_mask_call(at, &distance);
	at = put_resume(at, resume);
	to_mask = (int32_t)(at - (distance + sizeof(to_mask)));
	put_bytes(distance, &to_mask, sizeof(to_mask));
	at = put_bytes(at, &mask, sizeof(mask));
	assert(at <= to + STUB_ROOM);
	return (size_t)(at - to);
}

/* Sets the register that a mov of the stub sets, in any form of put_mov().
 * Returns the mov's length, or 0 if the instruction is no such mov. */
static size_t
do_mov(const uint8_t *at, size_t have, struct user_regs_struct *gpr)
{
	uint8_t prefix = have > 0 && (at[0] & 0xf0) == 0x40 ? at[0] : 0;
	size_t code = prefix != 0, length;
	int number;
	bool wide = prefix & 8, sign;
	uint64_t value = 0;

	if (have < code + 2)
		return 0;
	sign = wide && at[code] == 0xc7 && (at[code + 1] & 0xf8) == 0xc0;
	if (!sign && (at[code] & 0xf8) != 0xb8)
		return 0;
	number = (at[code + sign] & 7) | (prefix & 1) << 3;
	length = wide && !sign ? sizeof(uint64_t) : sizeof(uint32_t);
	code += 1 + sign;
	if (!memchr(used_registers, number, sizeof(used_registers)) ||
	    have < code + length)
		return 0;
	memcpy(&value, at + code, length);
	*x86_gpr(gpr, (unsigned)number) =
		sign ? (uint64_t)(int64_t)(int32_t)value : value;
	return code + length;
}

static bool
is(const uint8_t *at, size_t have, const uint8_t *bytes, size_t count)
{
	return have >= count && memcmp(at, bytes, count) == 0;
}

bool
x86_64_stub_end(const struct code *code, struct regs *regs, uint64_t *ret_mask)
{
	struct user_regs_struct gpr = regs->gpr;
	const uint8_t *stub = code->bytes;
	size_t have = code->length, at = gpr.rip - code->at;
	uint64_t pc;

	for (size_t step = 1; step && at < have; at += step) {
		const uint8_t *here = stub + at;

		if (is(here, have - at, jump_bytes, sizeof(jump_bytes)))
			break;
		if (is(here, have - at, call_bytes, sizeof(call_bytes)))
			step = sizeof(call_bytes);
		else if (is(here, have - at, lea_bytes, sizeof(lea_bytes)))
			step = sizeof(lea_bytes) + sizeof(int32_t);
		else
			step = do_mov(here, have - at, &gpr);
	}
	if (at >= have ||
	    !is(stub + at, have - at, jump_bytes, sizeof(jump_bytes)) ||
	    have - at < sizeof(jump_bytes) + sizeof(pc) + MASK_SIZE)
		return false;
	memcpy(&pc, stub + at + sizeof(jump_bytes), sizeof(pc));
	memcpy(ret_mask, stub + at + sizeof(jump_bytes) + sizeof(pc),
	       MASK_SIZE);
	gpr.rip = pc;
	gpr.orig_rax = (uint64_t)-1;
	regs->gpr = gpr;
	return true;
}
