/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The process sleeps until a pipe has bytes, or has no writer any more because
 * xtrace has ended. It is a grandchild in a session of its own: ^C in a
 * terminal does not reach it, and nobody has to wait for it. A second pipe
 * tells xtrace that it has given up its rights, and later that it has ended.
 *
 * It is forked before xtrace starts threads and tracees. All descriptors but
 * those of enum APART_* are closed.
 */
#include "network/apart.h"

#include "base/clock.h"
#include "base/fd.h"
#include "network/rights.h"
#include "process/spawn.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stddef.h>
#include <string.h>
#include <sys/prctl.h>
#include <unistd.h>

#define MS UINT64_C(1000000)

/* Before the process's descriptors get the numbers APART_*, they are duplicated
 * to numbers from here on, so that none overwrites another. */
#define MOVED 16

/* ---- the process --------------------------------------------------------- */

/* Gives the descriptors the numbers APART_*, and closes all other descriptors.
 * 0 or -errno. */
static int
arrange(int life, int ended, int given)
{
	life = fcntl(life, F_DUPFD, MOVED);
	ended = fcntl(ended, F_DUPFD, MOVED);
	given = given >= 0 ? fcntl(given, F_DUPFD, MOVED) : -1;
	if (dup2(life, APART_LIFE) < 0 || dup2(ended, APART_ENDED) < 0)
		return -errno;
	if (given >= 0 && dup2(given, APART_GIVEN) < 0)
		return -errno;
	close_range(given >= 0 ? APART_GIVEN + 1 : APART_GIVEN, ~0u, 0);
	fd_null_standard();
	return 0;
}

static never_returns void
live(const struct apart_work *work, int life, int ended)
{
	int code;

	setsid();
	signal(SIGPIPE, SIG_IGN);
	prctl(PR_SET_NAME, work->name);
	code = arrange(life, ended, work->given);
	if (code == 0 && chdir("/") < 0)
		code = -errno;
	if (code == 0)
		code = rights_drop();
	if (write(APART_ENDED, &code, sizeof(code)) != sizeof(code) || code < 0)
		_exit(1);
	work->run(work->argument);
	_exit(0);
}

bool
apart_awake(void)
{
	char bytes[256];
	ssize_t n;

	do
		n = read(APART_LIFE, bytes, sizeof(bytes));
	while (n > 0 || (n < 0 && errno == EINTR));
	return n < 0;
}

/* ---- xtrace -------------------------------------------------------------- */

static int
start_grandchild(const struct apart_work *work, const int *life,
		 const int *ended)
{
	pid_t child = fork();

	if (child < 0)
		return -errno;
	if (child == 0) {
		pid_t grandchild = fork();

		if (grandchild == 0)
			live(work, life[0], ended[1]);
		_exit(grandchild < 0);
	}
	return spawn_await(child) == 0 ? 0 : -EAGAIN;
}

/* Waits until the process has given up its rights. Returns what the process
 * then writes: 0, or -errno if it could not. */
static int
hear(int ended)
{
	ssize_t n;
	int code;

	do
		n = read(ended, &code, sizeof(code));
	while (n < 0 && errno == EINTR);
	return n == sizeof(code) ? code : -EAGAIN;
}

int
apart_start(struct apart *ret_apart, const struct apart_work *work,
	    struct err *err)
{
	int life[2] = { -1, -1 }, ended[2] = { -1, -1 }, r = 0;

	if (pipe2(life, O_CLOEXEC | O_NONBLOCK) < 0 ||
	    pipe2(ended, O_CLOEXEC) < 0)
		r = -errno;
	if (r == 0)
		r = start_grandchild(work, life, ended);
	fd_closep(&life[0]);
	fd_closep(&ended[1]);
	if (r == 0)
		r = hear(ended[0]);
	if (r == 0) {
		*ret_apart = (struct apart){ life[1], ended[0] };
		return 0;
	}
	fd_closep(&life[1]);
	fd_closep(&ended[0]);
	return err_set(err, r,
		       "%s: the process without rights cannot be started: %s",
		       work->name, strerror(-r));
}

void
apart_wake(struct apart *apart)
{
	/* If the pipe is full, the process has enough to wake it. */
	if (write(apart->pipe, "", 1) < 0)
		return;
}

bool
apart_end(struct apart *apart, unsigned milliseconds)
{
	struct pollfd end = { .fd = apart->ended, .events = POLLIN };
	uint64_t limit = clock_now() + milliseconds * MS, now;
	int r = -1;

	fd_closep(&apart->pipe);
	while (r < 0 && (now = clock_now()) < limit) {
		r = poll(&end, 1, (int)((limit - now) / MS) + 1);
		if (r < 0 && errno != EINTR)
			break;
	}
	fd_closep(&apart->ended);
	return r > 0;
}
