/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Beginning anew is execve(2), so nothing of the run before is left: no memory,
 * no thread, no descriptor. The pid stays, which the service manager knows. All
 * signals stay blocked: if a signal comes meanwhile, the clockwork of the new
 * run gets it.
 *
 * The files are checked before the processes are left. With a mistake in them,
 * tracing continues as before.
 */
#include "tracer/run/service.h"

#include "tracer/model/say.h"
#include "tracer/options/options.h"
#include "tracer/plan/prototypes.h"
#include "tracer/plan/sets.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Is set in the environment of a run that begins anew. */
#define AGAIN "XTRACE_AGAIN"
#define SELF "/proc/self/exe"

void
service_init(struct service *service, int argc, char **argv)
{
	service->argc = argc;
	service->argv = argv;
	service->again = getenv(AGAIN) != NULL;
	unsetenv(AGAIN);
}

static int
check(const struct options *options, struct err *err)
{
	struct prototypes *prototypes = NULL;
	struct sets *sets = NULL;
	int r = prototypes_new(options, &prototypes, err);

	if (r < 0)
		return r;
	r = sets_new(options, prototypes, &sets, err);
	sets_free(sets);
	prototypes_free(prototypes);
	return r;
}

bool
service_check(void *argument)
{
	const struct service *service = argument;
	struct options options;
	struct err err = { "" };
	int r = options_parse(&options, service->argc, service->argv, &err);

	if (r == 0)
		r = check(&options, &err);
	options_release(&options);
	if (r == 0)
		return true;
	say_error(&err);
	say("the service is not reloaded, and traces as before");
	return false;
}

int
service_begin_again(const struct service *service, struct err *err)
{
	char path[PATH_MAX + 1] = "";

	/* The path, if there is a file: it names the process, and may be a
	 * newer version. */
	if (readlink(SELF, path, PATH_MAX) < 0 || access(path, X_OK) < 0)
		strcpy(path, SELF);
	notify_restore(&service->notify);
	setenv(AGAIN, "1", 1);
	execv(path, service->argv);
	return err_set(err, -errno, "%s cannot begin again: %s", path,
		       strerror(errno));
}
