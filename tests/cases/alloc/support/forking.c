/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Gets memory before and after fork(), vfork() and exec, and in children that
 * are killed. Aborts at a wrong result. With "rounds N", does so N times, and
 * then executes itself with "last". Without a word, repeats it until standard
 * input ends. Each line of input is answered after the next round.
 *
 * CFLAGS: -O1 -fno-optimize-sibling-calls
 */
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#define PIECE (256ul << 10)

static char *program;

__attribute__((always_inline)) static inline char *
piece(void)
{
	char *at = mmap(NULL, PIECE, PROT_READ | PROT_WRITE,
			MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (at == MAP_FAILED)
		abort();
	memset(at, 'x', PIECE);
	return at;
}

/* Each function is a row of the table. The memory is given back by the next
 * call: what is given back at once is not counted. */
#define PART(name)                                       \
	__attribute__((noinline)) static void name(void) \
	{                                                \
		static char *before;                     \
		char *got = piece();                     \
		if (got[PIECE - 1] != 'x')               \
			abort();                         \
		__asm__ volatile("" ::: "memory");       \
		if (before)                              \
			munmap(before, PIECE);           \
		before = got;                            \
		free(malloc(PIECE));                     \
	}
PART(in_parent)
PART(in_child)
PART(in_killed)
PART(in_killed_anywhere)
PART(in_executed)
PART(in_last)

static void
ends_so(pid_t pid, int wanted)
{
	int status;

	while (waitpid(pid, &status, 0) < 0)
		if (errno != EINTR)
			abort();
	if (status != wanted)
		abort();
}

static void
executes(pid_t (*begin)(void))
{
	char *const words[] = { program, "executed", NULL };
	pid_t pid = begin == vfork ? vfork() : fork();

	if (pid == 0) {
		execv(program, words);
		_exit(9);
	}
	ends_so(pid, 5 << 8);
}

static void
go_round(void)
{
	pid_t pid;

	in_parent();
	pid = fork();
	if (pid == 0) {
		in_child();
		_exit(3);
	}
	in_parent();
	ends_so(pid, 3 << 8);
	pid = fork();
	if (pid == 0) {
		in_killed();
		raise(SIGKILL);
	}
	ends_so(pid, SIGKILL);
	/* This child is killed at any moment. */
	pid = fork();
	if (pid == 0)
		for (;;)
			in_killed_anywhere();
	in_parent();
	kill(pid, SIGKILL);
	ends_so(pid, SIGKILL);
	executes(vfork);
	executes(fork);
}

int
main(int argc, char **argv)
{
	char *const last[] = { argv[0], "last", NULL };
	char line[16];

	program = argv[0];
	if (argc > 1 && !strcmp(argv[1], "executed")) {
		in_executed();
		return 5;
	}
	if (argc > 1 && !strcmp(argv[1], "last")) {
		in_last();
		puts("last");
		return 6;
	}
	if (argc > 2) {
		for (int i = atoi(argv[2]); i > 0; i--)
			go_round();
		execv(program, last);
		return 9;
	}
	puts("ready");
	fflush(stdout);
	while (fgets(line, sizeof(line), stdin)) {
		for (int i = 0; i < 3; i++)
			go_round();
		puts("round");
		fflush(stdout);
	}
	return 0;
}
