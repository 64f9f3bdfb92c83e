/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Prints the address of f, and runs until a file appears, which says that its
 * memory map has been read. It then maps all free pages below its text, and
 * makes another file to say so. See overtaken.py.
 */
#define _GNU_SOURCE
#include "subject.h"
#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>

#define SIZE (64UL << 20)
#define PATTERN 0x5a

NOINLINE int
f(int x)
{
	OPAQUE(x);
	return x;
}

static uintptr_t
lowest(void)
{
	char line[256] = "";
	FILE *file = fopen("/proc/self/maps", "r");

	if (!file || !fgets(line, sizeof(line), file))
		exit(2);
	fclose(file);
	return strtoul(line, 0, 16);
}

int
main(int argc, char **argv)
{
	char *own = (char *)lowest() - SIZE, line[32];

	if (argc != 3)
		return 3;
	snprintf(line, sizeof(line), "%#lx", (unsigned long)(uintptr_t)f);
	say(line);
	say("ready");
	while (access(argv[1], F_OK))
		;
	if (mmap(own, SIZE, PROT_READ | PROT_WRITE,
		 MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1,
		 0) != own)
		return 4;
	memset(own, PATTERN, SIZE);
	say("mapped");
	close(open(argv[2], O_CREAT | O_WRONLY, 0600));
	await_line();
	if (f(5) != 5)
		return 5;
	for (size_t i = 0; i < SIZE; i++) {
		if (own[i] != PATTERN)
			return 6;
	}
	return 0;
}
