/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The prototypes are parsed before the command begins, and their layout depends
 * on the size of an address in the command's program. So xtrace first looks at
 * the file as the kernel will: the header of an ELF file tells its kind
 * (elf(5)), and a script begins with "#!" and the name of its interpreter. A
 * file of a kind that xtrace does not know may run in an emulator
 * (binfmt_misc), which is a program of xtrace's own kind.
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

/* How many files are looked at: the command, its interpreter, the interpreter's
 * interpreter. The kernel has a similar limit (exec_binprm() in fs/exec.c). */
#define INTERPRETERS_MOST 5

/* The members up to e_machine are the same in the headers of both classes. */
static unsigned
word_of(const Elf32_Ehdr *header)
{
	const struct arch *arch =
		arch_of_program(header->e_ident, header->e_machine);

	return arch ? arch->word : arch_of_host()->word;
}

unsigned
spawn_word(const char *name)
{
	char file[PATH_MAX], interpreter[PATH_MAX];

	if (spawn_find(name, file) != 0)
		return arch_of_host()->word;
	for (int i = 0; i < INTERPRETERS_MOST; i++) {
		/* O_NONBLOCK: do not wait for a writer if this is a FIFO. */
		cleanup(fd_closep) int fd =
			open(file, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
		Elf32_Ehdr start = { .e_type = ET_NONE };

		if (fd < 0 || read(fd, &start, sizeof(start)) < 0)
			break;
		if (!memcmp(start.e_ident, ELFMAG, SELFMAG))
			return word_of(&start);
		if (memcmp(start.e_ident, "#!", 2) != 0 ||
		    interpreter_of(file, interpreter, sizeof(interpreter)) < 0)
			break;
		memcpy(file, interpreter, sizeof(file));
	}
	return arch_of_host()->word;
}
