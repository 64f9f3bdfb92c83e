/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The facts of x86-64, each with its source, and the functions of this folder.
 * The trap is int3 (Intel SDM 2, "INT3"): one byte, so it fits on every
 * instruction. The CPU reports it after its execution, with the pc behind it,
 * and the kernel sends SIGTRAP with SI_KERNEL (arch/x86/kernel/traps.c,
 * do_int3).
 */
#include "arch/arch.h"

#include "arch/i386/i386.h"
#include "arch/x86/int3.h"
#include "arch/x86_64/accessor.h"
#include "arch/x86_64/argument.h"
#include "arch/x86_64/branch.h"
#include "arch/x86_64/caller.h"
#include "arch/x86_64/check.h"
#include "arch/x86_64/meter.h"
#include "arch/x86_64/calling.h"
#include "arch/x86_64/data.h"
#include "arch/x86_64/dwarf.h"
#include "arch/x86_64/imports.h"
#include "arch/x86_64/insn_effect.h"
#include "arch/x86_64/libc.h"
#include "arch/x86_64/operand.h"
#include "arch/x86_64/pun.h"
#include "arch/x86_64/relocate.h"
#include "arch/x86_64/stub.h"
#include "arch/x86_64/system_call.h"
#include "arch/x86_64/window.h"

#include <elf.h>
#include <linux/audit.h>
#include <signal.h>
#include <stddef.h>

static const struct arch_code code = {
	.instruction = x86_64_instruction,
	.may_jump_to = x86_64_may_jump_to,
	.argument_given = x86_64_argument_given,
	.argument_kept = x86_64_argument_kept,
	.caller = x86_64_caller,
	.called = x86_64_called,
	.data_address = x86_64_data_address,
	.accessor = x86_64_accessor,
};

static const struct arch_jump jump = {
	.length = JUMP_LENGTH,
	.board_length = JUMP_LENGTH,
	.window = x86_64_window,
	.place = x86_64_pun,
	.board = x86_64_board,
	.check = x86_64_check,
	.check_undo = x86_64_check_undo,
	.meter_written = x86_64_meter_written,
	.ticks = x86_64_ticks,
};

static const struct arch x86_64 = {
	.name = "x86-64",
	.word = sizeof(uint64_t),
	.elf = {
		.machine = EM_X86_64,
		.class = ELFCLASS64,
		.data = ELFDATA2LSB,
		/* The relocations by their numbers (psABI 4.4.1). */
		.relocations = {
			.relative = R_X86_64_RELATIVE,
			.word = R_X86_64_64,
			.jump_slot = R_X86_64_JUMP_SLOT,
			.glob_dat = R_X86_64_GLOB_DAT,
			.irelative = R_X86_64_IRELATIVE,
		},
	},
	.audit = AUDIT_ARCH_X86_64,
	.trap = {
		.bytes = { INT3 },
		.length = 1,
		.behind = 1,
		.code = SI_KERNEL,
	},
	.system_call = &x86_64_system_call,
	.calling = &x86_64_calling,
	.dwarf = &x86_64_dwarf,
	.code = &code,
	.imports = &x86_64_imports,
	.libc = &x86_64_libc,
	.jump = &jump,
	/* TASK_SIZE_MAX with five levels of pages
	 * (Documentation/arch/x86/x86_64/mm.rst). */
	.top = UINT64_C(1) << 56,
	/* A relative operand reaches 2 GiB; the margin covers offsets that the
	 * operand adds. */
	.reach = UINT64_C(0x7fff0000),
	.relocate = x86_64_relocate,
	.operand = x86_64_operand,
	.shows_stepping = x86_64_shows_stepping,
	.stub_build = x86_64_stub_build,
	.stub_end = x86_64_stub_end,
};

const struct arch *const arch_known[] = { &x86_64, &i386, NULL };
