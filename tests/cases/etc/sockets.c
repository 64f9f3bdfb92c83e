/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Addresses of sockets by their family: the port as a number, the address as
 * one writes it, paths, and names in no file system; and pointers that are no
 * addresses but have a name.
 *
 * RUN: xtrace -F %c/../../../etc %t
 * CONTAINS:
 *   socket(AF_UNIX, SOCK_STREAM, 0) = %num |x2
 *   bind(%num, {AF_UNIX, "socket"}, 110) = 0
 *   getsockname(%num, {AF_UNIX, "socket"}, 9) = 0
 *   connect(%num, {AF_UNIX, "socket"}, 9) = 0
 *   getsockname(%num, {AF_UNIX}, 2) = 0
 *   accept(%num, {AF_UNIX}, 2) = %num
 *   connect(%num, {AF_UNIX, "no\0body"}, 10) = -1 ECONNREFUSED (Connection refused)
 *   socket(AF_INET, SOCK_DGRAM, IPPROTO_IP) = %num
 *   inet_addr("127.0.0.1") = 127.0.0.1
 *   connect(%num, {AF_INET, 53, 127.0.0.1}, 16) = 0
 *   getpeername(%num, {AF_INET, 53, 127.0.0.1}, 16) = 0
 *   inet_pton(AF_INET6, "fe80::17", fe80::17) = 1
 *   inet_ntop(AF_INET6, fe80::17, %hex, 46) = "fe80::17"
 *   sendto(-1, "x", 1, 0, {AF_INET6, 8080, fe80::17, 3}, 28) = -1 EBADF (Bad file descriptor)
 *   connect(-1, {AF_NETLINK, 7, 0x11}, 12) = -1 EBADF (Bad file descriptor)
 *   connect(-1, {AF_VSOCK, "ab"}, 4) = -1 EBADF (Bad file descriptor)
 *   connect(-1, nil, 0) = -1 EBADF (Bad file descriptor)
 *   signal(SIGUSR1, SIG_IGN) = SIG_DFL
 *   signal(SIGUSR1, %hex) = SIG_IGN
 *   sigaction(SIGUSR1, {SIG_DFL, 0, SA_RESTART}, {%hex, USR1, SA_RESTORER|SA_RESTART}) = 0
 *   dlsym(RTLD_NEXT, "getpid") = %hex
 *   dlsym(RTLD_DEFAULT, "getpid") = %hex
 *   +++ exited (status 0) +++
 *
 * RUN: xtrace --names -F %c/../../../etc -x connect@libc.so*+sendto@libc.so* --if 'address.sin6_port == 53 || address.sin6_addr ~ /^fe80:/' -- %t
 * EXPECT:
 *   connect(fd=%num, address={sa_family=AF_INET, sin_port=53, sin_addr=127.0.0.1}, length=16) = 0
 *   sendto(fd=-1, buffer="x", count=1, flags=0, address={sa_family=AF_INET6, sin6_port=8080, sin6_addr=fe80::17, sin6_scope_id=3}, length=28) = -1 EBADF (Bad file descriptor)
 *   +++ exited (status 0) +++
 *
 * RUN: xtrace -F %c/../../../etc -x connect@libc.so*+signal@libc.so* --if 'errno == ECONNREFUSED || address.sa_family == AF_INET' -- %t
 * EXPECT:
 *   connect(%num, {AF_UNIX, "no\0body"}, 10) = -1 ECONNREFUSED (Connection refused)
 *   connect(%num, {AF_INET, 53, 127.0.0.1}, 16) = 0
 *   +++ exited (status 0) +++
 *
 * RUN: xtrace -F %c/../../../etc -x signal@libc.so* --if 'retval == SIG_IGN' %t
 * EXPECT:
 *   signal(SIGUSR1, %hex) = SIG_IGN
 *   +++ exited (status 0) +++
 *
 * RUN: xtrace -F %c/../../../etc -x connect@libc.so* --if 'errno == ECONNREFUSED' -- %t
 * EXPECT:
 *   connect(%num, {AF_UNIX, "no\0body"}, 10) = -1 ECONNREFUSED (Connection refused)
 *   +++ exited (status 0) +++
 *
 * RUN: xtrace --json -F %c/../../../etc -x getpeername@libc.so*+signal@libc.so* %t
 * CONTAINS:
 *   %any"value":{"sa_family":{"$name":"AF_INET","$number":2},"sin_port":53,"sin_addr":"127.0.0.1"}}%any
 *   %any"value":{"$name":"SIG_IGN","$number":1}}%any
 */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <dlfcn.h>
#include <linux/netlink.h>
#include <netinet/in.h>
#include <signal.h>
#include <stddef.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

/* What is left in a buffer from before must not be taken for an address. */
static struct sockaddr_un dirty;

static void
by_path(void)
{
	struct sockaddr_un name = { .sun_family = AF_UNIX, "socket" };
	int server = socket(AF_UNIX, SOCK_STREAM, 0);
	int client = socket(AF_UNIX, SOCK_STREAM, 0);
	socklen_t length = sizeof(name);

	bind(server, (struct sockaddr *)&name, sizeof(name));
	listen(server, 1);
	getsockname(server, (struct sockaddr *)&name, &length);
	connect(client, (struct sockaddr *)&name, length);
	memset(&dirty, 'x', sizeof(dirty));
	length = sizeof(dirty);
	getsockname(client, (struct sockaddr *)&dirty, &length);
	length = sizeof(dirty);
	accept(server, (struct sockaddr *)&dirty, &length);
	memcpy(dirty.sun_path, "\0no\0body", 8);
	connect(socket(AF_UNIX, SOCK_STREAM, 0), (struct sockaddr *)&dirty, 10);
	unlink("socket");
}

static void
by_number(void)
{
	struct sockaddr_in name = { .sin_family = AF_INET,
				    .sin_port = htons(53) };
	struct sockaddr_in6 far = { .sin6_family = AF_INET6,
				    .sin6_port = htons(8080),
				    .sin6_scope_id = 3 };
	char text[INET6_ADDRSTRLEN];
	int fd = socket(AF_INET, SOCK_DGRAM, 0);
	socklen_t length = sizeof(name);

	name.sin_addr.s_addr = inet_addr("127.0.0.1");
	connect(fd, (struct sockaddr *)&name, sizeof(name));
	getpeername(fd, (struct sockaddr *)&name, &length);
	inet_pton(AF_INET6, "fe80::17", &far.sin6_addr);
	inet_ntop(AF_INET6, &far.sin6_addr, text, sizeof(text));
	sendto(-1, "x", 1, 0, (struct sockaddr *)&far, sizeof(far));
}

static void
by_others(void)
{
	struct sockaddr_nl kernel = { .nl_family = AF_NETLINK,
				      .nl_pid = 7,
				      .nl_groups = 0x11 };
	struct sockaddr unknown = { .sa_family = AF_VSOCK, "ab" };
	struct sockaddr *volatile none = NULL;

	connect(-1, (struct sockaddr *)&kernel, sizeof(kernel));
	connect(-1, &unknown, 4);
	connect(-1, none, 0);
}

static void
caught(int number)
{
	(void)number;
}

int
main(void)
{
	struct sigaction action = { .sa_handler = SIG_DFL,
				    .sa_flags = SA_RESTART };
	struct sigaction old;

	by_path();
	by_number();
	by_others();
	signal(SIGUSR1, SIG_IGN);
	signal(SIGUSR1, caught);
	sigaction(SIGUSR1, &action, &old);
	return !dlsym(RTLD_NEXT, "getpid") || !dlsym(RTLD_DEFAULT, "getpid");
}
