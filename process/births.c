/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 *	struct nlmsghdr   struct cn_msg   struct proc_event
 *	16 bytes          20 bytes        what, cpu, time, data
 *
 * The kernel answers the request to listen before send(2) returns. If xtrace is
 * not in the initial user namespace and the initial PID namespace, there is no
 * answer at all. In another network namespace, send(2) fails.
 *
 * A fork is no birth here: the forked process runs the program of its parent,
 * and often calls exec very soon, which is a birth.
 */
#include "process/births.h"

#include "base/fd.h"

#include <errno.h>
#include <linux/cn_proc.h>
#include <linux/connector.h>
#include <linux/netlink.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

/* Room for the messages that wait to be read: those of some thousand births. */
#define ROOM (1 << 20)
#define MESSAGE_MOST 512

#define HEAD (NLMSG_HDRLEN + sizeof(struct cn_msg))

pid_t
births_of(const void *message, size_t length, bool *ret_accepted)
{
	struct proc_event event = { 0 };
	struct cn_msg head;
	size_t rest = length > HEAD ? length - HEAD : 0;

	if (rest < offsetof(struct proc_event, event_data) + sizeof(__u32))
		return 0;
	memcpy(&head, (const char *)message + NLMSG_HDRLEN, sizeof(head));
	memcpy(&event, (const char *)message + HEAD,
	       rest < sizeof(event) ? rest : sizeof(event));
	if (head.id.idx != CN_IDX_PROC || head.id.val != CN_VAL_PROC)
		return 0;
	if (event.what == PROC_EVENT_NONE && event.event_data.ack.err == 0)
		*ret_accepted = true;
	if (event.what == PROC_EVENT_EXEC)
		return event.event_data.exec.process_tgid;
	if (event.what == PROC_EVENT_COMM &&
	    event.event_data.comm.process_pid ==
		    event.event_data.comm.process_tgid)
		return event.event_data.comm.process_tgid;
	return 0;
}

static int
ask(int descriptor)
{
	enum proc_cn_mcast_op listen = PROC_CN_MCAST_LISTEN;
	struct cn_msg head = { .id = { CN_IDX_PROC, CN_VAL_PROC },
			       .len = sizeof(listen) };
	char message[HEAD + sizeof(listen)] = "";
	struct nlmsghdr netlink = { .nlmsg_len = sizeof(message),
				    .nlmsg_type = NLMSG_DONE };

	memcpy(message, &netlink, sizeof(netlink));
	memcpy(message + NLMSG_HDRLEN, &head, sizeof(head));
	memcpy(message + HEAD, &listen, sizeof(listen));
	return send(descriptor, message, sizeof(message), 0) < 0 ? -errno : 0;
}

/* Reads one message. False if none waits. */
static bool
read_one(int descriptor, struct births *births, bool *ret_accepted)
{
	char message[MESSAGE_MOST];
	ssize_t length =
		recv(descriptor, message, sizeof(message), MSG_DONTWAIT);
	pid_t pid;

	if (length < 0 && errno == ENOBUFS) {
		births->lost = true;
		return true;
	}
	if (length < 0)
		return errno == EINTR;
	pid = births_of(message, (size_t)length, ret_accepted);
	if (pid > 0)
		vec_push(&births->pids, pid);
	return true;
}

/* True if the kernel has accepted the request. */
static bool
is_accepted(int descriptor)
{
	struct births before = { 0 };
	bool accepted = false;

	while (!accepted && read_one(descriptor, &before, &accepted))
		;
	vec_release(&before.pids);
	return accepted;
}

int
births_open(void)
{
	const struct sockaddr_nl address = { .nl_family = AF_NETLINK,
					     .nl_groups = CN_IDX_PROC };
	cleanup(fd_closep) int descriptor =
		socket(AF_NETLINK, SOCK_DGRAM | SOCK_CLOEXEC,
		       NETLINK_CONNECTOR);
	const int room = ROOM;
	int r;

	if (descriptor < 0)
		return -errno;
	/* If this fails, there is less room, and messages are lost earlier. */
	(void)setsockopt(descriptor, SOL_SOCKET, SO_RCVBUFFORCE, &room,
			 sizeof(room));
	if (bind(descriptor, (const struct sockaddr *)&address,
		 sizeof(address)) < 0)
		return -errno;
	r = ask(descriptor);
	if (r < 0)
		return r;
	if (!is_accepted(descriptor))
		return -EPERM;
	r = descriptor;
	descriptor = -1;
	return r;
}

void
births_read(int descriptor, struct births *ret_births)
{
	bool accepted;

	while (read_one(descriptor, ret_births, &accepted))
		;
}
