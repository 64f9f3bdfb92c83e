/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * turns own|i386 ROUNDS: two threads pass a byte to each other, ROUNDS times,
 * by read(2) and write(2) of descriptors from 40 on. With i386, the calls are
 * made by int $0x80. Exits with 77 if the kernel does not have them.
 *
 * LDFLAGS: -pthread
 */
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#define FIRST 40

enum { I386_READ = 3, I386_WRITE = 4 };

static int rounds, foreign;
static char *bytes;

static long
call(int reads, int fd, char *byte)
{
	long number = reads ? I386_READ : I386_WRITE, result;

	if (!foreign)
		return syscall(reads ? SYS_read : SYS_write, fd, byte, 1L);
	__asm__ volatile("int $0x80"
			 : "=a"(result)
			 : "0"(number), "b"((long)fd), "c"(byte), "d"(1L)
			 : "memory", "r8", "r9", "r10", "r11");
	return (int)result;
}

static void
pass(int first, int in, int out, char *byte)
{
	for (int i = 0; i < rounds; i++) {
		if (first && call(0, out, byte) != 1)
			_exit(1);
		if (call(1, in, byte) != 1)
			_exit(2);
		if (!first && call(0, out, byte) != 1)
			_exit(3);
	}
}

static void *
answer(void *unused)
{
	pass(0, FIRST, FIRST + 3, bytes + 1);
	return unused;
}

static void
refused(int number)
{
	(void)number;
	_exit(77);
}

int
main(int argc, char **argv)
{
	pthread_t thread;
	int ends[4];

	if (argc < 3 || pipe(ends) < 0 || pipe(ends + 2) < 0)
		return 4;
	foreign = !strcmp(argv[1], "i386");
	rounds = atoi(argv[2]);
	for (int i = 0; i < 4; i++) {
		if (dup2(ends[i], FIRST + i) < 0)
			return 4;
	}
	bytes = mmap(NULL, 4096, PROT_READ | PROT_WRITE,
		     MAP_PRIVATE | MAP_ANONYMOUS | MAP_32BIT, -1, 0);
	if (bytes == MAP_FAILED)
		return 4;
	signal(SIGSEGV, refused);
	if (call(0, FIRST + 1, bytes) != 1 || call(1, FIRST, bytes) != 1)
		return 4;
	signal(SIGSEGV, SIG_DFL);
	if (pthread_create(&thread, NULL, answer, NULL) != 0)
		return 4;
	pass(1, FIRST + 2, FIRST + 1, bytes);
	return pthread_join(thread, NULL);
}
