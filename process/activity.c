/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A kept descriptor of a thread that has ended reads -ESRCH, even if another
 * thread has the tid by then. A program may have more threads than we may have
 * descriptors. So a descriptor whose number is in the last quarter of the limit
 * is closed after the reading.
 */
#include "process/activity.h"

#include "base/fd.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

/* The most bytes of /proc/PID/task/TID/syscall, which has nine numbers of up to
 * 16 digits, and of schedstat, which has three numbers. */
#define CONTENT 256

static bool
may_keep(int fd)
{
	struct rlimit limit;

	return getrlimit(RLIMIT_NOFILE, &limit) == 0 &&
	       (rlim_t)fd < limit.rlim_cur / 4 * 3;
}

static int
read_kept(const struct activity *activity, int *fd, const char *file, char *to)
{
	char path[64];
	bool keep = true;
	ssize_t n;
	int r;

	if (*fd < 0) {
		snprintf(path, sizeof(path), "/proc/%d/task/%d/%s",
			 activity->pid, activity->tid, file);
		*fd = open(path, O_RDONLY | O_CLOEXEC);
		if (*fd < 0)
			return -errno;
		keep = may_keep(*fd);
	}
	n = pread(*fd, to, CONTENT - 1, 0);
	r = n < 0 ? -errno : n == 0 ? -ESRCH : 0;
	to[n > 0 ? n : 0] = '\0';
	if (r < 0 || !keep)
		fd_closep(fd);
	return r;
}

void
activity_init(struct activity *activity, pid_t pid, pid_t tid)
{
	*activity = (struct activity){
		.pid = pid, .tid = tid, .times = -1, .call = -1
	};
}

void
activity_release(struct activity *activity)
{
	fd_closep(&activity->times);
	fd_closep(&activity->call);
}

int
activity_times(struct activity *activity, struct activity_times *ret_times)
{
	char text[CONTENT], *rest;
	int r = read_kept(activity, &activity->times, "schedstat", text);

	if (r < 0)
		return r;
	ret_times->cpu = strtoull(text, &rest, 10);
	ret_times->delay = strtoull(rest, &rest, 10);
	ret_times->runs = strtoull(rest, &rest, 10);
	return 0;
}

int
activity_call(struct activity *activity, struct blocked *ret_blocked)
{
	char text[CONTENT];
	int r = read_kept(activity, &activity->call, "syscall", text);

	if (r == 0)
		status_parse_blocked(text, ret_blocked);
	return r;
}
