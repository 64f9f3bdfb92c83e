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
 */
#define _GNU_SOURCE
#include "subject.h"
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/aio_abi.h>
#include <linux/futex.h>
#include <linux/io_uring.h>
#include <mqueue.h>
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/file.h>
#include <sys/inotify.h>
#include <sys/ipc.h>
#include <sys/mman.h>
#include <sys/msg.h>
#include <sys/prctl.h>
#include <sys/select.h>
#include <sys/sem.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/timerfd.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <time.h>

static struct timespec span = { 2, 0 };
static struct timeval span_us;
static int span_ms;
static atomic_bool woken;

NOINLINE int
f(int x)
{
	OPAQUE(x);
	return x;
}

/*
 * The descriptors, buffers and ids that a kind's call works with. Each thread
 * has its own.
 */
struct spot {
	int fd[3];
	int word;
	pid_t child;
	pthread_t thread;
	int id;
	char bytes[256 * 1024];
};

static void
must(int good, const char *what)
{
	if (good)
		return;
	perror(what);
	exit(98);
}

static struct timespec
after_span(clockid_t clock)
{
	struct timespec now;

	clock_gettime(clock, &now);
	now.tv_sec += span.tv_sec;
	return now;
}

/* ---- preparing and waking: what many kinds share ------------------------- */

static void
make_pipe(struct spot *s)
{
	must(pipe(s->fd) == 0, "pipe");
}

static void
feed_pipe(struct spot *s)
{
	must(write(s->fd[1], "x", 1) == 1, "write");
}

static void
fill(int fd)
{
	static const char block[4096];

	fcntl(fd, F_SETFL, O_NONBLOCK);
	while (write(fd, block, sizeof(block)) > 0)
		;
	fcntl(fd, F_SETFL, 0);
}

static void
make_full_pipe(struct spot *s)
{
	make_pipe(s);
	fill(s->fd[1]);
}

static void
drain(int fd, size_t most)
{
	static char sink[65536];

	while (most) {
		ssize_t n = read(fd, sink,
				 most < sizeof(sink) ? most : sizeof(sink));

		must(n > 0, "drain");
		most -= (size_t)n;
	}
}

static void
empty_pipe(struct spot *s)
{
	drain(s->fd[0], 65536);
}

static void
make_pair(struct spot *s)
{
	must(socketpair(AF_UNIX, SOCK_STREAM, 0, s->fd) == 0, "socketpair");
}

static void
limit_time(int fd)
{
	setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &span_us, sizeof(span_us));
	setsockopt(fd, SOL_SOCKET, SO_SNDTIMEO, &span_us, sizeof(span_us));
}

static void
make_timed_pair(struct spot *s)
{
	make_pair(s);
	limit_time(s->fd[0]);
}

static void
make_full_pair(struct spot *s)
{
	make_pair(s);
	fill(s->fd[0]);
}

static void
make_timed_full_pair(struct spot *s)
{
	make_full_pair(s);
	limit_time(s->fd[0]);
}

static void
drain_pair(struct spot *s)
{
	fcntl(s->fd[1], F_SETFL, O_NONBLOCK);
	while (read(s->fd[1], s->bytes + 4096, 65536) > 0)
		;
}

static struct sockaddr_in
tcp_listener(int *ret_fd)
{
	struct sockaddr_in address = { .sin_family = AF_INET };
	socklen_t size = sizeof(address);

	address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	*ret_fd = socket(AF_INET, SOCK_STREAM, 0);
	must(bind(*ret_fd, (void *)&address, size) == 0, "bind");
	must(listen(*ret_fd, 5) == 0, "listen");
	getsockname(*ret_fd, (void *)&address, &size);
	return address;
}

static void
make_listener(struct spot *s)
{
	tcp_listener(&s->fd[0]);
}

static void
make_timed_listener(struct spot *s)
{
	tcp_listener(&s->fd[0]);
	limit_time(s->fd[0]);
}

static void
connect_to(struct spot *s)
{
	struct sockaddr_in address;
	socklen_t size = sizeof(address);

	getsockname(s->fd[0], (void *)&address, &size);
	s->fd[1] = socket(AF_INET, SOCK_STREAM, 0);
	must(connect(s->fd[1], (void *)&address, size) == 0, "connect");
}

/* Makes a Unix socket that listens, and fills its queue. */
static void
make_full_listener(struct spot *s)
{
	struct sockaddr_un *address = (void *)s->bytes;
	int fd = socket(AF_UNIX, SOCK_STREAM, 0);

	address->sun_family = AF_UNIX;
	snprintf(address->sun_path, sizeof(address->sun_path), "socket.%d",
		 s->id);
	unlink(address->sun_path);
	s->fd[0] = socket(AF_UNIX, SOCK_STREAM, 0);
	must(bind(s->fd[0], (void *)address, sizeof(*address)) == 0, "bind");
	must(listen(s->fd[0], 0) == 0, "listen");
	must(connect(fd, (void *)address, sizeof(*address)) == 0, "connect");
	s->fd[1] = socket(AF_UNIX, SOCK_STREAM, 0);
}

static void
make_timed_full_listener(struct spot *s)
{
	make_full_listener(s);
	limit_time(s->fd[1]);
}

static void
accept_one(struct spot *s)
{
	must(accept(s->fd[0], 0, 0) >= 0, "accept");
}

/*
 * Forks a child that sends no signal when it ends. SIGCHLD might be delivered
 * to any of the threads; ignored.c tests what such signals do.
 */
static pid_t
quiet_fork(void)
{
	return (pid_t)syscall(SYS_clone, 0, 0, 0, 0, 0);
}

/* Ends when this program wakes it. */
static void
make_child(struct spot *s)
{
	make_pipe(s);
	s->child = quiet_fork();
	if (!s->child)
		_exit(read(s->fd[0], s->bytes, 1) == 1 ? 7 : 8);
}

static void
handler(int number)
{
	(void)number;
}

static void
interrupt(struct spot *s)
{
	pthread_kill(s->thread, SIGUSR1);
}

static void
signal_it(struct spot *s)
{
	pthread_kill(s->thread, SIGRTMIN);
}

/* ---- sleeping and waiting for readiness ---------------------------------- */

static long
in_nanosleep(struct spot *s)
{
	(void)s;
	return nanosleep(&span, 0);
}

static long
in_clock_nanosleep(struct spot *s)
{
	(void)s;
	return clock_nanosleep(CLOCK_MONOTONIC, 0, &span, 0);
}

static long
in_clock_nanosleep_until(struct spot *s)
{
	struct timespec until = after_span(CLOCK_REALTIME);

	(void)s;
	return clock_nanosleep(CLOCK_REALTIME, TIMER_ABSTIME, &until, 0);
}

static long
poll_for(int fd, int limit)
{
	struct pollfd one = { .fd = fd, .events = POLLIN };

	return poll(&one, 1, limit);
}

static long
in_poll(struct spot *s)
{
	return poll_for(s->fd[0], span_ms);
}

static long
in_poll_for_good(struct spot *s)
{
	return poll_for(s->fd[0], -1);
}

static void
make_pidfd(struct spot *s)
{
	make_child(s);
	s->fd[2] = (int)syscall(SYS_pidfd_open, s->child, 0);
}

static long
in_poll_pidfd(struct spot *s)
{
	return poll_for(s->fd[2], -1);
}

static long
in_ppoll(struct spot *s)
{
	struct pollfd one = { .fd = s->fd[0], .events = POLLIN };

	return ppoll(&one, 1, &span, 0);
}

/* The kernel cannot store the remaining time at a bad address. */
static long
in_ppoll_read_only(struct spot *s)
{
	struct pollfd one = { .fd = s->fd[0], .events = POLLIN };

	return syscall(SYS_ppoll, &one, 1, &span, 0, 8);
}

static long
in_select(struct spot *s)
{
	struct timeval time = span_us;
	fd_set set;

	FD_ZERO(&set);
	FD_SET(s->fd[0], &set);
	return select(s->fd[0] + 1, &set, 0, 0, &time);
}

static long
in_pselect(struct spot *s)
{
	sigset_t none;
	fd_set set;

	sigemptyset(&none);
	FD_ZERO(&set);
	FD_SET(s->fd[0], &set);
	return pselect(s->fd[0] + 1, &set, 0, 0, &span, &none);
}

static void
make_epoll(struct spot *s)
{
	struct epoll_event event = { .events = EPOLLIN };

	make_pipe(s);
	s->fd[2] = epoll_create1(0);
	epoll_ctl(s->fd[2], EPOLL_CTL_ADD, s->fd[0], &event);
}

static long
in_epoll_wait(struct spot *s)
{
	struct epoll_event event;

	return epoll_wait(s->fd[2], &event, 1, span_ms);
}

static long
in_epoll_wait_for_good(struct spot *s)
{
	struct epoll_event event;

	return epoll_wait(s->fd[2], &event, 1, -1);
}

static long
in_epoll_pwait(struct spot *s)
{
	struct epoll_event event;
	sigset_t none;

	sigemptyset(&none);
	return epoll_pwait(s->fd[2], &event, 1, span_ms, &none);
}

static long
in_epoll_pwait2(struct spot *s)
{
	struct epoll_event event;

	return epoll_pwait2(s->fd[2], &event, 1, &span, 0);
}

/* ---- futexes ------------------------------------------------------------- */

static long
in_futex(struct spot *s)
{
	return syscall(SYS_futex, &s->word, FUTEX_WAIT_PRIVATE, 0, &span, 0, 0);
}

static long
in_futex_bitset(struct spot *s)
{
	struct timespec until = after_span(CLOCK_MONOTONIC);

	return syscall(SYS_futex, &s->word, FUTEX_WAIT_BITSET_PRIVATE, 0,
		       &until, 0, FUTEX_BITSET_MATCH_ANY);
}

static long
in_futex_for_good(struct spot *s)
{
	return syscall(SYS_futex, &s->word, FUTEX_WAIT_PRIVATE, 0, 0, 0, 0);
}

static void
wake_futex(struct spot *s)
{
	s->word = 1;
	syscall(SYS_futex, &s->word, FUTEX_WAKE_PRIVATE, 1, 0, 0, 0);
}

/* The headers do not have futex_waitv(2) yet. */
static long
in_futex_waitv(struct spot *s)
{
	struct timespec until = after_span(CLOCK_MONOTONIC);
	struct {
		uint64_t value, address;
		uint32_t flags, reserved;
	} waiter = { 0, (uint64_t)(uintptr_t)&s->word, 2 | 128, 0 };

	return syscall(449, &waiter, 1, 0, &until, CLOCK_MONOTONIC);
}

static long
in_cond_timedwait(struct spot *s)
{
	pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
	pthread_cond_t cond = PTHREAD_COND_INITIALIZER;
	struct timespec until = after_span(CLOCK_REALTIME);

	(void)s;
	pthread_mutex_lock(&mutex);
	errno = pthread_cond_timedwait(&cond, &mutex, &until);
	return errno ? -1 : 0;
}

/* ---- reading and writing ------------------------------------------------- */

static long
in_read(struct spot *s)
{
	return read(s->fd[0], s->bytes, 10);
}

static long
in_readv(struct spot *s)
{
	struct iovec parts[2] = { { s->bytes, 1 }, { s->bytes + 1, 5 } };

	return readv(s->fd[0], parts, 2);
}

static long
in_write(struct spot *s)
{
	return write(s->fd[1], s->bytes, 4096);
}

/* The pipe has already taken a part of the bytes when this call blocks. */
static long
in_long_write(struct spot *s)
{
	return write(s->fd[1], s->bytes, sizeof(s->bytes));
}

static void
drain_long_write(struct spot *s)
{
	drain(s->fd[0], sizeof(s->bytes));
}

static void
make_fifo(struct spot *s)
{
	snprintf(s->bytes, 64, "fifo.%d", s->id);
	unlink(s->bytes);
	must(mkfifo(s->bytes, 0600) == 0, "mkfifo");
}

static long
in_open(struct spot *s)
{
	return open(s->bytes, O_RDONLY) >= 0 ? 0 : -1;
}

static void
open_fifo(struct spot *s)
{
	must(open(s->bytes, O_WRONLY) >= 0, "fifo");
}

static void
make_tty(struct spot *s)
{
	s->fd[1] = posix_openpt(O_RDWR | O_NOCTTY);
	must(s->fd[1] >= 0 && grantpt(s->fd[1]) == 0 && unlockpt(s->fd[1]) == 0,
	     "pty");
	s->fd[0] = open(ptsname(s->fd[1]), O_RDWR | O_NOCTTY);
}

static void
type_line(struct spot *s)
{
	must(write(s->fd[1], "\n", 1) == 1, "tty");
}

static void
make_pipes(struct spot *s)
{
	int other[2];

	make_pipe(s);
	must(pipe(other) == 0, "pipe");
	s->fd[2] = other[1];
}

static long
in_splice(struct spot *s)
{
	return splice(s->fd[0], 0, s->fd[2], 0, 10, 0);
}

static long
in_tee(struct spot *s)
{
	return tee(s->fd[0], s->fd[2], 10, 0);
}

static long
in_vmsplice(struct spot *s)
{
	struct iovec part = { s->bytes, 4096 };

	return vmsplice(s->fd[1], &part, 1, 0);
}

static void
make_inotify(struct spot *s)
{
	snprintf(s->bytes, 64, "watched.%d", s->id);
	s->fd[1] = open(s->bytes, O_RDWR | O_CREAT, 0600);
	s->fd[0] = inotify_init();
	must(inotify_add_watch(s->fd[0], s->bytes, IN_MODIFY) >= 0, "watch");
}

static long
in_inotify(struct spot *s)
{
	return read(s->fd[0], s->bytes, 4096) > 0 ? 0 : -1;
}

static void
make_eventfd(struct spot *s)
{
	s->fd[0] = s->fd[1] = eventfd(0, 0);
}

static long
in_counter(struct spot *s)
{
	return read(s->fd[0], s->bytes, 8);
}

static void
give_event(struct spot *s)
{
	uint64_t one = 1;

	must(write(s->fd[1], &one, 8) == 8, "eventfd");
}

static void
make_timerfd(struct spot *s)
{
	s->fd[0] = timerfd_create(CLOCK_MONOTONIC, 0);
}

static long
in_timerfd(struct spot *s)
{
	struct itimerspec time = { .it_value = span };

	timerfd_settime(s->fd[0], 0, &time, 0);
	return in_counter(s);
}

static void
make_signalfd(struct spot *s)
{
	sigset_t set;

	sigemptyset(&set);
	sigaddset(&set, SIGRTMIN + 1);
	s->fd[0] = signalfd(-1, &set, 0);
}

static long
in_signalfd(struct spot *s)
{
	return read(s->fd[0], s->bytes, 128) == 128 ? 0 : -1;
}

static void
signal_reader(struct spot *s)
{
	pthread_kill(s->thread, SIGRTMIN + 1);
}

/* ---- sockets ------------------------------------------------------------- */

static long
in_recv(struct spot *s)
{
	return recv(s->fd[0], s->bytes, 10, 0);
}

static long
in_recvmsg(struct spot *s)
{
	struct iovec part = { s->bytes, 10 };
	struct msghdr message = { .msg_iov = &part, .msg_iovlen = 1 };

	return recvmsg(s->fd[0], &message, 0);
}

static long
in_recvmmsg(struct spot *s)
{
	struct iovec part = { s->bytes, 10 };
	struct mmsghdr message = { .msg_hdr = { .msg_iov = &part,
						.msg_iovlen = 1 } };

	return recvmmsg(s->fd[0], &message, 1, 0, 0);
}

static void
make_half(struct spot *s)
{
	make_pair(s);
	feed_pipe(s);
}

static long
in_recv_all(struct spot *s)
{
	return recv(s->fd[0], s->bytes, 2, MSG_WAITALL);
}

static long
in_send(struct spot *s)
{
	return send(s->fd[0], s->bytes, 4096, 0);
}

static void
make_datagram(struct spot *s)
{
	struct sockaddr_in address = { .sin_family = AF_INET };
	socklen_t size = sizeof(address);

	address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	s->fd[0] = socket(AF_INET, SOCK_DGRAM, 0);
	must(bind(s->fd[0], (void *)&address, size) == 0, "bind");
	getsockname(s->fd[0], (void *)&address, &size);
	s->fd[1] = socket(AF_INET, SOCK_DGRAM, 0);
	must(connect(s->fd[1], (void *)&address, size) == 0, "connect");
}

static long
in_recvfrom(struct spot *s)
{
	struct sockaddr_in address;
	socklen_t size = sizeof(address);

	return recvfrom(s->fd[0], s->bytes, 10, 0, (void *)&address, &size);
}

static long
in_accept(struct spot *s)
{
	return accept(s->fd[0], 0, 0) >= 0 ? 0 : -1;
}

static long
in_connect(struct spot *s)
{
	return connect(s->fd[1], (void *)s->bytes, sizeof(struct sockaddr_un));
}

/*
 * A socket that is closed with unsent data. Its peer reads the data when it is
 * woken.
 */
static void
make_linger(struct spot *s)
{
	struct linger linger = { 1, 600 };
	int listener, size = 4096;
	struct sockaddr_in address = tcp_listener(&listener);

	setsockopt(listener, SOL_SOCKET, SO_RCVBUF, &size, sizeof(size));
	s->fd[0] = socket(AF_INET, SOCK_STREAM, 0);
	must(connect(s->fd[0], (void *)&address, sizeof(address)) == 0,
	     "connect");
	s->fd[1] = accept(listener, 0, 0);
	fill(s->fd[0]);
	setsockopt(s->fd[0], SOL_SOCKET, SO_LINGER, &linger, sizeof(linger));
}

static long
in_close(struct spot *s)
{
	return close(s->fd[0]);
}

static void
read_to_end(struct spot *s)
{
	while (read(s->fd[1], s->bytes, sizeof(s->bytes)) > 0)
		;
}

/* ---- System V and POSIX messages, semaphores ----------------------------- */

static void
make_queue(struct spot *s)
{
	s->id = msgget(IPC_PRIVATE, 0600);
	must(s->id >= 0, "msgget");
}

static long
remove_queue(struct spot *s, long result)
{
	int error = errno;

	msgctl(s->id, IPC_RMID, 0);
	errno = error;
	return result;
}

static long
in_msgrcv(struct spot *s)
{
	return remove_queue(s, msgrcv(s->id, s->bytes, 10, 0, 0));
}

static void
send_message(struct spot *s)
{
	long message[2] = { 1, 2 };

	must(msgsnd(s->id, message, 8, 0) == 0, "msgsnd");
}

static void
make_full_queue(struct spot *s)
{
	make_queue(s);
	*(long *)s->bytes = 1;
	while (msgsnd(s->id, s->bytes, 4000, IPC_NOWAIT) == 0)
		;
}

static long
in_msgsnd(struct spot *s)
{
	return remove_queue(s, msgsnd(s->id, s->bytes, 4000, 0));
}

static void
take_message(struct spot *s)
{
	static char message[8192];

	must(msgrcv(s->id, message, 4000, 0, 0) >= 0, "msgrcv");
}

static void
make_semaphore(struct spot *s)
{
	s->id = semget(IPC_PRIVATE, 1, 0600);
	must(s->id >= 0, "semget");
}

static long
take_semaphore(struct spot *s, const struct timespec *limit)
{
	struct sembuf take = { 0, -1, 0 };
	long result = limit ? semtimedop(s->id, &take, 1, limit)
			    : semop(s->id, &take, 1);
	int error = errno;

	semctl(s->id, 0, IPC_RMID);
	errno = error;
	return result;
}

static long
in_semop(struct spot *s)
{
	return take_semaphore(s, 0);
}

static long
in_semtimedop(struct spot *s)
{
	return take_semaphore(s, &span);
}

static void
give_semaphore(struct spot *s)
{
	struct sembuf give = { 0, 1, 0 };

	must(semop(s->id, &give, 1) == 0, "semop");
}

static void
make_mq(struct spot *s)
{
	struct mq_attr attributes = { .mq_maxmsg = 1, .mq_msgsize = 16 };
	char name[64];

	snprintf(name, sizeof(name), "/xtrace-test.%d.%d", getpid(), s->id);
	s->fd[0] = mq_open(name, O_RDWR | O_CREAT, 0600, &attributes);
	must(s->fd[0] >= 0, "mq_open");
	mq_unlink(name);
}

static void
mq_give(struct spot *s)
{
	must(mq_send(s->fd[0], "x", 1, 0) == 0, "mq_send");
}

static void
make_full_mq(struct spot *s)
{
	make_mq(s);
	mq_give(s);
}

static long
in_mq_receive(struct spot *s)
{
	return mq_receive(s->fd[0], s->bytes, 16, 0);
}

static long
in_mq_timedreceive(struct spot *s)
{
	struct timespec until = after_span(CLOCK_REALTIME);

	return mq_timedreceive(s->fd[0], s->bytes, 16, 0, &until);
}

static long
in_mq_timedsend(struct spot *s)
{
	struct timespec until = after_span(CLOCK_REALTIME);

	return mq_timedsend(s->fd[0], "y", 1, 0, &until);
}

/* ---- signals and children ------------------------------------------------ */

static long
wait_for_signal(const struct timespec *limit)
{
	sigset_t set;

	sigemptyset(&set);
	sigaddset(&set, SIGRTMIN);
	return limit ? sigtimedwait(&set, 0, limit) : sigwaitinfo(&set, 0);
}

static long
in_sigtimedwait(struct spot *s)
{
	(void)s;
	return wait_for_signal(&span);
}

static long
in_sigwaitinfo(struct spot *s)
{
	(void)s;
	return wait_for_signal(0) - SIGRTMIN;
}

static long
in_sigsuspend(struct spot *s)
{
	sigset_t all_but_one;

	(void)s;
	sigfillset(&all_but_one);
	sigdelset(&all_but_one, SIGUSR1);
	return sigsuspend(&all_but_one);
}

static long
in_pause(struct spot *s)
{
	(void)s;
	return pause();
}

static long
in_waitpid(struct spot *s)
{
	int status;

	return waitpid(s->child, &status, __WALL) == s->child ? status - (7 << 8)
							 : -1;
}

static long
in_waitid(struct spot *s)
{
	siginfo_t info;

	return waitid(P_PID, (id_t)s->child, &info, WEXITED | __WALL) == 0
		       ? info.si_status - 7
		       : -1;
}

static int
sleep_and_exit(void *unused)
{
	(void)unused;
	syscall(SYS_nanosleep, &span, 0);
	_exit(7);
}

/*
 * As vfork(), but the child gets no copies of the other threads' descriptors.
 */
static long
in_vfork(struct spot *s)
{
	s->child = clone(sleep_and_exit, s->bytes + 65536,
			 CLONE_VM | CLONE_VFORK | CLONE_FILES, 0);
	return in_waitpid(s);
}

/* ---- locks --------------------------------------------------------------- */

static void
make_lock(struct spot *s)
{
	snprintf(s->bytes, 64, "lock.%d", s->id);
	s->fd[0] = open(s->bytes, O_RDWR | O_CREAT, 0600);
	s->fd[1] = open(s->bytes, O_RDWR | O_CREAT, 0600);
}

static void
make_flocked(struct spot *s)
{
	make_lock(s);
	must(flock(s->fd[1], LOCK_EX) == 0, "flock");
}

static long
in_flock(struct spot *s)
{
	return flock(s->fd[0], LOCK_EX);
}

static void
unflock(struct spot *s)
{
	flock(s->fd[1], LOCK_UN);
}

static int
lock(int fd, int command, int type)
{
	struct flock region = { .l_type = (short)type };

	return fcntl(fd, command, &region);
}

static void
make_ofd_locked(struct spot *s)
{
	make_lock(s);
	must(lock(s->fd[1], F_OFD_SETLK, F_WRLCK) == 0, "F_OFD_SETLK");
}

static long
in_ofd_lock(struct spot *s)
{
	return lock(s->fd[0], F_OFD_SETLKW, F_WRLCK);
}

static void
ofd_unlock(struct spot *s)
{
	lock(s->fd[1], F_OFD_SETLK, F_UNLCK);
}

/*
 * This kind of lock belongs to a process, so a child holds it until it is
 * woken.
 */
static void
make_posix_locked(struct spot *s)
{
	int locked[2];
	char byte;

	make_pipe(s);
	must(pipe(locked) == 0, "pipe");
	snprintf(s->bytes, 64, "lock.%d", s->id);
	s->fd[2] = open(s->bytes, O_RDWR | O_CREAT, 0600);
	s->child = quiet_fork();
	if (!s->child) {
		if (lock(s->fd[2], F_SETLK, F_WRLCK) < 0 ||
		    write(locked[1], "x", 1) != 1)
			_exit(8);
		_exit(read(s->fd[0], &byte, 1) == 1 ? 7 : 9);
	}
	must(read(locked[0], &byte, 1) == 1, "lock");
}

static long
in_posix_lock(struct spot *s)
{
	return lock(s->fd[2], F_SETLKW, F_WRLCK);
}

/* ---- rings --------------------------------------------------------------- */

static void
make_aio(struct spot *s)
{
	aio_context_t context = 0;

	if (syscall(SYS_io_setup, 1, &context) < 0)
		context = 0;
	memcpy(s->bytes, &context, sizeof(context));
}

static long
in_io_getevents(struct spot *s)
{
	struct io_event event;
	aio_context_t context;

	memcpy(&context, s->bytes, sizeof(context));
	return syscall(SYS_io_getevents, context, 1, 1, &event, &span);
}

/* An AIO context with one request in it, a timeout. */
static void
make_ring(struct spot *s)
{
	struct io_uring_params p = { 0 };
	struct io_uring_sqe *sqes;
	char *ring;

	s->fd[0] = (int)syscall(SYS_io_uring_setup, 4, &p);
	if (s->fd[0] < 0)
		return;
	ring = mmap(0, p.sq_off.array + p.sq_entries * sizeof(uint32_t),
		    PROT_READ | PROT_WRITE, MAP_SHARED, s->fd[0],
		    IORING_OFF_SQ_RING);
	sqes = mmap(0, p.sq_entries * sizeof(*sqes), PROT_READ | PROT_WRITE,
		    MAP_SHARED, s->fd[0], IORING_OFF_SQES);
	memset(sqes, 0, sizeof(*sqes));
	memcpy(s->bytes, &span, sizeof(span));
	sqes->opcode = IORING_OP_TIMEOUT;
	sqes->addr = (uint64_t)(uintptr_t)s->bytes;
	sqes->len = 1;
	((uint32_t *)(ring + p.sq_off.array))[0] = 0;
	__atomic_store_n((uint32_t *)(ring + p.sq_off.tail), 1,
			 __ATOMIC_RELEASE);
}

static long
in_io_uring(struct spot *s)
{
	return syscall(SYS_io_uring_enter, s->fd[0], 1, 1,
		       IORING_ENTER_GETEVENTS, 0, 0);
}

static long
in_io_uring_wait(struct spot *s)
{
	syscall(SYS_io_uring_enter, s->fd[0], 1, 0, 0, 0, 0);
	return syscall(SYS_io_uring_enter, s->fd[0], 0, 1,
		       IORING_ENTER_GETEVENTS, 0, 0);
}

/* ---- all of them --------------------------------------------------------- */

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
	{ "ppoll read-only", make_pipe, in_ppoll_read_only, 0, 0, 0 },
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
	/* The kernel rounds a socket's time limit to its ticks. */
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

/* Waits in a call that xtrace never touches: the kernel cannot store the
 * remaining time at this address. */
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
