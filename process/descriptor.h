/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What an open file of a process is: its path, or the addresses of a socket. */
#ifndef PROCESS_DESCRIPTOR_H
#define PROCESS_DESCRIPTOR_H

#include "base/attr.h"
#include "base/str.h"

#include <sys/types.h>

/*
 * Adds what /proc tells of descriptor fd of the thread: "/etc/passwd",
 * "pipe:[123]", "TCP:[127.0.0.1:3306->127.0.0.1:40000]",
 * "UNIX-STREAM:[123,/run/x.sock]". fd may be AT_FDCWD: the current directory.
 * -errno if there is no such file.
 */
must_check int descriptor_add(pid_t tid, int fd, struct str *to);

/*
 * Opens a descriptor in xtrace for the open file that the thread has as fd:
 * both descriptors share it. The caller closes the descriptor. -errno if the
 * thread has no such file, or if the kernel refuses (pidfd_getfd(2), Linux
 * 5.6).
 */
must_check int descriptor_share(pid_t tid, int fd);

#endif
