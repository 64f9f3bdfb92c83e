/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Two threads are within functions when xtrace attaches: one waits, the other
 * computes, before the main thread waits for its second line of input. At that
 * line both return, and call once more.
 *
 * LIB: libmod.so -DMOD
 * CFLAGS: -fno-optimize-sibling-calls -pthread
 * LDFLAGS: -lmod -pthread
 * VARIANT: fast -O2 -fomit-frame-pointer
 * VARIANT: plain -O0 -fno-omit-frame-pointer
 */
#include <subject.h>

int query(const char *text, int length, long limit, int (*wait)(void));
int spin(int n, int (*on)(void));

#ifdef MOD

EXPORT int
query(const char *text, int length, long limit, int (*wait)(void))
{
	int r = wait() + length;

	OPAQUE(text);
	OPAQUE(limit);
	return r;
}

EXPORT int
spin(int n, int (*on)(void))
{
	while (on())
		OPAQUE(n);
	return n;
}

#else

#include <pthread.h>
#include <stdatomic.h>

static int pipes[2];
static atomic_int begun, over;

NOINLINE int
wait_in_read(void)
{
	char byte;

	return (int)read(pipes[0], &byte, 1);
}

NOINLINE int
not_over(void)
{
	atomic_store(&begun, 1);
	return !atomic_load(&over);
}

NOINLINE int
ask(void)
{
	int r = query("SELECT 1", 8, 42, wait_in_read);

	OPAQUE(r);
	return r;
}

static void *
waiter(void *unused)
{
	(void)unused;
	ask();
	ask();
	return NULL;
}

static void *
worker(void *unused)
{
	int r = spin(7, not_over);

	OPAQUE(r);
	r = spin(8, not_over);
	OPAQUE(r);
	return unused;
}

int
main(void)
{
	pthread_t threads[2];

	if (pipe(pipes))
		return 97;
	pthread_create(&threads[0], NULL, waiter, NULL);
	await_line();
	pthread_create(&threads[1], NULL, worker, NULL);
	while (!atomic_load(&begun))
		usleep(1000);
	await_line();
	ready();
	atomic_store(&over, 1);
	pthread_join(threads[1], NULL);
	if (write(pipes[1], "xy", 2) != 2)
		return 96;
	pthread_join(threads[0], NULL);
	return 0;
}

#endif
