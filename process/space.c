/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reads and writes a tracee's memory. pread() of an open /proc/PID/mem is
 * faster than process_vm_readv and much faster than PTRACE_PEEKDATA. It works
 * on running threads and ignores page protections. The descriptor belongs to
 * the memory map at the time of its opening. After an exec it reads nothing,
 * and the process has a new space.
 *
 * pread() of /proc/PID/mem returns EIO for an unmapped page and 0 if the
 * process has no memory any more (kernel: fs/proc/base.c, mem_rw).
 */
#include "process/space.h"

#include "arch/syscall.h"
#include "base/fd.h"
#include "base/xmalloc.h"
#include "process/status.h"
#include "process/tally.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

#define SPANS_AT_ONCE 128u

static int
space_read(struct reader *reader, addr_t from, void *to, size_t length)
{
	struct space *space = container_of(reader, struct space, reader);
	int r = space_read_raw(space, from, to, length);

	if (r == 0 && space->veil)
		space->veil->cover(space->veil, from, to, length);
	return r;
}

/* Uses process_vm_readv(), because /proc/PID/mem cannot read several spans at
 * once. process_vm_readv() fails for a process whose leader has ended. Counts
 * only spans that were read completely. */
static size_t
space_read_spans(struct reader *reader, const struct span *spans, size_t count)
{
	struct space *space = container_of(reader, struct space, reader);
	struct iovec ours[SPANS_AT_ONCE], theirs[SPANS_AT_ONCE];
	size_t n = count < SPANS_AT_ONCE ? count : SPANS_AT_ONCE, done = 0;
	size_t wanted = 0;
	ssize_t got;

	for (size_t i = 0; i < n; i++) {
		ours[i] = (struct iovec){ spans[i].to, spans[i].length };
		theirs[i] = (struct iovec){ (void *)spans[i].from,
					    spans[i].length };
		wanted += spans[i].length;
	}
	tally_read(space->tally, wanted);
	got = process_vm_readv(space->pid, ours, n, theirs, n, 0);
	while (done < n && got >= (ssize_t)spans[done].length) {
		const struct span *span = &spans[done++];

		got -= (ssize_t)span->length;
		if (space->veil)
			space->veil->cover(space->veil, span->from, span->to,
					   span->length);
	}
	return done;
}

int
space_open(struct space *space, struct err *err)
{
	pid_t tid = status_living(space->pid);
	char path[64];
	int r;

	fd_closep(&space->memory);
	snprintf(path, sizeof(path), "/proc/%d/mem", tid);
	space->memory = open(path, O_RDWR | O_CLOEXEC);
	if (space->memory >= 0)
		return 0;
	r = -errno;
	/* /proc with hidepid= also hides processes that live (proc(5)). */
	if (r == -ESRCH || (r == -ENOENT && kill(tid, 0) < 0 && errno == ESRCH))
		return err_set(err, -ESRCH, "process %d has ended", space->pid);
	errno = -r;
	return err_set(err, r, "cannot open %s: %m", path);
}

struct space *
space_new(pid_t pid, struct tally *tally)
{
	static unsigned last_serial;
	struct space *space = xcalloc(1, sizeof(*space));

	space->reader.read = space_read;
	space->reader.read_spans = space_read_spans;
	space->arch = arch_of_host();
	space->pid = pid;
	space->memory = -1;
	space->users = 1;
	space->serial = ++last_serial;
	space->tally = tally;
	return space;
}

struct space *
space_ref(struct space *space)
{
	space->users++;
	return space;
}

void
space_unref(struct space *space)
{
	if (!space)
		return;
	assert(space->users > 0);
	if (--space->users > 0)
		return;
	fd_closep(&space->memory);
	free(space);
}

static int
read_vm(struct space *space, addr_t from, void *to, size_t length)
{
	struct iovec ours = { to, length };
	struct iovec theirs = { (void *)from, length };
	ssize_t n = process_vm_readv(space->pid, &ours, 1, &theirs, 1, 0);

	if (n < 0)
		return -errno;
	return (size_t)n == length ? 0 : -EFAULT;
}

int
space_read_raw(struct space *space, addr_t from, void *to, size_t length)
{
	long n;

	tally_read(space->tally, length);
	if (space->memory < 0)
		return read_vm(space, from, to, length);
	n = system_call(SYS_pread64, space->memory, (long)to, (long)length,
			(long)from, 0);
	if (n == (long)length)
		return 0;
	if (n == 0 && length > 0)
		return -ESRCH;
	return -EFAULT;
}

int
space_write(struct space *space, addr_t to, const void *from, size_t length)
{
	ssize_t n;

	tally_write(space->tally, length);
	if (space->memory < 0)
		return -EPERM;
	n = pwrite(space->memory, from, length, (off_t)to);
	if (n == (ssize_t)length)
		return 0;
	if (n == 0 && length > 0)
		return -ESRCH;
	return n < 0 && errno == EPERM ? -EPERM : -EFAULT;
}
