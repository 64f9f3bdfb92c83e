/* SPDX-License-Identifier: GPL-2.0-or-later */
/* File descriptors: close them at the end of a block, read and write all
 * bytes. */
#ifndef BASE_FD_H
#define BASE_FD_H

#include "base/attr.h"

#include <stdbool.h>
#include <stddef.h>

/*
 * Closes a descriptor at the end of a block: cleanup(fd_closep) int fd =
 * open(...);
 */
void fd_closep(int *fd);

/* True if count more descriptors can be opened now. */
bool fd_spare(unsigned count);

/* Waits until fd can be written or an error occurs. Returns false if that does
 * not happen within the time. */
bool fd_await_room(int fd, unsigned milliseconds);

/* Opens /dev/null as the descriptors 0, 1 and 2; if it cannot be opened, they
 * are closed. */
void fd_null_standard(void);

/* Writes all bytes, in spite of short writes and EINTR. Returns 0 or -errno. */
must_check int fd_write_all(int fd, const void *bytes, size_t length);

/*
 * Reads to the end of the file and adds a NUL. *ret_length, which may be NULL,
 * does not count the NUL. The caller frees *ret_text. Fails with -EFBIG if
 * there are limit bytes or more.
 */
must_check int fd_read(int fd, size_t limit, char **ret_text,
		       size_t *ret_length);
/*
 * Reads a whole file, also a file in /proc, which has no size, and adds a NUL
 * that *ret_length does not count. The caller frees *ret_text.
 */
must_check int fd_read_file(const char *path, char **ret_text,
			    size_t *ret_length);

#endif
