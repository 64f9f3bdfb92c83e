/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * execve(2) returns ENOENT both for a file that does not exist and for a file
 * whose interpreter does not exist. To tell the user which one is missing, the
 * start of the file is read as the kernel reads it: "#!", blanks, and a path up
 * to the next blank (fs/binfmt_script.c); or the program headers of an ELF file
 * (elf(5), PT_INTERP).
 */
#include "process/interpreter.h"

#include "base/attr.h"
#include "base/fd.h"

#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* The kernel's BINPRM_BUF_SIZE: how much of a script it reads for the first
 * line */
#define SCRIPT_START 256
#define BLANKS " \t"

static int
of_script(char *line, char *ret_path, size_t size)
{
	char *path = line + 2 + strspn(line + 2, BLANKS);

	path[strcspn(path, BLANKS "\n")] = '\0';
	snprintf(ret_path, size, "%s", path);
	return *path ? 0 : -ENOEXEC;
}

/* Stores the text at an offset of the file, without a NUL. */
static int
take_text(int fd, uint64_t offset, uint64_t length, char *ret_path, size_t size)
{
	ssize_t n;

	if (length >= size)
		return -ENOEXEC;
	n = pread(fd, ret_path, length, (off_t)offset);
	if (n <= 0)
		return -ENOEXEC;
	ret_path[n] = '\0';
	return 0;
}

static int
of_elf(int fd, const Elf64_Ehdr *header, char *ret_path, size_t size)
{
	Elf64_Phdr part;

	for (unsigned i = 0; i < header->e_phnum; i++) {
		off_t at = (off_t)(header->e_phoff + i * sizeof(part));

		if (pread(fd, &part, sizeof(part), at) != sizeof(part))
			break;
		if (part.p_type == PT_INTERP)
			return take_text(fd, part.p_offset, part.p_filesz,
					 ret_path, size);
	}
	return -ENOEXEC;
}

static int
of_narrow_elf(int fd, const Elf32_Ehdr *header, char *ret_path, size_t size)
{
	Elf32_Phdr part;

	for (unsigned i = 0; i < header->e_phnum; i++) {
		off_t at = (off_t)(header->e_phoff + i * sizeof(part));

		if (pread(fd, &part, sizeof(part), at) != sizeof(part))
			break;
		if (part.p_type == PT_INTERP)
			return take_text(fd, part.p_offset, part.p_filesz,
					 ret_path, size);
	}
	return -ENOEXEC;
}

int
interpreter_of(const char *file, char *ret_path, size_t size)
{
	cleanup(fd_closep) int fd = open(file, O_RDONLY | O_CLOEXEC);
	union {
		char text[SCRIPT_START + 1];
		Elf64_Ehdr elf;
		Elf32_Ehdr narrow;
	} start = { .text = "" };

	if (fd < 0)
		return -errno;
	if (read(fd, start.text, SCRIPT_START) < 2)
		return -ENOEXEC;
	if (!strncmp(start.text, "#!", 2))
		return of_script(start.text, ret_path, size);
	if (memcmp(start.text, ELFMAG, SELFMAG) != 0)
		return -ENOEXEC;
	switch (start.elf.e_ident[EI_CLASS]) {
	case ELFCLASS64:
		return of_elf(fd, &start.elf, ret_path, size);
	case ELFCLASS32:
		return of_narrow_elf(fd, &start.narrow, ret_path, size);
	default:
		return -ENOEXEC;
	}
}
