/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The stub's bytes. A system call takes its number in eax, its arguments in
 * ebx ecx edx esi edi ebp, and overwrites eax alone (see system_call.c). `int
 * $0x80` keeps the flags, mov changes none, and the last jump reaches every
 * address, so it needs no register:
 *
 * 	mov $a,%ebx ... mov $number,%eax ; int $0x80	for each call
 * 	mov $SIG_SETMASK,%ebx ; mov $mask,%ecx ... int $0x80
 * 	mov $own,%ebx ... mov $own,%eax ; jmp pc
 * 	mask: .quad
 */
#include "arch/i386/stub.h"

#include "arch/i386/system_call.h"
#include "arch/x86/gpr.h"

#include <assert.h>
#include <signal.h>
#include <string.h>
#include <sys/syscall.h>

/* the size of the kernel's sigset_t */
#define MASK_SIZE 8

/* mov $imm32,%r32: this byte plus the number of the register */
#define MOV 0xb8
#define MOV_LENGTH 5
#define JUMP 0xe9 /* jmp rel32 */
#define JUMP_LENGTH 5

static const uint8_t argument_registers[6] = { GPR_BX, GPR_CX, GPR_DX,
					       GPR_SI, GPR_DI, GPR_BP };

/* The registers that the stub overwrites, in the order in which it restores
 * them. */
static const uint8_t used_registers[] = { GPR_BX, GPR_CX, GPR_DX, GPR_SI,
					  GPR_DI, GPR_BP, GPR_AX };

static const uint8_t call_bytes[] = { 0xcd, 0x80 }; /* int $0x80 */

static uint8_t *
put_word(uint8_t *at, uint8_t opcode, uint32_t word)
{
	*at++ = opcode;
	memcpy(at, &word, sizeof(word));
	return at + sizeof(word);
}

static uint8_t *
put_mov(uint8_t *at, unsigned reg, uint64_t value)
{
	return put_word(at, (uint8_t)(MOV | reg), (uint32_t)value);
}

static uint8_t *
put_call(uint8_t *at, const struct stub_call *call)
{
	for (size_t i = 0; i < array_size(argument_registers); i++)
		at = put_mov(at, argument_registers[i], call->arguments[i]);
	at = put_mov(at, GPR_AX, (uint64_t)call->number);
	memcpy(at, call_bytes, sizeof(call_bytes));
	return at + sizeof(call_bytes);
}

static uint8_t *
put_resume(uint8_t *at, const struct regs *resume, addr_t pc)
{
	struct user_regs_struct gpr = resume->gpr;

	for (size_t i = 0; i < sizeof(used_registers); i++)
		at = put_mov(at, used_registers[i],
			     *x86_gpr(&gpr, used_registers[i]));
	pc += sizeof(used_registers) * MOV_LENGTH + JUMP_LENGTH;
	return put_word(at, JUMP, (uint32_t)(gpr.rip - pc));
}

size_t
i386_stub_build(const struct stub_call *calls, size_t count,
		const struct regs *resume, uint64_t mask, addr_t address,
		uint8_t *to)
{
	/* rt_sigprocmask(SIG_SETMASK, mask, NULL, 8) */
	struct stub_call last = {
		.number = SYS_rt_sigprocmask,
		.arguments = { SIG_SETMASK, 0, 0, MASK_SIZE },
	};
	uint8_t *at = to, *mask_call;

	assert(count <= STUB_CALLS);
	for (size_t i = 0; i < count; i++) {
		struct stub_call own = calls[i];

		i386_system_call.own(&own);
		at = put_call(at, &own);
	}
	mask_call = at;
	i386_system_call.own(&last);
	at = put_call(at, &last);
	at = put_resume(at, resume, address + (addr_t)(at - to));
	last.arguments[1] = address + (addr_t)(at - to);
	put_call(mask_call, &last);
	memcpy(at, &mask, sizeof(mask));
	at += sizeof(mask);
	assert(at <= to + STUB_ROOM);
	return (size_t)(at - to);
}

/* Sets the register that a mov of the stub sets. Returns the mov's length, or 0
 * if the instruction is no such mov. */
static size_t
do_mov(const uint8_t *at, size_t have, struct user_regs_struct *gpr)
{
	uint32_t value;
	int number;

	if (have < MOV_LENGTH || (at[0] & 0xf8) != MOV)
		return 0;
	number = at[0] & 7;
	if (!memchr(used_registers, number, sizeof(used_registers)))
		return 0;
	memcpy(&value, at + 1, sizeof(value));
	*x86_gpr(gpr, (unsigned)number) = value;
	return MOV_LENGTH;
}

bool
i386_stub_end(const struct code *code, struct regs *regs, uint64_t *ret_mask)
{
	struct user_regs_struct gpr = regs->gpr;
	const uint8_t *stub = code->bytes;
	size_t have = code->length, at = gpr.rip - code->at;
	int32_t distance;

	for (size_t step = 1; step && at < have && stub[at] != JUMP;
	     at += step) {
		if (have - at >= sizeof(call_bytes) &&
		    !memcmp(stub + at, call_bytes, sizeof(call_bytes)))
			step = sizeof(call_bytes);
		else
			step = do_mov(stub + at, have - at, &gpr);
	}
	if (at >= have || stub[at] != JUMP ||
	    have - at < JUMP_LENGTH + MASK_SIZE)
		return false;
	memcpy(&distance, stub + at + 1, sizeof(distance));
	memcpy(ret_mask, stub + at + JUMP_LENGTH, MASK_SIZE);
	gpr.rip = (uint32_t)(code->at + at + JUMP_LENGTH +
			     (addr_t)(int64_t)distance);
	gpr.orig_rax = (uint64_t)-1;
	regs->gpr = gpr;
	return true;
}
