/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Eight threads that call f all the time and watch its first byte. If the byte
 * is changed before and after a call, the call was surely traced; if it is
 * changed on one side only, the call was perhaps traced. The counters are in a
 * file that the test maps, too: for each thread calls, surely, perhaps, wrong.
 *
 * In the variant push, f begins with an instruction of one byte. Then another
 * instruction begins right behind the trap, and a thread that has executed the
 * first one continues there.
 *
 * CFLAGS: -O2
 * VARIANT: push -O2 -DPUSH
 * LDFLAGS: -pthread
 */
#include "subject.h"
#include <fcntl.h>
#include <pthread.h>
#include <stdlib.h>
#include <sys/mman.h>

#define THREADS 8

struct row {
	volatile long calls, surely, perhaps, wrong;
	long unused[4];
};

static struct row *rows;
static volatile int stop;
static unsigned char first;

#ifdef PUSH
#define F_BODY body
long f(long x);
NOINLINE long body(long x);
__asm__(".text\n"
	".globl f\n"
	".type f, @function\n"
	"f: push %rbp\n"
	"mov %rsp, %rbp\n"
	"call body\n"
	"pop %rbp\n"
	"ret\n"
	".size f, . - f\n");
#else
#define F_BODY f
#endif

NOINLINE long
F_BODY(long x)
{
	long y = x;

	for (int i = 0; i < 200; i++)
		OPAQUE(y);
	return y * 5 + 7;
}

static void *
run(void *argument)
{
	const volatile unsigned char *byte = (unsigned char *)f;
	struct row *row = argument;

	for (long i = 0; !stop; i++) {
		int before = *byte != first, after;

		row->wrong += f(i) != i * 5 + 7;
		after = *byte != first;
		row->calls++;
		row->surely += before && after;
		row->perhaps += before != after;
	}
	return 0;
}

int
main(int argc, char **argv)
{
	int file = open(argv[argc - 1], O_RDWR | O_CREAT, 0600);
	pthread_t threads[THREADS];

	first = *(const volatile unsigned char *)f;
	if (ftruncate(file, 4096) < 0)
		return 1;
	rows = mmap(0, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
	for (int i = 0; i < THREADS; i++)
		pthread_create(&threads[i], 0, run, &rows[i]);
	ready();
	stop = 1;
	for (int i = 0; i < THREADS; i++)
		pthread_join(threads[i], 0);
	for (int i = 0; i < THREADS; i++)
		if (rows[i].wrong)
			return 2;
	say("right");
	return 0;
}
