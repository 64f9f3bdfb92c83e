/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * When the first thread has ended, another is client and server at once.
 *
 * CFLAGS: -D_GNU_SOURCE
 * LDFLAGS: -pthread
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

static pthread_t first;

static void
say(int from, int to, const char *text)
{
	char bytes[200] = "";

	send(from, text, strlen(text), 0);
	recv(to, bytes, sizeof(bytes) - 1, 0);
	fputs(bytes, stdout);
}

/* The server's socket gets the descriptor number of this file. xtrace sees no
 * close(): fclose() closes the file without a call of the function close(). */
static void
write_file(void)
{
	int lower = dup(0);
	FILE *file = fopen("/dev/null", "w");

	for (int i = 0; i < 12; i++) {
		fputs("no request", file);
		fflush(file);
	}
	fclose(file);
	close(lower);
}

static void *
talk(void *unused)
{
	int ends[2];

	pthread_join(first, NULL);
	write_file();
	if (socketpair(AF_UNIX, SOCK_STREAM, 0, ends) < 0)
		exit(1);
	say(ends[0], ends[1], "GET /ended HTTP/1.1\r\n\r\n");
	say(ends[1], ends[0], "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n");
	exit(0);
	return unused;
}

int
main(void)
{
	pthread_t thread;

	first = pthread_self();
	pthread_create(&thread, NULL, talk, NULL);
	pthread_exit(NULL);
}
