/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The kernel's messages about programs that begin (the proc connector,
 * Documentation/driver-api/connector.rst and linux/cn_proc.h). Only a process
 * in the first namespaces of users, of processes and of the network gets them;
 * before Linux 6.6, it must also have CAP_NET_ADMIN.
 */
#ifndef PROCESS_BIRTHS_H
#define PROCESS_BIRTHS_H

#include "base/attr.h"
#include "base/vec.h"

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

struct births {
	vec_of(pid_t) pids;
	/* messages were lost, because they were not read in time */
	bool lost;
};

/* Opens a descriptor that is readable if there are messages. -errno, also if
 * the kernel sends none to us. The caller closes it. */
must_check int births_open(void);

/* Reads the messages that wait. Adds the processes that run another program now
 * (execve(2)), or have another name. */
void births_read(int descriptor, struct births *ret_births);

/* The process that a message of this many bytes is about; 0: another message.
 * Sets *ret_accepted if the message says that messages will be sent. */
pid_t births_of(const void *message, size_t length, bool *ret_accepted);

#endif
