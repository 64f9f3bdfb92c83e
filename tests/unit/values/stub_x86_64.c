/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The function is called from the same place on the stack as by its original
 * caller, so that its arguments are in their places, and can be found there
 * meanwhile:
 *
 *	rsp at the entry -> [return address]	popped, and kept
 *			    [our own]		pushed in its place by call
 *			    [stack arguments]
 *
 * One call at a time: there is one snapshot for the entry and one for the
 * return.
 */
#include "tests/unit/values/stub_x86_64.h"

#include <stddef.h>

struct snapshot {
	uint64_t rax, rbx, rcx, rdx, rsi, rdi, rbp, rsp;
	uint64_t r8, r9, r10, r11;
	_Alignas(16) struct user_fpregs_struct fxsave;
};

struct stub stub;
struct snapshot stub_at_entry, stub_at_return;
uint64_t stub_return_to;

_Static_assert(offsetof(struct snapshot, rsp) == 56, "see the assembly");
_Static_assert(offsetof(struct snapshot, r11) == 88, "see the assembly");
_Static_assert(offsetof(struct snapshot, fxsave) == 96, "see the assembly");

void stub_show_entry(void);
void stub_show_return(void);

/* stub_show_*: runs on an aligned stack that does not touch the caller's. */
__asm__(".macro stub_snapshot name, show\n"
	"	movq %rax, \\name+0(%rip)\n"
	"	movq %rbx, \\name+8(%rip)\n"
	"	movq %rcx, \\name+16(%rip)\n"
	"	movq %rdx, \\name+24(%rip)\n"
	"	movq %rsi, \\name+32(%rip)\n"
	"	movq %rdi, \\name+40(%rip)\n"
	"	movq %rbp, \\name+48(%rip)\n"
	"	movq %rsp, \\name+56(%rip)\n"
	"	movq %r8, \\name+64(%rip)\n"
	"	movq %r9, \\name+72(%rip)\n"
	"	movq %r10, \\name+80(%rip)\n"
	"	movq %r11, \\name+88(%rip)\n"
	"	fxsave64 \\name+96(%rip)\n"
	"	fninit\n"
	"	andq $-16, %rsp\n"
	"	call \\show\n"
	"	fxrstor64 \\name+96(%rip)\n"
	"	movq \\name+0(%rip), %rax\n"
	"	movq \\name+16(%rip), %rcx\n"
	"	movq \\name+24(%rip), %rdx\n"
	"	movq \\name+32(%rip), %rsi\n"
	"	movq \\name+40(%rip), %rdi\n"
	"	movq \\name+56(%rip), %rsp\n"
	"	movq \\name+64(%rip), %r8\n"
	"	movq \\name+72(%rip), %r9\n"
	"	movq \\name+80(%rip), %r10\n"
	"	movq \\name+88(%rip), %r11\n"
	".endm\n"
	".text\n"
	".globl stub_enter\n"
	".type stub_enter, @function\n"
	"stub_enter:\n"
	"	stub_snapshot stub_at_entry, stub_show_entry\n"
	"	popq stub_return_to(%rip)\n"
	"	call *stub(%rip)\n"
	"	stub_snapshot stub_at_return, stub_show_return\n"
	"	jmp *stub_return_to(%rip)\n"
	".size stub_enter, . - stub_enter\n");

struct shown {
	struct registers registers;
	struct regs regs;
	struct vregs vregs;
};

static const struct vregs *
shown_vregs(struct registers *registers)
{
	return &container_of(registers, struct shown, registers)->vregs;
}

static void
show(const struct snapshot *snapshot, void (*callback)(struct registers *))
{
	struct shown shown = { .registers.vregs = shown_vregs };

	shown.registers.regs = &shown.regs;
	shown.regs.gpr.rax = snapshot->rax;
	shown.regs.gpr.rdx = snapshot->rdx;
	shown.regs.gpr.rcx = snapshot->rcx;
	shown.regs.gpr.rsi = snapshot->rsi;
	shown.regs.gpr.rdi = snapshot->rdi;
	shown.regs.gpr.rsp = snapshot->rsp;
	shown.regs.gpr.r8 = snapshot->r8;
	shown.regs.gpr.r9 = snapshot->r9;
	shown.vregs.fxsave = snapshot->fxsave;
	callback(&shown.registers);
}

void
stub_show_entry(void)
{
	show(&stub_at_entry, stub.entered);
}

void
stub_show_return(void)
{
	show(&stub_at_return, stub.returned);
}
