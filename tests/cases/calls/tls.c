/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The compiler calls __tls_get_addr without aligning the stack, and in the
 * middle of leaf functions.
 *
 * LIB: libmod.so -DMOD -O2
 * LDFLAGS: -lmod -pthread
 *
 * RUN: xtrace --pid=never -x __tls_get_addr %t
 * CONTAINS:
 *   __tls_get_addr(%any) = %hex
 *
 * RUN: xtrace --pid=never -x __tls_get_addr+bump %t
 * COUNT: 8 bump(%any
 */
#include "subject.h"
#include <pthread.h>

int bump(int x);

#ifdef MOD
static __thread int own;
__thread int shared = 3;

int
bump(int x)
{
	own += x;
	return own + shared++;
}
#else
static void *
run(void *unused)
{
	(void)unused;
	for (int i = 0; i < 4; i++)
		bump(i);
	return (void *)(long)bump(0);
}

int
main(void)
{
	pthread_t thread;
	void *result;

	bump(1);
	bump(2);
	pthread_create(&thread, 0, run, 0);
	pthread_join(thread, &result);
	/* In the thread own is 0 + 1 + 2 + 3 + 0, and shared is 3 + 4. */
	return (long)result != 13 || bump(0) != 3 + 5;
}
#endif
