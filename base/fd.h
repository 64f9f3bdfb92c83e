/* SPDX-License-Identifier: GPL-2.0-or-later */
/* File descriptors: closing them on the way out, writing and reading whole. */
#ifndef BASE_FD_H
#define BASE_FD_H

#include "base/attr.h"

#include <stdbool.h>
#include <stddef.h>

/* cleanup(fd_closep) int fd = open(...); */
void fd_closep(int *fd);

/* Could as many more be opened now? */
bool fd_spare(unsigned count);

/* Waits until it takes bytes, or would fail: false where it takes none for so
 * long. */
bool fd_await_room(int fd, unsigned milliseconds);

/* All of it, across short writes and EINTR: 0 or -errno. */
must_check int fd_write_all(int fd, const void *bytes, size_t length);

/*
 * Reads to the end of the file, and puts a NUL behind it that *ret_length,
 * which may be NULL, does not count. The caller frees *ret_text. -EFBIG if
 * there are limit bytes or more.
 */
must_check int fd_read(int fd, size_t limit, char **ret_text,
		       size_t *ret_length);
/*
 * The whole of a file, also of one that has no size (/proc), with a NUL
 * behind it that *ret_length does not count. Freed by the caller.
 */
must_check int fd_read_file(const char *path, char **ret_text,
			    size_t *ret_length);

#endif
