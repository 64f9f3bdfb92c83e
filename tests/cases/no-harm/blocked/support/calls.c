/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * One thread for each kind of system call that blocks. All of them sleep until
 * a time limit, whose seconds are an argument, or until they are woken by a
 * line of input. Each thread has the name of its kind. At the end it prints
 * whether its call returned the right result, and not too early. One more
 * thread makes the traced calls of f until the others are woken. Files are made
 * in the folder that is given as an argument. If an argument names a kind, only
 * that kind's thread is started, and all threads block until f is called at the
 * end.
 *
 * LDFLAGS: -pthread
 * VARIANT: wide
 * VARIANT: narrow -m32
 * VARIANT: time64 -m32 -D_FILE_OFFSET_BITS=64 -D_TIME_BITS=64
 */
#define _GNU_SOURCE
#include "spot.h"
#include "kinds_files.h"
#include "kinds_messages.h"
#include "kinds_others.h"
#include "kinds_sockets.h"
#include "kinds_waits.h"
#include <poll.h>
#include <stdbool.h>
#include <sys/prctl.h>

NOINLINE int
f(int x)
{
	OPAQUE(x);
	return x;
}

static long
in_calls(struct spot *s)
{
	const struct timespec pause = { 0, 5000000 };

	(void)s;
	for (int i = 0; !woken; i++) {
		f(i);
		nanosleep(&pause, 0);
	}
	return 0;
}

static const struct kind {
	const char *name;
	void (*make)(struct spot *s);
	long (*run)(struct spot *s);
	void (*wake)(struct spot *s); /* 0 if the call has a time limit */
	long result;
	int error;
} kinds[] = {
	{ "nanosleep", 0, in_nanosleep, 0, 0, 0 },
	{ "clock_nanosleep", 0, in_clock_nanosleep, 0, 0, 0 },
	{ "clock_nanosleep until", 0, in_clock_nanosleep_until, 0, 0, 0 },
	{ "poll", make_pipe, in_poll, 0, 0, 0 },
	{ "poll for good", make_pipe, in_poll_for_good, feed_pipe, 1, 0 },
	{ "poll of a pidfd", make_pidfd, in_poll_pidfd, feed_pipe, 1, 0 },
	{ "ppoll", make_pipe, in_ppoll, 0, 0, 0 },
	{ "ppoll read-only", make_read_only, in_ppoll_read_only, 0, 0, 0 },
	{ "select", make_pipe, in_select, 0, 0, 0 },
	{ "pselect", make_pipe, in_pselect, 0, 0, 0 },
	{ "epoll_wait", make_epoll, in_epoll_wait, 0, 0, 0 },
	{ "epoll_wait for good", make_epoll, in_epoll_wait_for_good, feed_pipe,
	  1, 0 },
	{ "epoll_pwait", make_epoll, in_epoll_pwait, 0, 0, 0 },
	{ "epoll_pwait2", make_epoll, in_epoll_pwait2, 0, 0, 0 },
	{ "futex", 0, in_futex, 0, -1, ETIMEDOUT },
	{ "futex bitset", 0, in_futex_bitset, 0, -1, ETIMEDOUT },
	{ "futex for good", 0, in_futex_for_good, wake_futex, 0, 0 },
	{ "futex_waitv", 0, in_futex_waitv, 0, -1, ETIMEDOUT },
	{ "pthread_cond_timedwait", 0, in_cond_timedwait, 0, -1, ETIMEDOUT },
	{ "read of a pipe", make_pipe, in_read, feed_pipe, 1, 0 },
	{ "readv", make_pipe, in_readv, feed_pipe, 1, 0 },
	{ "write to a full pipe", make_full_pipe, in_write, empty_pipe, 4096,
	  0 },
	{ "long write", make_pipe, in_long_write, drain_long_write, 256 * 1024,
	  0 },
	{ "open of a fifo", make_fifo, in_open, open_fifo, 0, 0 },
	{ "read of a socket", make_pair, in_read, feed_pipe, 1, 0 },
	{ "read of a terminal", make_tty, in_read, type_line, 1, 0 },
	{ "splice", make_pipes, in_splice, feed_pipe, 1, 0 },
	{ "tee", make_pipes, in_tee, feed_pipe, 1, 0 },
	{ "vmsplice", make_full_pipe, in_vmsplice, empty_pipe, 4096, 0 },
	{ "read of inotify", make_inotify, in_inotify, feed_pipe, 0, 0 },
	{ "read of eventfd", make_eventfd, in_counter, give_event, 8, 0 },
	{ "read of timerfd", make_timerfd, in_timerfd, 0, 8, 0 },
	{ "read of signalfd", make_signalfd, in_signalfd, signal_reader, 0, 0 },
	{ "recv", make_pair, in_recv, feed_pipe, 1, 0 },
	{ "recv, SO_RCVTIMEO", make_timed_pair, in_recv, 0, -1, EAGAIN },
	{ "read, SO_RCVTIMEO", make_timed_pair, in_read, 0, -1, EAGAIN },
	{ "recvmsg, SO_RCVTIMEO", make_timed_pair, in_recvmsg, 0, -1, EAGAIN },
	{ "recvmmsg", make_pair, in_recvmmsg, feed_pipe, 1, 0 },
	{ "recvfrom", make_datagram, in_recvfrom, feed_pipe, 1, 0 },
	{ "recv, MSG_WAITALL", make_half, in_recv_all, feed_pipe, 2, 0 },
	{ "send", make_full_pair, in_send, drain_pair, 4096, 0 },
	{ "send, SO_SNDTIMEO", make_timed_full_pair, in_send, 0, -1, EAGAIN },
	{ "accept", make_listener, in_accept, connect_to, 0, 0 },
	{ "accept, SO_RCVTIMEO", make_timed_listener, in_accept, 0, -1,
	  EAGAIN },
	{ "connect", make_full_listener, in_connect, accept_one, 0, 0 },
	{ "connect, SO_SNDTIMEO", make_timed_full_listener, in_connect, 0, -1,
	  EAGAIN },
	{ "close, SO_LINGER", make_linger, in_close, read_to_end, 0, 0 },
	{ "msgrcv", make_queue, in_msgrcv, send_message, 8, 0 },
	{ "msgsnd", make_full_queue, in_msgsnd, take_message, 0, 0 },
	{ "semop", make_semaphore, in_semop, give_semaphore, 0, 0 },
	{ "semtimedop", make_semaphore, in_semtimedop, 0, -1, EAGAIN },
	{ "mq_receive", make_mq, in_mq_receive, mq_give, 1, 0 },
	{ "mq_timedreceive", make_mq, in_mq_timedreceive, 0, -1, ETIMEDOUT },
	{ "mq_timedsend", make_full_mq, in_mq_timedsend, 0, -1, ETIMEDOUT },
	{ "sigtimedwait", 0, in_sigtimedwait, 0, -1, EAGAIN },
	{ "sigwaitinfo", 0, in_sigwaitinfo, signal_it, 0, 0 },
	{ "sigsuspend", 0, in_sigsuspend, interrupt, -1, EINTR },
	{ "pause", 0, in_pause, interrupt, -1, EINTR },
	{ "waitpid", make_child, in_waitpid, feed_pipe, 0, 0 },
	{ "waitid", make_child, in_waitid, feed_pipe, 0, 0 },
	{ "vfork", 0, in_vfork, 0, 0, 0 },
	{ "flock", make_flocked, in_flock, unflock, 0, 0 },
	{ "F_SETLKW", make_posix_locked, in_posix_lock, feed_pipe, 0, 0 },
	{ "F_OFD_SETLKW", make_ofd_locked, in_ofd_lock, ofd_unlock, 0, 0 },
	{ "io_getevents", make_aio, in_io_getevents, 0, 0, 0 },
	{ "io_uring_enter", make_ring, in_io_uring, 0, 1, 0 },
	{ "io_uring_enter waiting", make_ring, in_io_uring_wait, 0, 0, 0 },
	{ "calls", 0, in_calls, 0, 0, 0 },
};
#define KINDS ((int)(sizeof(kinds) / sizeof(*kinds)))

static struct spot *spots[KINDS];
static const char *only; /* the name of the only kind to run, or 0 for all */
static pthread_barrier_t all;

static long
ms_since(const struct timespec *began)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (now.tv_sec - began->tv_sec) * 1000 +
	       (now.tv_nsec - began->tv_nsec) / 1000000;
}

static void
tell(const struct kind *kind, long result, int error, long took)
{
	/* The kernel rounds a socket's time limit to its ticks, so such a call
	 * may end a bit earlier. */
	bool early = kind->wake || kind->run == in_calls ? !woken
							 : took < span_ms - 100;
	char line[160];

	if (error == ENOSYS || error == EPERM || error == EBADF) {
		snprintf(line, sizeof(line), "%s: not here", kind->name);
		say(line);
		return;
	}
	snprintf(line, sizeof(line), "%s: %s %s: %ld errno %d, %ld ms",
		 kind->name,
		 result == kind->result && error == kind->error ? "right"
								: "WRONG",
		 early ? "EARLY" : "in time", result, error, took);
	say(line);
}

static void *
run(void *argument)
{
	struct spot *s = argument;
	const struct kind *kind = &kinds[s->word];
	struct timespec began;
	sigset_t set;
	long result;
	int error;

	s->word = 0;
	prctl(PR_SET_NAME, kind->name);
	sigemptyset(&set);
	sigaddset(&set, SIGUSR1);
	if (kind->wake == interrupt)
		pthread_sigmask(SIG_UNBLOCK, &set, 0);
	pthread_barrier_wait(&all);
	clock_gettime(CLOCK_MONOTONIC, &began);
	errno = 0;
	result = kind->run(s);
	error = result < 0 ? errno : 0;
	tell(kind, result, error, ms_since(&began));
	return 0;
}

static int
chosen(int i)
{
	return !only || !strcmp(kinds[i].name, only);
}

/* Waits in a call that xtrace never touches: its time limit is read-only, so
 * the kernel cannot store the remaining time there. */
static void
await_input(void)
{
	static const struct timespec day = { .tv_sec = 86400 };
	struct pollfd input = { .fd = 0, .events = POLLIN };

	must(syscall(SYS_ppoll, &input, 1, &day, 0, 8) == 1, "ppoll");
}

/*
 * Starts the kinds that fork first, because a child keeps all descriptors open
 * that are open then.
 */
static void
make_all(void)
{
	for (int i = 0; i < KINDS; i++) {
		spots[i] = calloc(1, sizeof(*spots[i]));
		spots[i]->id = i;
	}
	for (int i = 0; i < 2 * KINDS; i++) {
		const struct kind *kind = &kinds[i % KINDS];
		int forks = kind->make == make_child ||
			    kind->make == make_posix_locked ||
			    kind->make == make_pidfd;

		if (kind->make && forks == (i < KINDS) && chosen(i % KINDS))
			kind->make(spots[i % KINDS]);
	}
}

int
main(int argc, char **argv)
{
	struct sigaction action = { .sa_handler = handler };
	unsigned count = 0;
	sigset_t set;

	if (argc > 1)
		must(chdir(argv[1]) == 0, argv[1]);
	if (argc > 2)
		span.tv_sec = atol(argv[2]);
	if (argc > 3)
		only = argv[3];
	span_us.tv_sec = span.tv_sec;
	span_ms = (int)span.tv_sec * 1000;
	sigaction(SIGUSR1, &action, 0);
	sigemptyset(&set);
	sigaddset(&set, SIGUSR1);
	sigaddset(&set, SIGRTMIN);
	sigaddset(&set, SIGRTMIN + 1);
	pthread_sigmask(SIG_BLOCK, &set, 0);
	make_all();
	for (int i = 0; i < KINDS; i++)
		count += chosen(i);
	pthread_barrier_init(&all, 0, count + 1);
	for (int i = 0; i < KINDS; i++) {
		spots[i]->word = i;
		if (chosen(i))
			pthread_create(&spots[i]->thread, 0, run, spots[i]);
	}
	pthread_barrier_wait(&all);
	say("ready");
	if (only)
		await_input();
	await_line();
	woken = true;
	for (int i = 0; i < KINDS; i++)
		if (kinds[i].wake && chosen(i))
			kinds[i].wake(spots[i]);
	for (int i = 0; i < KINDS; i++)
		if (chosen(i))
			pthread_join(spots[i]->thread, 0);
	return f(0);
}
