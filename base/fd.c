/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Short reads and writes, and calls that a signal interrupts, are repeated
 * here, so that callers need not. */
#include "base/fd.h"

#include "base/clock.h"
#include "base/xmalloc.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdint.h>
#include <stdlib.h>
#include <unistd.h>

#define FIRST_ROOM 4096u

void
fd_closep(int *fd)
{
	if (*fd >= 0)
		close(*fd);
	*fd = -1;
}

bool
fd_spare(unsigned count)
{
	int fd = open("/", O_PATH | O_CLOEXEC);
	bool enough = fd >= 0 && (count <= 1 || fd_spare(count - 1));

	fd_closep(&fd);
	return enough;
}

bool
fd_await_room(int fd, unsigned milliseconds)
{
	struct pollfd room = { .fd = fd, .events = POLLOUT };
	uint64_t end = clock_now() + milliseconds * UINT64_C(1000000);
	int r;

	do {
		uint64_t now = clock_now();

		r = poll(&room, 1,
			 now < end ? (int)((end - now) / 1000000) : 0);
	} while (r < 0 && errno == EINTR);
	return r != 0;
}

int
fd_write_all(int fd, const void *bytes, size_t length)
{
	const char *at = bytes;

	while (length > 0) {
		ssize_t n = write(fd, at, length);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return -errno;
		at += n;
		length -= (size_t)n;
	}
	return 0;
}

int
fd_read(int fd, size_t limit, char **ret_text, size_t *ret_length)
{
	cleanup(freep) char *text = NULL;
	size_t length = 0, room = FIRST_ROOM;

	text = xmalloc(room);
	for (;;) {
		ssize_t n = read(fd, text + length, room - length - 1);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return -errno;
		if (n == 0)
			break;
		length += (size_t)n;
		if (length >= limit)
			return -EFBIG;
		if (length + 1 == room)
			text = xrealloc(text, room *= 2);
	}
	text[length] = '\0';
	*ret_text = take(text);
	if (ret_length)
		*ret_length = length;
	return 0;
}

void
fd_null_standard(void)
{
	int null = open("/dev/null", O_RDWR);

	for (int fd = 0; fd < 3; fd++) {
		if (null >= 0)
			dup2(null, fd);
		else
			close(fd);
	}
	if (null > 2)
		close(null);
}

int
fd_read_file(const char *path, char **ret_text, size_t *ret_length)
{
	cleanup(fd_closep) int fd = open(path, O_RDONLY | O_CLOEXEC);

	if (fd < 0)
		return -errno;
	return fd_read(fd, SIZE_MAX, ret_text, ret_length);
}
