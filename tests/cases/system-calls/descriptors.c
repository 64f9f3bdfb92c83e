/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * -y: what a descriptor is open for, in system calls and in library calls.
 *
 * FILE: p.conf: int uses(int fd, int number);
 *
 * RUN: xtrace -F %c/../../../etc:p.conf -y -S -x uses %t
 * CONTAINS:
 *   openat@SYS(AT_FDCWD<DIR>, "p.conf", O_RDONLY) = %{fd}<DIR/p.conf>
 *   uses(%{fd}<DIR/p.conf>, %{fd} <unfinished ...>
 *   close@SYS(%{fd}<DIR/p.conf>) = 0
 *   <... uses resumed> ) = 0
 *   socket@SYS(%any) = %{tcp}<TCP:[%num]>
 *   getsockname@SYS(%{tcp}<TCP:[127.0.0.1:%{port}]>, %any) = 0
 *   connect@SYS(%{other}<TCP:[%num]>, {AF_INET, %{port}, 127.0.0.1}, 16) = 0
 *   write@SYS(%{other}<TCP:[127.0.0.1:%num->127.0.0.1:%{port}]>, "x", 1) = 1
 *   write@SYS(%num<UNIX-STREAM:[%num]>, "y", 1) = 1
 *   read@SYS(%num<pipe:[%num]>, %any) = -1 EAGAIN %any
 *   close@SYS(-1) = -1 EBADF (Bad file descriptor)
 *   +++ exited (status 0) +++
 *
 * RUN: xtrace -F %c/../../../etc:p.conf -y -L -Sclose --json %t
 * CONTAINS:
 *   {%any"name":"close"%any"name":"fd","type":"int","value":-1}%any
 */
#include <arpa/inet.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

__attribute__((noinline)) int uses(int fd, int number);

int
uses(int fd, int number)
{
	return close(fd) * number;
}

int
main(void)
{
	struct sockaddr_in address = {
		.sin_family = AF_INET,
		.sin_addr = { htonl(INADDR_LOOPBACK) },
	};
	struct sockaddr *any = (struct sockaddr *)&address;
	socklen_t length = sizeof(address);
	int file = open("p.conf", O_RDONLY), tcp, other, pair[2], ends[2];
	char c;

	if (uses(file, file) < 0)
		return 1;
	tcp = socket(AF_INET, SOCK_STREAM, 0);
	other = socket(AF_INET, SOCK_STREAM, 0);
	if (bind(tcp, any, length) < 0 || listen(tcp, 1) < 0 ||
	    getsockname(tcp, any, &length) < 0 ||
	    connect(other, any, length) < 0 || write(other, "x", 1) != 1)
		return 2;
	if (socketpair(AF_UNIX, SOCK_STREAM, 0, pair) < 0 ||
	    write(pair[0], "y", 1) != 1 || pipe2(ends, O_NONBLOCK) < 0)
		return 3;
	return read(ends[0], &c, 1) >= 0 || close(-1) == 0;
}
