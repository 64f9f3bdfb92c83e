/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * head ROUNDS TURNS: a loop whose first instruction is the return address of a
 * call. A trap planted there for the call is hit in every turn of the loop,
 * too:
 *
 *	1:	call bench_int
 *	2:	dec turns
 *		jnz 2b
 *
 * Runs ROUNDS times. Prints the nanoseconds per turn.
 */
#include "bench/subject.h"

void head_round(long turns);
__asm__(".text\n"
	"head_round:\n"
	"	push %rbx\n"
	"	mov %rdi, %rbx\n"
	"	call bench_int@plt\n"
	"1:	dec %rbx\n"
	"	jnz 1b\n"
	"	pop %rbx\n"
	"	ret\n");

int
main(int argc, char **argv)
{
	long rounds = argc > 1 ? atol(argv[1]) : 10;
	long turns = argc > 2 ? atol(argv[2]) : 1000000;
	uint64_t start = subject_now();

	for (long i = 0; i < rounds; i++)
		head_round(turns);
	printf("%.3f\n", (double)(subject_now() - start) / (double)rounds /
				 (double)turns);
	return 0;
}
