/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A choice says which running processes are meant, by something that they have
 * in common. Only /proc is asked, and no daemon.
 */
#ifndef PROCESS_CHOICE_H
#define PROCESS_CHOICE_H

#include "process/status.h"

#include <stdbool.h>
#include <stddef.h>

enum choice_kind {
	/* The program's name (comm). A text with * ? or [ is a pattern of the
	 * whole command line, whose arguments are separated by blanks. */
	CHOICE_NAME,
	CHOICE_CGROUP,	  /* in this control group, or below it */
	CHOICE_UNIT,	  /* of systemd: "nginx", "user.slice" */
	CHOICE_CONTAINER, /* its id or the beginning of it, or its name */
};

struct choice {
	enum choice_kind kind;
	const char *text;
};

/* "no running program is named 'nginx'": the caller frees it. */
char *choice_nobody(const struct choice *choice);

/* Does the process fit the choice? A process that has ended fits none. */
bool choice_fits(const struct choice *choice, pid_t pid);

/* Is a process with this path, a line of /proc/PID/cgroup behind its second
 * colon, in the group, unit or container? */
bool choice_fits_path(const struct choice *choice, const char *path);

/* Adds all processes that fit the choice, except ourselves, and each only
 * once. */
void choice_find(const struct choice *choice, struct pids *ret_pids);

#endif
