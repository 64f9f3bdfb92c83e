/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A birth is the beginning of a program in a process, or a new name of the
 * process. The kernel sends messages about births (the proc connector,
 * Documentation/driver-api/connector.rst and linux/cn_proc.h). Only a process
 * in the initial user, PID and network namespaces gets them; before Linux 6.6,
 * it must also have CAP_NET_ADMIN.
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

/* Opens a descriptor that is readable if there are messages. The caller closes
 * it. Returns -errno if that fails, or if the kernel sends xtrace no messages.
 * */
must_check int births_open(void);

/* Reads all messages that have arrived. Adds the processes that have begun a
 * program (execve(2)), or have a new name. */
void births_read(int descriptor, struct births *ret_births);

/* The process whose birth a message of `length` bytes tells; 0: it tells none.
 * Sets *ret_accepted if the kernel says that it will send messages. */
pid_t births_of(const void *message, size_t length, bool *ret_accepted);

#endif
