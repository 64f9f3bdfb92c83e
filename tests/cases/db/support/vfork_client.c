/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Sends PostgreSQL a query through the socket that is given as an argument.
 * While it waits for the answer, a child of vfork(), which shares its memory
 * but has its own descriptors, closes the descriptor.
 */
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

static int base;

/* Reads until the server is ready for a query. */
static int
wait_for_the_server(void)
{
	static const char ready[] = "Z\0\0\0\5I";
	const size_t size = sizeof(ready) - 1;
	char said[4096];
	size_t have = 0;

	while (have < size || memcmp(said + have - size, ready, size) != 0) {
		ssize_t n = recv(base, said + have, sizeof(said) - have, 0);

		if (n <= 0)
			return -1;
		have += (size_t)n;
	}
	return 0;
}

int
main(int argc, char **argv)
{
	static const char start[] = "\0\0\0\47\0\3\0\0user\0xtrace\0"
				    "database\0postgres\0";
	static const char query[] = "Q\0\0\0\31SELECT pg_sleep(0.1)";
	struct sockaddr_un address = { .sun_family = AF_UNIX };
	pid_t child;

	if (argc < 2)
		return 2;
	snprintf(address.sun_path, sizeof(address.sun_path), "%s", argv[1]);
	base = socket(AF_UNIX, SOCK_STREAM, 0);
	if (connect(base, (struct sockaddr *)&address, sizeof(address)) < 0)
		return 3;
	if (send(base, start, sizeof(start), 0) != (ssize_t)sizeof(start) ||
	    wait_for_the_server() < 0)
		return 4;
	if (send(base, query, sizeof(query), 0) != (ssize_t)sizeof(query))
		return 5;
	child = vfork();
	if (child == 0) {
		close(base);
		_exit(0);
	}
	if (child < 0 || waitpid(child, NULL, 0) != child)
		return 6;
	return wait_for_the_server() < 0 ? 7 : 0;
}
