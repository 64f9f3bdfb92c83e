/* SPDX-License-Identifier: GPL-2.0-or-later */
/* How a thread waits for what comes from a socket. */
#ifndef PROCESS_SOCKET_WAIT_H
#define PROCESS_SOCKET_WAIT_H

#include <stdbool.h>
#include <sys/types.h>

/*
 * True if fd of the thread is a TCP, UDP or UNIX socket, and a thread that
 * waits in accept(2), read(2) or recvfrom(2) on it has taken nothing yet and
 * has no time limit: an interrupt makes the kernel repeat that call
 * (include/net/sock.h, sock_intr_errno). The socket is shared with xtrace while
 * its options are read (pidfd_getfd(2), Linux 5.6). Also false if they cannot
 * be read.
 */
bool socket_waits_plainly(pid_t tid, int fd);

#endif
