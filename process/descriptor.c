/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * /proc/PID/fd/N is a link to the path of the file, or to "socket:[INODE]". The
 * files in /proc/PID/net have a row for each socket of the process's network
 * (proc(5), Documentation/networking/proc_net_tcp.rst):
 *
 *	tcp, udp ..  sl  local_address rem_address st tx:rx tr:when retr uid
 *	             timeout inode       addresses: hexadecimal words:port
 *	unix         Num RefCount Protocol Flags Type St Inode Path
 *
 * A socket without an address is in none of them. It is shown with its inode,
 * and with its protocol, which the link's attribute system.sockprotoname names
 * (net/socket.c in the kernel).
 */
#include "process/descriptor.h"

#include "base/attr.h"
#include "base/fd.h"
#include "base/xmalloc.h"
#include "process/status.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/xattr.h>
#include <unistd.h>

#define PATH_ROOM 4096

static const struct table_of_sockets {
	const char *file, *name;
} tables[] = {
	{ "tcp", "TCP" },	  { "tcp6", "TCPv6" }, { "udp", "UDP" },
	{ "udp6", "UDPv6" },	  { "raw", "RAW" },    { "raw6", "RAWv6" },
	{ "udplite", "UDPLITE" },
};

/* The text of the row behind its first `count` words. */
static const char *
behind_words(const char *row, unsigned count)
{
	while (count-- > 0) {
		row += strspn(row, " ");
		row += strcspn(row, " \n");
	}
	return row + strspn(row, " ");
}

/* "0100007F:0CEA": words of 4 bytes as the machine has them, and the port.
 * Adds 127.0.0.1:3306. Returns the port, or -EINVAL. */
static int
add_address(const char *text, struct str *to)
{
	size_t digits = strspn(text, "0123456789ABCDEFabcdef");
	size_t count = digits / 8;
	uint32_t words[4];
	char shown[INET6_ADDRSTRLEN];
	unsigned port;

	if ((count != 1 && count != 4) || digits != count * 8 ||
	    sscanf(text + digits, ":%x", &port) != 1)
		return -EINVAL;
	for (size_t i = 0; i < count; i++) {
		char word[9] = "";

		memcpy(word, text + i * 8, 8);
		words[i] = (uint32_t)strtoul(word, NULL, 16);
	}
	if (!inet_ntop(count == 1 ? AF_INET : AF_INET6, words, shown,
		       sizeof(shown)))
		return -EINVAL;
	str_addf(to, count == 1 ? "%s:%u" : "[%s]:%u", shown, port);
	return (int)port;
}

static bool
add_internet(const char *row, const char *name, struct str *to)
{
	size_t length = to->length;
	size_t local;

	str_addf(to, "%s:[", name);
	local = to->length;
	if (add_address(behind_words(row, 1), to) >= 0) {
		size_t end = to->length;

		str_add(to, "->");
		/* A socket that is not connected has 0 as the remote port: only
		 * its own address is shown. */
		if (add_address(behind_words(row, 2), to) <= 0)
			str_cut(to, end);
	}
	if (to->length == local) {
		str_cut(to, length);
		return false;
	}
	str_add_char(to, ']');
	return true;
}

static bool
add_unix(const char *row, unsigned long inode, struct str *to)
{
	static const char *const types[] = {
		[1] = "STREAM", [2] = "DGRAM", [5] = "SEQPACKET"
	};
	unsigned long type = strtoul(behind_words(row, 4), NULL, 16);
	const char *path = behind_words(row, 6);

	str_add(to, "UNIX");
	path += strspn(path, "0123456789");
	path += strspn(path, " ");
	if (type < array_size(types) && types[type])
		str_addf(to, "-%s", types[type]);
	str_addf(to, ":[%lu", inode);
	if (*path && *path != '\n')
		str_addf(to, ",%.*s", (int)strcspn(path, "\n"), path);
	str_add_char(to, ']');
	return true;
}

/* The row whose inode is this one. The inode is the word after the first
 * `words` words of a row. */
static const char *
row_of(const char *text, unsigned words, unsigned long inode)
{
	while (text && *text) {
		if (strtoul(behind_words(text, words), NULL, 10) == inode)
			return text;
		text = strchr(text, '\n');
		text = text ? text + 1 : NULL;
	}
	return NULL;
}

static char *
read_table(pid_t tid, const char *name)
{
	char path[64];
	char *text;

	snprintf(path, sizeof(path), "/proc/%d/net/%s", tid, name);
	return fd_read_file(path, &text, NULL) < 0 ? NULL : text;
}

static bool
add_socket(pid_t tid, unsigned long inode, struct str *to)
{
	for (size_t i = 0; i < array_size(tables); i++) {
		cleanup(freep) char *text = read_table(tid, tables[i].file);
		const char *row = text ? row_of(text, 9, inode) : NULL;

		if (row)
			return add_internet(row, tables[i].name, to);
	}
	cleanup(freep) char *text = read_table(tid, "unix");
	const char *row = text ? row_of(text, 6, inode) : NULL;

	return row && add_unix(row, inode, to);
}

/* Adds TCP:[INODE] for a socket that has no address. */
static bool
add_protocol(const char *link, unsigned long inode, struct str *to)
{
	char name[64];
	ssize_t length =
		getxattr(link, "system.sockprotoname", name, sizeof(name) - 1);

	if (length <= 0)
		return false;
	name[length] = '\0';
	str_addf(to, "%s:[%lu]", name, inode);
	return true;
}

int
descriptor_share(pid_t tid, int fd)
{
	cleanup(fd_closep) int process = -1;
	struct status status;
	int r = status_read(tid, &status);

	if (r < 0)
		return r;
	process = (int)syscall(SYS_pidfd_open, status.pid, 0);
	if (process < 0)
		return -errno;
	r = (int)syscall(SYS_pidfd_getfd, process, fd, 0);
	return r < 0 ? -errno : r;
}

int
descriptor_add(pid_t tid, int fd, struct str *to)
{
	char link[64], target[PATH_ROOM];
	unsigned long inode;
	ssize_t length;

	if (fd == AT_FDCWD)
		snprintf(link, sizeof(link), "/proc/%d/cwd", tid);
	else
		snprintf(link, sizeof(link), "/proc/%d/fd/%d", tid, fd);
	length = readlink(link, target, sizeof(target) - 1);
	if (length < 0)
		return -errno;
	target[length] = '\0';
	if (sscanf(target, "socket:[%lu]", &inode) == 1 &&
	    (add_socket(tid, inode, to) || add_protocol(link, inode, to)))
		return 0;
	str_add(to, target);
	return 0;
}
