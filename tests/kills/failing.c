/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Makes memory run out, by LD_PRELOAD: the FAILING_AT-th request for memory
 * (malloc and similar functions, also from within libraries; mmap; a thread; a
 * process) fails, and with FAILING_ON all later ones, too. FAILING_COUNTS is a
 * file of two numbers: the requests so far, and the failed ones.
 *
 * Programs that this program starts are not affected.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

static struct counts {
	_Atomic long asked, failed;
} nowhere, *counts = &nowhere;
static long fail_at;
static int fail_on;

void *__libc_malloc(size_t);
void *__libc_calloc(size_t, size_t);
void *__libc_realloc(void *, size_t);
void *__libc_memalign(size_t, size_t);

static int
fails(void)
{
	long number;

	if (!fail_at)
		return 0;
	number = ++counts->asked;
	if (number != fail_at && !(fail_on && number > fail_at))
		return 0;
	counts->failed++;
	errno = ENOMEM;
	return 1;
}

static void *
map(void *at, size_t length, int protection, int flags, int fd, off_t offset)
{
	return (void *)syscall(SYS_mmap, at, length, protection, flags, fd,
			       offset);
}

__attribute__((constructor)) static void
begin(void)
{
	const char *at = getenv("FAILING_AT"), *on = getenv("FAILING_ON");
	const char *path = getenv("FAILING_COUNTS");
	int fd = path ? open(path, O_RDWR | O_CLOEXEC) : -1;

	if (fd >= 0) {
		counts = map(0, sizeof(*counts), PROT_READ | PROT_WRITE,
			     MAP_SHARED, fd, 0);
		close(fd);
	}
	fail_on = on && *on == '1';
	unsetenv("LD_PRELOAD");
	unsetenv("FAILING_ON");
	unsetenv("FAILING_COUNTS");
	fail_at = at ? atol(at) : 0;
	unsetenv("FAILING_AT");
}

void *
malloc(size_t size)
{
	return fails() ? NULL : __libc_malloc(size);
}

void *
calloc(size_t count, size_t size)
{
	return fails() ? NULL : __libc_calloc(count, size);
}

void *
realloc(void *old, size_t size)
{
	return size && fails() ? NULL : __libc_realloc(old, size);
}

void *
reallocarray(void *old, size_t count, size_t size)
{
	size_t bytes;

	if (__builtin_mul_overflow(count, size, &bytes)) {
		errno = ENOMEM;
		return NULL;
	}
	return realloc(old, bytes);
}

void *
memalign(size_t alignment, size_t size)
{
	return fails() ? NULL : __libc_memalign(alignment, size);
}

void *
aligned_alloc(size_t alignment, size_t size)
{
	return memalign(alignment, size);
}

int
posix_memalign(void **ret, size_t alignment, size_t size)
{
	void *memory = memalign(alignment, size);

	if (!memory)
		return ENOMEM;
	*ret = memory;
	return 0;
}

void *
mmap(void *at, size_t length, int protection, int flags, int fd, off_t offset)
{
	return fails() ? MAP_FAILED
		       : map(at, length, protection, flags, fd, offset);
}

void *
mmap64(void *at, size_t length, int protection, int flags, int fd, off_t offset)
{
	return mmap(at, length, protection, flags, fd, offset);
}

int
pthread_create(pthread_t *thread, const pthread_attr_t *attributes,
	       void *(*begin_at)(void *), void *argument)
{
	int (*real)(pthread_t *, const pthread_attr_t *, void *(*)(void *),
		    void *);

	if (fails())
		return EAGAIN;
	*(void **)&real = dlsym(RTLD_NEXT, "pthread_create");
	return real(thread, attributes, begin_at, argument);
}

pid_t
fork(void)
{
	pid_t (*real)(void);

	if (fails())
		return -1;
	*(void **)&real = dlsym(RTLD_NEXT, "fork");
	return real();
}
