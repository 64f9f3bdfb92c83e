/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Makes the system calls that programs make most often, each with typical
 * arguments and once with an error, by their numbers: no C library changes
 * them. beside-strace.py traces it with strace and with xtrace.
 *
 * It works in the current folder, which must be empty, and leaves it empty.
 */
#define _GNU_SOURCE
#include "common_files.h"
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/capability.h>
#include <linux/fs.h>
#include <linux/futex.h>
#include <linux/mempolicy.h>
#include <linux/sched.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/ioctl.h>
#include <sys/ipc.h>
#include <sys/mman.h>
#include <sys/personality.h>
#include <sys/prctl.h>
#include <sys/random.h>
#include <sys/resource.h>
#include <sys/select.h>
#include <sys/sem.h>
#include <sys/shm.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/sysinfo.h>
#include <sys/time.h>
#include <sys/timerfd.h>
#include <sys/times.h>
#include <sys/uio.h>
#include <sys/un.h>
#include <sys/utsname.h>
#include <sys/wait.h>
#include <asm/prctl.h>
#include <asm/termbits.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <time.h>
#include <unistd.h>

/* The kernel's struct for a signal's action, and the size of its sets. */
struct kernel_action {
	void (*handler)(int number);
	unsigned long flags;
	void (*restorer)(void);
	unsigned long mask;
};

#define SET_SIZE 8
#define SET_OF(number) (1UL << ((number)-1))

static struct timespec brief = { .tv_nsec = 1000 };

static void catch (int number)
{
	(void)number;
}

/* The restorer, to which a handler returns: rt_sigreturn(2) is number 15. */
__asm__(".text\n"
	"restore: mov $15, %eax\n"
	"syscall\n");
void restore(void);

static void
pipes(void)
{
	struct pollfd polled[2];
	struct timeval wait = { 0, 1000 };
	struct timespec none = { 0, 0 };
	struct epoll_event event = { .events = EPOLLIN | EPOLLET };
	struct {
		const void *set;
		size_t size;
	} masked;
	unsigned long mask = SET_OF(SIGUSR1) | SET_OF(SIGCHLD);
	uint64_t count = 1;
	fd_set readable;
	int ends[2], others[2], epoll, events;

	DO(pipe, others);
	DO(pipe2, ends, O_CLOEXEC | O_NONBLOCK);
	DO(read, ends[0], buffer, 10);
	polled[0] = (struct pollfd){ ends[0], POLLIN, 0 };
	polled[1] = (struct pollfd){ ends[1], POLLOUT, 0 };
	DO(poll, polled, 1, 0);
	DO(poll, polled, 2, -1);
	DO(write, ends[1], "data", 4);
	DO(poll, polled, 1, 1000);
	DO(ppoll, polled, 2, &none, &mask, SET_SIZE);
	FD_ZERO(&readable);
	FD_SET(ends[0], &readable);
	DO(select, ends[0] + 1, &readable, NULL, NULL, &wait);
	FD_ZERO(&readable);
	FD_SET(others[0], &readable);
	DO(select, others[0] + 1, &readable, NULL, NULL, &wait);
	masked.set = &mask;
	masked.size = SET_SIZE;
	FD_SET(ends[0], &readable);
	DO(pselect6, ends[0] + 1, &readable, NULL, NULL, &none, &masked);
	epoll = DO(epoll_create1, EPOLL_CLOEXEC);
	event.data.u32 = 7;
	DO(epoll_ctl, epoll, EPOLL_CTL_ADD, ends[0], &event);
	event.events = EPOLLIN | EPOLLRDHUP;
	DO(epoll_ctl, epoll, EPOLL_CTL_MOD, ends[0], &event);
	DO(epoll_wait, epoll, &event, 1, -1);
	DO(epoll_pwait, epoll, &event, 1, 0, NULL, (size_t)SET_SIZE);
	DO(epoll_ctl, epoll, EPOLL_CTL_DEL, ends[0], NULL);
	DO(epoll_wait, epoll, &event, 1, 0);
	DO(close, epoll);
	DO(tee, ends[0], others[1], 4, SPLICE_F_NONBLOCK);
	DO(splice, ends[0], NULL, others[1], NULL, 4, SPLICE_F_MOVE);
	events = DO(eventfd2, 0, EFD_CLOEXEC | EFD_NONBLOCK);
	DO(write, events, &count, sizeof(count));
	DO(read, events, &count, sizeof(count));
	DO(ioctl, others[0], FIONREAD, &events);
	DO(ioctl, ends[0], FIONBIO, &events);
	DO(ioctl, ends[0], FIOCLEX);
	DO(ioctl, ends[0], TCGETS, buffer);
	DO(fcntl, ends[0], F_SETPIPE_SZ, 8192);
	DO(close_range, 3, 20, 0);
}

static void
messages(int one, int other)
{
	char control[CMSG_SPACE(sizeof(int))] = "";
	struct iovec piece = { "piece", 5 }, room = { buffer, 100 };
	struct msghdr message = { .msg_iov = &piece, .msg_iovlen = 1 };
	struct cmsghdr *header;
	struct mmsghdr several[2];

	DO(sendmsg, one, &message, MSG_NOSIGNAL);
	message.msg_control = control;
	message.msg_controllen = sizeof(control);
	header = CMSG_FIRSTHDR(&message);
	header->cmsg_level = SOL_SOCKET;
	header->cmsg_type = SCM_RIGHTS;
	header->cmsg_len = CMSG_LEN(sizeof(int));
	memcpy(CMSG_DATA(header), &one, sizeof(one));
	DO(sendmsg, one, &message, 0);
	message = (struct msghdr){ .msg_iov = &room, .msg_iovlen = 1 };
	DO(recvmsg, other, &message, 0);
	message.msg_control = control;
	message.msg_controllen = sizeof(control);
	DO(recvmsg, other, &message, MSG_CMSG_CLOEXEC);
	DO(recvmsg, other, &message, MSG_DONTWAIT);
	memset(several, 0, sizeof(several));
	several[0].msg_hdr =
		(struct msghdr){ .msg_iov = &piece, .msg_iovlen = 1 };
	several[1] = several[0];
	DO(sendmmsg, one, several, 2, 0);
	several[0].msg_hdr.msg_iov = &room;
	DO(recvmmsg, other, several, 1, MSG_DONTWAIT, NULL);
}

static void
sockets(void)
{
	struct sockaddr_in address = {
		.sin_family = AF_INET,
		.sin_addr = { htonl(INADDR_LOOPBACK) },
	};
	struct sockaddr_in6 six = { .sin6_family = AF_INET6,
				    .sin6_port = htons(1),
				    .sin6_addr = IN6ADDR_LOOPBACK_INIT };
	struct sockaddr_un local = { AF_UNIX, "missing" };
	struct linger linger = { 1, 2 };
	struct timeval patience = { 5, 0 };
	socklen_t length = sizeof(address), size = sizeof(int);
	int server, client, taken, pair[2], value = 1;

	server = DO(socket, AF_INET, SOCK_STREAM | SOCK_CLOEXEC, IPPROTO_TCP);
	DO(setsockopt, server, SOL_SOCKET, SO_REUSEADDR, &value, 4);
	DO(bind, server, &address, length);
	DO(listen, server, 128);
	DO(getsockname, server, &address, &length);
	client = DO(socket, AF_INET, SOCK_STREAM, 0);
	DO(connect, client, &address, length);
	taken = DO(accept4, server, &address, &length, SOCK_CLOEXEC);
	DO(getpeername, client, &address, &length);
	DO(close, taken);
	DO(close, client);
	client = DO(socket, AF_INET, SOCK_STREAM | SOCK_NONBLOCK, IPPROTO_IP);
	DO(getsockname, server, &address, &length);
	DO(connect, client, &address, length);
	taken = DO(accept, server, NULL, NULL);
	DO(setsockopt, taken, IPPROTO_TCP, TCP_NODELAY, &value, 4);
	DO(setsockopt, taken, SOL_SOCKET, SO_KEEPALIVE, &value, 4);
	DO(setsockopt, taken, SOL_SOCKET, SO_LINGER, &linger, sizeof(linger));
	DO(setsockopt, taken, SOL_SOCKET, SO_RCVTIMEO, &patience,
	   sizeof(patience));
	DO(getsockopt, taken, SOL_SOCKET, SO_ERROR, &value, &size);
	DO(getsockopt, taken, SOL_SOCKET, SO_TYPE, &value, &size);
	DO(sendto, taken, "hello", 5, MSG_NOSIGNAL, NULL, 0);
	/* On a busy machine, what was sent arrives later. */
	DO(fcntl, client, F_SETFL, O_RDWR);
	DO(recvfrom, client, buffer, 100, MSG_PEEK, NULL, NULL);
	DO(recvfrom, client, buffer, 100, 0, NULL, NULL);
	DO(recvfrom, client, buffer, 100, MSG_DONTWAIT, NULL, NULL);
	DO(shutdown, taken, SHUT_WR);
	DO(close, taken);
	DO(close, client);
	DO(close, server);
	client = DO(socket, AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, IPPROTO_UDP);
	address.sin_port = htons(9);
	DO(sendto, client, "udp", 3, 0, &address, sizeof(address));
	DO(close, client);
	client = DO(socket, AF_INET6, SOCK_DGRAM, 0);
	DO(connect, client, &six, sizeof(six));
	DO(close, client);
	client = DO(socket, AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
	DO(connect, client, &local, sizeof(local));
	DO(close, client);
	client = DO(socket, AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, 0);
	DO(close, client);
	DO(socketpair, AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0, pair);
	messages(pair[0], pair[1]);
	DO(close, pair[0]);
	DO(close, pair[1]);
}

static void
memory(void)
{
	unsigned char there[4];
	char *area;
	int fd, id;

	DO(brk, 0);
	area = (char *)DO(mmap, NULL, 16384, PROT_READ | PROT_WRITE,
			  MAP_PRIVATE | MAP_ANONYMOUS, -1, 0L);
	DO(mprotect, area, 4096, PROT_READ);
	DO(mprotect, area, 4096, PROT_NONE);
	DO(mprotect, area, 4096, PROT_READ | PROT_WRITE);
	DO(madvise, area, 8192, MADV_DONTNEED);
	DO(madvise, area, 1, -1);
	DO(mincore, area, 8192, there);
	DO(mlock, area, 4096);
	DO(munlock, area, 4096);
	DO(msync, area, 4096, MS_ASYNC);
	area = (char *)DO(mremap, area, 16384, 32768, MREMAP_MAYMOVE);
	DO(munmap, area, 32768);
	DO(munmap, 1, 4096);
	DO(mmap, NULL, 4096, PROT_READ, MAP_SHARED, -1, 0L);
	fd = DO(memfd_create, "memory", MFD_CLOEXEC);
	DO(ftruncate, fd, 8192);
	area = (char *)DO(mmap, NULL, 8192, PROT_READ | PROT_EXEC, MAP_SHARED,
			  fd, 0L);
	DO(munmap, area, 8192);
	area = (char *)DO(mmap, NULL, 4096, PROT_READ, MAP_SHARED, fd, 4096L);
	DO(munmap, area, 4096);
	DO(close, fd);
	id = DO(shmget, IPC_PRIVATE, 4096, IPC_CREAT | 0600);
	area = (char *)DO(shmat, id, NULL, SHM_RDONLY);
	DO(shmdt, area);
	DO(shmctl, id, IPC_RMID, NULL);
	id = DO(semget, IPC_PRIVATE, 1, IPC_CREAT | 0600);
	DO(semctl, id, 0, IPC_RMID);
}

static void
processes(void)
{
	struct rlimit limit, files_limit = { 512, 1024 };
	struct rusage usage;
	struct tms used;
	struct utsname system;
	struct sysinfo info;
	struct __user_cap_header_struct caps = { _LINUX_CAPABILITY_VERSION_3,
						 0 };
	struct __user_cap_data_struct sets[2];
	struct clone_args arguments = { .exit_signal = SIGCHLD };
	struct sched_param scheduling;
	char *words[] = { "missing", "-x", NULL },
	     *variables[] = { "A=b", NULL };
	unsigned int ids[3], groups[32];
	unsigned long cpus[16] = { 0 };
	siginfo_t info_of;
	int code, child;

	DO(getpid);
	DO(getppid);
	DO(gettid);
	DO(getuid);
	DO(geteuid);
	DO(getgid);
	DO(getegid);
	DO(getresuid, &ids[0], &ids[1], &ids[2]);
	DO(getresgid, &ids[0], &ids[1], &ids[2]);
	DO(getgroups, 32, groups);
	DO(getgroups, 0, NULL);
	DO(setuid, syscall(SYS_getuid));
	DO(setresuid, -1, -1, -1);
	DO(setreuid, -1, syscall(SYS_geteuid));
	DO(getpgid, 0);
	DO(getpgrp);
	DO(getsid, 0);
	DO(setpgid, 0, 0);
	DO(setsid);
	DO(getrlimit, RLIMIT_STACK, &limit);
	DO(setrlimit, RLIMIT_NOFILE, &files_limit);
	DO(prlimit64, 0, RLIMIT_NOFILE, NULL, &limit);
	DO(prlimit64, 0, RLIMIT_CORE, &files_limit, NULL);
	DO(getrusage, RUSAGE_SELF, &usage);
	DO(times, &used);
	DO(uname, &system);
	DO(sysinfo, &info);
	DO(sched_yield);
	DO(sched_getaffinity, 0, sizeof(cpus), cpus);
	DO(sched_setaffinity, 0, sizeof(cpus[0]), cpus);
	DO(sched_getparam, 0, &scheduling);
	DO(sched_getscheduler, 0);
	DO(sched_get_priority_max, SCHED_FIFO);
	DO(getpriority, PRIO_PROCESS, 0);
	DO(setpriority, PRIO_PROCESS, 0, 1);
	DO(capget, &caps, sets);
	DO(prctl, PR_SET_NAME, "common");
	DO(prctl, PR_GET_NAME, buffer);
	DO(prctl, PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
	DO(prctl, PR_GET_DUMPABLE);
	DO(prctl, PR_SET_PDEATHSIG, SIGTERM);
	DO(arch_prctl, ARCH_GET_FS, buffer);
	DO(personality, 0xffffffff);
	DO(getcpu, &ids[0], &ids[1], NULL);
	DO(getrandom, buffer, 4, GRND_NONBLOCK);
	DO(execve, "missing", words, variables);
	DO(execveat, AT_FDCWD, "missing", words, variables,
	   AT_SYMLINK_NOFOLLOW);
	child = DO(fork);
	if (!child)
		DO(exit_group, 3);
	DO(wait4, child, &code, 0, NULL);
	DO(wait4, -1, &code, WNOHANG, NULL);
	child = DO(clone, SIGCHLD, NULL, NULL, NULL, NULL);
	if (!child)
		DO(exit, 0);
	DO(waitid, P_PID, child, &info_of, WEXITED | WNOWAIT, NULL);
	DO(wait4, child, &code, __WALL, &usage);
	child = DO(clone3, &arguments, sizeof(arguments));
	if (!child)
		for (;;)
			DO(pause);
	DO(kill, child, 0);
	DO(kill, child, SIGKILL);
	DO(wait4, child, &code, 0, NULL);
	DO(kill, child, SIGTERM);
}

static void
signals(void)
{
	struct kernel_action action = {
		.handler = catch,
		.flags = SA_RESTART | 0x04000000,
		.restorer = restore,
		.mask = SET_OF(SIGUSR2),
	}, old;
	stack_t stack = { .ss_sp = buffer, .ss_size = 4096 };
	unsigned long none = 0, usr1 = SET_OF(SIGUSR1), pending, all = ~0UL;
	siginfo_t info;
	int fd;

	DO(rt_sigaction, SIGUSR1, &action, NULL, SET_SIZE);
	DO(rt_sigaction, SIGUSR1, NULL, &old, SET_SIZE);
	action.handler = SIG_IGN;
	action.flags = 0;
	action.mask = 0;
	DO(rt_sigaction, SIGPIPE, &action, &old, SET_SIZE);
	DO(rt_sigprocmask, SIG_BLOCK, &usr1, &pending, SET_SIZE);
	DO(tgkill, syscall(SYS_getpid), syscall(SYS_gettid), SIGUSR1);
	DO(rt_sigpending, &pending, SET_SIZE);
	DO(rt_sigtimedwait, &usr1, &info, &brief, SET_SIZE);
	DO(rt_sigtimedwait, &usr1, &info, &brief, SET_SIZE);
	DO(rt_sigprocmask, SIG_SETMASK, &all, NULL, SET_SIZE);
	DO(rt_sigprocmask, SIG_UNBLOCK, &all, &pending, SET_SIZE);
	DO(rt_sigprocmask, SIG_SETMASK, &none, NULL, SET_SIZE);
	DO(sigaltstack, &stack, NULL);
	DO(sigaltstack, NULL, &stack);
	DO(kill, syscall(SYS_getpid), SIGUSR1);
	DO(rt_sigprocmask, SIG_BLOCK, &usr1, NULL, SET_SIZE);
	DO(tkill, syscall(SYS_gettid), SIGUSR1);
	DO(rt_sigsuspend, &none, SET_SIZE);
	fd = DO(signalfd4, -1, &usr1, SET_SIZE, SFD_CLOEXEC | SFD_NONBLOCK);
	DO(close, fd);
	DO(rt_sigprocmask, SIG_UNBLOCK, &usr1, NULL, SET_SIZE);
}

static void
times_of_day(void)
{
	struct itimerval interval = { { 0, 0 }, { 100, 0 } }, old;
	struct itimerspec spec = { { 1, 0 }, { 2, 500 } }, before;
	struct timespec now, later = { 0, 1 };
	struct timeval moment;
	int fd, timer, word = 5;

	DO(clock_gettime, CLOCK_MONOTONIC, &now);
	DO(clock_gettime, CLOCK_REALTIME, &now);
	DO(clock_gettime, 99, &now);
	DO(clock_getres, CLOCK_MONOTONIC, &now);
	DO(gettimeofday, &moment, NULL);
	DO(time, NULL);
	DO(nanosleep, &brief, NULL);
	DO(clock_nanosleep, CLOCK_REALTIME, 0, &brief, NULL);
	DO(clock_nanosleep, CLOCK_MONOTONIC, TIMER_ABSTIME, &later, NULL);
	DO(alarm, 100);
	DO(alarm, 0);
	DO(setitimer, ITIMER_REAL, &interval, NULL);
	DO(getitimer, ITIMER_VIRTUAL, &old);
	interval.it_value.tv_sec = 0;
	DO(setitimer, ITIMER_REAL, &interval, &old);
	DO(timer_create, CLOCK_MONOTONIC, NULL, &timer);
	DO(timer_settime, timer, 0, &spec, NULL);
	DO(timer_gettime, timer, &before);
	DO(timer_delete, timer);
	fd = DO(timerfd_create, CLOCK_MONOTONIC, TFD_CLOEXEC | TFD_NONBLOCK);
	DO(timerfd_settime, fd, 0, &spec, &before);
	DO(timerfd_settime, fd, TFD_TIMER_ABSTIME, &spec, NULL);
	DO(timerfd_gettime, fd, &before);
	DO(close, fd);
	DO(futex, &word, FUTEX_WAKE_PRIVATE, 1);
	DO(futex, &word, FUTEX_WAIT, 4, NULL);
	DO(futex, &word, FUTEX_WAIT_PRIVATE, 5, &brief);
	DO(futex, &word, FUTEX_WAIT_BITSET_PRIVATE | FUTEX_CLOCK_REALTIME, 5,
	   &brief, NULL, FUTEX_BITSET_MATCH_ANY);
	DO(futex, &word, FUTEX_REQUEUE, 1, 2, &fd, 0);
}

static void
terminal(void)
{
	struct winsize size = { 24, 80, 0, 0 };
	struct termios modes;
	int fd, number, unlock = 0, group;

	fd = DO(openat, AT_FDCWD, "/dev/ptmx", O_RDWR | O_NOCTTY);
	DO(ioctl, fd, TIOCSPTLCK, &unlock);
	DO(ioctl, fd, TIOCGPTN, &number);
	DO(ioctl, fd, TCGETS, &modes);
	DO(ioctl, fd, TCSETS, &modes);
	DO(ioctl, fd, TCSETSW, &modes);
	DO(ioctl, fd, TIOCSWINSZ, &size);
	DO(ioctl, fd, TIOCGWINSZ, &size);
	DO(ioctl, fd, TIOCGPGRP, &group);
	DO(ioctl, fd, TCFLSH, TCIOFLUSH);
	DO(ioctl, fd, TCSBRK, 1);
	DO(ioctl, fd, 0x1234, 5);
	DO(close, fd);
}

/* Calls that every program's start makes, and a child of vfork(). */
static void
starts(void)
{
	static struct {
		void *next;
		long offset;
		void *pending;
	} robust = { &robust.next, 0, NULL };
	static int tid;
	int policy;

	DO(set_tid_address, &tid);
	DO(set_robust_list, &robust, sizeof(robust));
	DO(rseq, NULL, 32, 0, 0x53053053);
	DO(get_mempolicy, &policy, NULL, 0, NULL, 0);
	DO(set_mempolicy, MPOL_DEFAULT, NULL, 0);
	if (vfork() == 0)
		_exit(0);
	DO(wait4, -1, NULL, 0, NULL);
}

int
main(void)
{
	DO(getpgid, 1);
	files();
	folders();
	pipes();
	sockets();
	memory();
	processes();
	signals();
	times_of_day();
	terminal();
	starts();
	DO(exit_group, 0);
}
