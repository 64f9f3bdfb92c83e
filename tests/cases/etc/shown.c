/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What calls of the C library look like through the prototypes we ship: flags
 * and names, text by its length, what a function fills in, errors.
 *
 * RUN: xtrace -F %c/../../../etc %t
 * CONTAINS:
 *   open("nothing-here", O_RDWR|O_EXCL|O_CLOEXEC) = -1 ENOENT (No such file or directory)
 *   open("made", O_RDWR|O_CREAT|O_TRUNC, 0640) = 3
 *   write(3, "one\ntwo\0", 8) = 8
 *   lseek(3, 0, SEEK_SET) = 0
 *   read(3, "one\n", 4) = 4
 *   fcntl(3, F_SETFD, FD_CLOEXEC) = 0
 *   fcntl(3, F_GETFL) = %num
 *   fcntl(3, F_DUPFD, 10) = 10
 *   fcntl(3, F_SETLK, %any{F_WRLCK, SEEK_SET, 0, 4, %num}) = 0
 *   access("made", X_OK|R_OK) = -1 EACCES (Permission denied)
 *   fopen("made", "r") = %hex
 *   fgets("one\n", 16, %hex) = %hex
 *   mmap(nil, 4096, PROT_READ|PROT_WRITE, MAP_PRIVATE|MAP_ANONYMOUS, -1, 0) = %hex
 *   munmap(%hex, 4096) = 0
 *   sigaddset(%any, SIGTERM) = 0
 *   sigprocmask(SIG_BLOCK, INT|TERM, nil) = 0
 *   sigdelset(all -> ~<QUIT>, SIGQUIT) = 0
 *   sigprocmask(SIG_SETMASK, ~<QUIT>, INT|TERM) = 0
 *   signal(SIGPIPE, SIG_IGN) = SIG_DFL
 *   kill(%num, 0) = 0
 *   waitpid(-1, %any, WNOHANG) = -1 ECHILD (No child processes)
 *   socket(AF_INET, SOCK_DGRAM|SOCK_CLOEXEC|SOCK_NONBLOCK, IPPROTO_UDP) = %num
 *   setsockopt(%num, SOL_SOCKET, SO_REUSEADDR, [1], 4) = 0
 *   poll(%any[{%num, POLLIN, 0}], 1, 0) = 0
 *   strtol("12ab", "ab", 10) = 12
 *   snprintf("7, abc", 16, "%d, %s", 7, "abc") = 6
 *   memchr("ab", 'b', 2) = %hex
 *   strchr("a=b", '=') = "=b"
 *   close(77) = -1 EBADF (Bad file descriptor)
 *   mkdir("made", 0755) = -1 EEXIST (File exists)
 *   unlink("made") = 0
 *   execv("/nothing-here", ["a", "b c"]) = -1 ENOENT (No such file or directory)
 *   +++ exited (status 0) +++
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <netinet/in.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static volatile int one = 1, b = 'b', equals = '=';

static void
files(void)
{
	struct flock lock = { .l_type = F_WRLCK, .l_len = 4 };
	char text[16];
	FILE *stream;
	int fd;

	open("nothing-here", O_RDWR | O_EXCL | O_CLOEXEC);
	fd = open("made", O_RDWR | O_CREAT | O_TRUNC, 0640);
	write(fd, "one\ntwo", 8);
	lseek(fd, 0, SEEK_SET);
	read(fd, text, 4);
	fcntl(fd, F_SETFD, FD_CLOEXEC);
	fcntl(fd, F_GETFL);
	fcntl(fd, F_DUPFD, 10);
	fcntl(fd, F_SETLK, &lock);
	access("made", R_OK | X_OK);
	stream = fopen("made", "r");
	fgets(text, sizeof(text), stream);
}

static void
processes(void)
{
	void *memory = mmap(NULL, 4096, PROT_READ | PROT_WRITE,
			    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	int status = 0;
	sigset_t set;

	munmap(memory, 4096);
	sigemptyset(&set);
	sigaddset(&set, SIGINT);
	sigaddset(&set, SIGTERM);
	sigprocmask(SIG_BLOCK, &set, NULL);
	sigfillset(&set);
	sigdelset(&set, SIGQUIT);
	sigprocmask(SIG_SETMASK, &set, &set);
	sigemptyset(&set);
	sigprocmask(SIG_SETMASK, &set, NULL);
	signal(SIGPIPE, SIG_IGN);
	kill(getpid(), 0);
	waitpid(-1, &status, WNOHANG);
}

static void
sockets(void)
{
	int fd = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK,
			IPPROTO_UDP);
	int on = one;
	struct pollfd polled = { .fd = fd, .events = POLLIN };

	setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof(on));
	poll(&polled, 1, 0);
}

int
main(void)
{
	char *const arguments[] = { "a", "b c", NULL };
	char text[16], *end;

	files();
	processes();
	sockets();
	strtol("12ab", &end, 10);
	snprintf(text, sizeof(text), "%d, %s", one + 6, "abc");
	one += memchr("ab", b, 2) == NULL;
	one += strchr("a=b", equals) == NULL;
	close(77);
	mkdir("made", 0755);
	unlink("made");
	execv("/nothing-here", arguments);
	return 0;
}
