/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The facts of i386 programs under an x86-64 kernel, and the functions of this
 * folder. arch/x86_64 decodes and displaces their instructions, in the mode for
 * 32-bit code. The kernel gives their registers in the form of x86-64
 * (arch/regs.h): eax is in the low half of rax, and so on. The high halves are
 * 0 except in results of system calls.
 */
#include "arch/i386/i386.h"

#include "arch/i386/calling.h"
#include "arch/i386/code.h"
#include "arch/i386/dwarf.h"
#include "arch/i386/imports.h"
#include "arch/i386/libc.h"
#include "arch/i386/stub.h"
#include "arch/i386/system_call.h"
#include "arch/x86/int3.h"
#include "arch/x86_64/operand.h"
#include "arch/x86_64/relocate.h"

#include <elf.h>
#include <linux/audit.h>
#include <signal.h>

static int
relocate(const struct code *from, addr_t slot,
	 const struct relocate_limits *limits, struct relocated *ret_slot,
	 const char **ret_why)
{
	return relocate_in(INSN_MODE_32, from, slot, limits, ret_slot, ret_why);
}

const struct arch i386 = {
	.name = "i386",
	.word = sizeof(uint32_t),
	.elf = {
		.machine = EM_386,
		.class = ELFCLASS32,
		.data = ELFDATA2LSB,
		/* The relocations by their numbers (i386 psABI 2.7). */
		.relocations = {
			.relative = R_386_RELATIVE,
			.word = R_386_32,
			.jump_slot = R_386_JMP_SLOT,
			.glob_dat = R_386_GLOB_DAT,
			.irelative = R_386_IRELATIVE,
		},
	},
	.audit = AUDIT_ARCH_I386,
	.trap = {
		.bytes = { INT3 },
		.length = 1,
		.behind = 1,
		.code = SI_KERNEL,
	},
	.system_call = &i386_system_call,
	.calling = &i386_calling,
	.dwarf = &i386_dwarf,
	.code = &i386_code,
	.imports = &i386_imports,
	.libc = &i386_libc,
	/* The kernel's IA32_PAGE_OFFSET (arch/x86/include/asm/page_64_types.h,
	 * elf.h). */
	.top = UINT64_C(0xffffe000),
	/* A relative operand reaches every address, so there is no limit. */
	.reach = UINT32_MAX,
	.relocate = relocate,
	.operand = i386_operand,
	.shows_stepping = x86_64_shows_stepping,
	.stub_build = i386_stub_build,
	.stub_end = i386_stub_end,
};
