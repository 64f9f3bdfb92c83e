/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The prototypes of a run are parsed before its command begins, and for the
 * size of an address in that command's program. So the file is looked at first,
 * as the kernel will look at it: an ELF file has its class in the header
 * (elf(5)), a script begins with "#!" and its interpreter.
 */
#include "process/spawn.h"

#include "arch/arch.h"
#include "base/fd.h"
#include "process/interpreter.h"

#include <elf.h>
#include <fcntl.h>
#include <limits.h>
#include <string.h>
#include <unistd.h>

/* How many interpreters of interpreters the kernel follows
 * (BINPRM's limit in fs/exec.c). */
#define INTERPRETERS_MOST 5

unsigned
spawn_word(const char *name)
{
	char file[PATH_MAX], interpreter[PATH_MAX];

	if (spawn_find(name, file) != 0)
		return arch_of_host()->word;
	for (int i = 0; i < INTERPRETERS_MOST; i++) {
		cleanup(fd_closep) int fd = open(file, O_RDONLY | O_CLOEXEC);
		unsigned char start[EI_NIDENT] = { 0 };

		if (fd < 0 || read(fd, start, sizeof(start)) < 0)
			break;
		if (!memcmp(start, ELFMAG, SELFMAG))
			return start[EI_CLASS] == ELFCLASS32 ? 4 : 8;
		if (memcmp(start, "#!", 2) != 0 ||
		    interpreter_of(file, interpreter, sizeof(interpreter)) < 0)
			break;
		memcpy(file, interpreter, sizeof(file));
	}
	return arch_of_host()->word;
}
