/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * hostile.py renames the functions of these object files: a program and two
 * libraries, and a library with a function that cannot be traced.
 */
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>

#define EACH(row)                                                             \
	row(0) row(1) row(2) row(3) row(4) row(5) row(6) row(7) row(8) row(9) \
		row(10) row(11)
#define DECLARE(n) int name_##n(int);
#define DEFINE(n)             \
	int name_##n(int i)   \
	{                     \
		return i + n; \
	}
#define CALL(n) sum += name_##n(1);

int nest(int);
int second(int);
int twin(int);

#if defined(FIRST)

EACH(DECLARE)
EACH(DEFINE)

int
twin(int i)
{
	return i + 1;
}

int
nest(int i)
{
	return second(i) + 1;
}

#elif defined(SECOND)

int
twin(int i)
{
	return i + 2;
}

int
second(int i)
{
	return twin(i) + 1;
}

#elif defined(REFUSED)

/* This function cannot be traced: the kernel stores the address behind
 * `syscall` in a register, so the instruction cannot be displaced. */
__asm__(".globl refused\n"
	".type refused, @function\n"
	"refused:\n"
	"	syscall\n"
	"	ret\n"
	".size refused, . - refused");

#else

EACH(DECLARE)

int
main(int argc, char **argv)
{
	int sum = 0;

	prctl(PR_SET_NAME, "c\033[31m\nx");
	EACH(CALL)
	sum += nest(1) + twin(1);
	if (argc > 1 && !strcmp(argv[1], "wait")) {
		puts("ready");
		fflush(stdout);
		getchar();
	}
	return sum == 85 ? 0 : 1;
}

#endif
