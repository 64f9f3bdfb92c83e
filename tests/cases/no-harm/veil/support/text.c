/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * For each line of input: calls f, passes the bytes of f to look(), whose
 * arguments are traced, and prints whether the bytes of f are those of its
 * file, read by pointer and through /proc/self/mem. Ends with 7 at the line
 * "stop".
 */
#include "subject.h"

#include <elf.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>

#define LENGTH 16

EXPORT NOINLINE int
f(int x)
{
	OPAQUE(x);
	return x * 31 + 7;
}

EXPORT NOINLINE int
look(const unsigned char *bytes)
{
	OPAQUE(bytes);
	return bytes[0] != 0;
}

extern const Elf64_Ehdr __ehdr_start;

/* The bytes of f in the file. */
static const unsigned char *
in_file(void)
{
	const Elf64_Ehdr *head = &__ehdr_start;
	const Elf64_Phdr *rows =
		(const void *)((const char *)head + head->e_phoff);
	uint64_t at = (uint64_t)f - (uint64_t)head;
	int fd = open("/proc/self/exe", O_RDONLY);
	struct stat st;
	const unsigned char *file;

	if (fd < 0 || fstat(fd, &st) < 0)
		exit(3);
	file = mmap(0, (size_t)st.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
	for (int i = 0; i < head->e_phnum; i++)
		if (rows[i].p_type == PT_LOAD &&
		    at - rows[i].p_vaddr < rows[i].p_filesz)
			return file + at - rows[i].p_vaddr + rows[i].p_offset;
	exit(3);
}

int
main(void)
{
	const unsigned char *wanted = in_file();
	const unsigned char *volatile mine = (const unsigned char *)f;
	int memory = open("/proc/self/mem", O_RDONLY);
	unsigned char read_back[LENGTH];
	char line[64];

	say("ready");
	while (fgets(line, sizeof(line), stdin) && strcmp(line, "stop\n")) {
		if (f(3) != 100 || look(mine) != 1)
			return 1;
		if (pread(memory, read_back, LENGTH, (off_t)mine) != LENGTH)
			return 2;
		say(memcmp(mine, wanted, LENGTH) ? "by pointer: changed"
						 : "by pointer: same");
		say(memcmp(read_back, wanted, LENGTH) ? "by file: changed"
						      : "by file: same");
	}
	return 7;
}
