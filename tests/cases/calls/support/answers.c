/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Asks a server that speaks PostgreSQL's protocol. The server takes a known
 * time, counted from when it gets the query.
 *
 *	answers MS
 *
 * Between sending and receiving it calls held() many times. It prints how long
 * the server took, and how long these calls took, in seconds.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define CALLS 1000

static long
now(void)
{
	struct timespec time;

	clock_gettime(CLOCK_MONOTONIC, &time);
	return time.tv_sec * 1000000000 + time.tv_nsec;
}

__attribute__((noinline)) int
held(int number)
{
	return number + 1;
}

static const char startup[] = "\0\0\0\x10\0\x03\0\0user\0x\0";
static const char ready[] = "R\0\0\0\x08\0\0\0\0Z\0\0\0\x05I";
static const char ask[] = "Q\0\0\0\x0dSELECT 1\0";
static const char answer[] = "C\0\0\0\x0dSELECT 1\0Z\0\0\0\x05I";

static void
get(int from)
{
	char bytes[512];

	if (recv(from, bytes, sizeof(bytes), 0) <= 0)
		_exit(3);
}

static void
put(int to, const char *bytes, size_t length)
{
	if (send(to, bytes, length, 0) != (ssize_t)length)
		_exit(4);
}

static void
serve(int socket, int pipe, long ms)
{
	long began;

	get(socket);
	put(socket, ready, sizeof(ready) - 1);
	get(socket);
	began = now();
	while (now() - began < ms * 1000000)
		usleep(1000);
	began = now() - began;
	put(socket, answer, sizeof(answer) - 1);
	if (write(pipe, &began, sizeof(began)) != sizeof(began))
		_exit(5);
}

int
main(int argc, char **argv)
{
	int ends[2], told[2], sum = 0;
	long took = 0, busy;

	if (socketpair(AF_UNIX, SOCK_STREAM, 0, ends) < 0 || pipe(told) < 0)
		return 1;
	if (fork() == 0) {
		serve(ends[1], told[1], argc > 1 ? atol(argv[1]) : 100);
		_exit(0);
	}
	put(ends[0], startup, sizeof(startup) - 1);
	get(ends[0]);
	put(ends[0], ask, sizeof(ask) - 1);
	busy = now();
	for (int i = 0; i < CALLS; i++)
		sum = held(sum);
	busy = now() - busy;
	get(ends[0]);
	if (read(told[0], &took, sizeof(took)) != sizeof(took))
		return 2;
	wait(NULL);
	printf("%.9f %.9f\n", (double)took / 1e9, (double)busy / 1e9);
	return sum != CALLS;
}
