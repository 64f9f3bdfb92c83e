/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Beginning anew is execve(2), so nothing of the run before is left: no memory,
 * no thread, no descriptor. The pid stays, which the service manager knows. All
 * signals stay blocked: if a signal comes meanwhile, the clockwork of the new
 * run gets it.
 *
 * The files are checked before the processes are left. With a mistake in them,
 * tracing continues as before. Another process of xtrace checks them: it reads
 * the debug information of programs, too, in which the tracing thread of this
 * one may be reading.
 */
#include "tracer/run/service.h"

#include "process/spawn.h"
#include "tracer/model/say.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The environment variable that is set for an xtrace that begins anew, or that
 * only checks the options. */
#define AGAIN "XTRACE_AGAIN"
#define CHECKS "checks"
#define SELF "/proc/self/exe"

void
service_init(struct service *service, char **argv)
{
	const char *again = getenv(AGAIN);

	service->argv = argv;
	service->checks = again && !strcmp(again, CHECKS);
	service->again = again && !service->checks;
	unsetenv(AGAIN);
}

/* The path of xtrace's own file, if the file still exists; else /proc/self/exe.
 * The path gives the process its name, and the file may be a newer version. */
static const char *
own_file(char path[PATH_MAX + 1])
{
	ssize_t length = readlink(SELF, path, PATH_MAX);

	path[length > 0 ? length : 0] = '\0';
	return access(path, X_OK) == 0 ? path : SELF;
}

bool
service_check(void *argument)
{
	const struct service *service = argument;
	char path[PATH_MAX + 1];
	const char *file = own_file(path);
	int r;

	setenv(AGAIN, CHECKS, 1);
	r = spawn_run(file, service->argv, environ);
	unsetenv(AGAIN);
	if (r == 0)
		return true;
	if (r == -EINTR)
		return false;
	if (r < 0)
		say("%s cannot check the options: %s", file, strerror(-r));
	say("the service is not reloaded, and traces as before");
	return false;
}

int
service_begin_again(const struct service *service, struct err *err)
{
	char path[PATH_MAX + 1];
	const char *file = own_file(path);

	notify_restore(&service->notify);
	setenv(AGAIN, "1", 1);
	execv(file, service->argv);
	return err_set(err, -errno, "%s cannot begin again: %s", file,
		       strerror(errno));
}
