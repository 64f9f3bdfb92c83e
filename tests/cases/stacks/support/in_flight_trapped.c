/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Four threads that call f with numbers that count up, until a line comes. See
 * in_flight_trapped.py.
 *
 * LDFLAGS: -pthread
 */
#include "subject.h"
#include <pthread.h>
#include <stdatomic.h>

static atomic_int over, wrong;

NOINLINE int
f(int x)
{
	OPAQUE(x);
	return x;
}

static void *
run(void *unused)
{
	for (int i = 0; !over; i++)
		wrong += f(i) != i;
	return unused;
}

int
main(void)
{
	pthread_t threads[4];

	for (int i = 0; i < 4; i++)
		pthread_create(&threads[i], 0, run, 0);
	ready();
	over = 1;
	for (int i = 0; i < 4; i++)
		pthread_join(threads[i], 0);
	return wrong;
}
