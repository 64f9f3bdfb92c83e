/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A copy of our own stack at one moment, which can be damaged, with our
 * registers and modules.
 */
#ifndef TESTS_STACKS_COPIED_H
#define TESTS_STACKS_COPIED_H

#include "stacks/native.h"

#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <string.h>
#include <ucontext.h>
#include <unistd.h>

#define COPIED_ROOM 16384u

struct copied {
	struct reader reader;
	struct regs regs;
	addr_t at;
	size_t length; /* 0 if the stack could not be copied */
	uint8_t bytes[COPIED_ROOM];
};

static int
copied_read(struct reader *reader, addr_t from, void *to, size_t length)
{
	const struct copied *copied =
		container_of(reader, struct copied, reader);

	if (from < copied->at || from - copied->at > copied->length ||
	    copied->length - (from - copied->at) < length)
		return -EFAULT;
	memcpy(to, copied->bytes + (from - copied->at), length);
	return 0;
}

static int
copied_add_module(struct dl_phdr_info *info, size_t size, void *modules)
{
	const char *path =
		*info->dlpi_name ? info->dlpi_name : "/proc/self/exe";
	struct image *image;
	struct err err;

	(void)size;
	if (image_open(path, path, &image, &err) == 0) {
		modmap_add(modules, image, info->dlpi_addr);
		image_unref(image);
	}
	return 0;
}

__attribute__((noinline)) void copied_take(struct copied *copied);

/* Copies the stack from the frame of this function on. The walk of the copy
 * recognizes the function by its symbol, so a program includes this header only
 * once. */
void
copied_take(struct copied *copied)
{
	int memory = open("/proc/self/mem", O_RDONLY | O_CLOEXEC);
	ucontext_t context;
	const greg_t *r = context.uc_mcontext.gregs;
	struct regs *regs = &copied->regs;
	ssize_t length;

	getcontext(&context);
	regs->gpr.rip = (uint64_t)r[REG_RIP];
	regs->gpr.rsp = (uint64_t)r[REG_RSP];
	regs->gpr.rbp = (uint64_t)r[REG_RBP];
	regs->gpr.rbx = (uint64_t)r[REG_RBX];
	regs->gpr.r12 = (uint64_t)r[REG_R12];
	regs->gpr.r13 = (uint64_t)r[REG_R13];
	regs->gpr.r14 = (uint64_t)r[REG_R14];
	regs->gpr.r15 = (uint64_t)r[REG_R15];
	copied->at = regs->gpr.rsp;
	length = pread(memory, copied->bytes, COPIED_ROOM, (off_t)copied->at);
	copied->length = length > 0 ? (size_t)length : 0;
	copied->reader.read = copied_read;
	close(memory);
}

#endif
