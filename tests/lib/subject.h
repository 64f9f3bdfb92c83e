/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What subjects share. Nothing here is traced by accident, because the
 * functions are static and use system calls with unusual names. */
#ifndef SUBJECT_H
#define SUBJECT_H

#include <stdio.h>
#include <string.h>
#include <sys/uio.h>
#include <unistd.h>

#define NOINLINE __attribute__((noinline, noclone))
#define EXPORT __attribute__((visibility("default")))
/* Prevents that a call becomes a jump, and that a value is optimized away. */
#define OPAQUE(x) __asm__ volatile("" : "+r"(x) : : "memory")

/* Writes a line at once. */
static inline void
say(const char *line)
{
	struct iovec parts[] = { { (void *)line, strlen(line) },
				 { (void *)"\n", 1 } };

	if (writev(1, parts, 2) != (ssize_t)parts[0].iov_len + 1)
		_exit(99);
}

/* Waits for a line of input; the runner writes one when xtrace is attached. */
static inline void
await_line(void)
{
	char c;

	while (read(0, &c, 1) == 1 && c != '\n')
		;
}

static inline void
ready(void)
{
	say("ready");
	await_line();
}

#endif
