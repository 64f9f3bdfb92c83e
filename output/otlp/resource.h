/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A resource of OpenTelemetry: the process that spans and metrics are about. */
#ifndef OUTPUT_OTLP_RESOURCE_H
#define OUTPUT_OTLP_RESOURCE_H

#include "base/str.h"

#include <sys/types.h>

/* What the resource says of the process. */
struct resource {
	pid_t pid;
	const char *path;   /* path of the program, or "" */
	const char *groups; /* the text of its /proc/PID/cgroup, or NULL */
};

/* Adds "resource":{...}, an object of OTLP without the comma behind it. */
void resource_add(struct str *to, const struct resource *resource);

#endif
