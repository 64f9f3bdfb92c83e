/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A datagram that cannot be sent is not repeated, and nothing waits: a service
 * manager that does not read must not delay the traced program.
 *
 * If an address begins with @, it is in the abstract namespace, and its first
 * byte is NUL (sd_notify(3), "NOTES"; unix(7)).
 */
#include "tracer/model/notify.h"

#include "base/clock.h"
#include "base/fd.h"
#include "base/log.h"
#include "base/str.h"

#include <errno.h>
#include <inttypes.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define VARIABLE "NOTIFY_SOCKET"

void
notify_init(struct notify *notify)
{
	const char *path = getenv(VARIABLE);
	size_t length = path ? strlen(path) : 0;

	*notify = (struct notify){ .to = { .sun_family = AF_UNIX } };
	if (length > 1 && length < sizeof(notify->to.sun_path) &&
	    (*path == '/' || *path == '@')) {
		memcpy(notify->to.sun_path, path, length);
		notify->length =
			(socklen_t)(offsetof(struct sockaddr_un, sun_path) +
				    length);
	}
	if (notify->to.sun_path[0] == '@')
		notify->to.sun_path[0] = '\0';
	unsetenv(VARIABLE);
}

void
notify_restore(const struct notify *notify)
{
	char path[sizeof(notify->to.sun_path) + 1] = { 0 };

	if (notify->length == 0)
		return;
	memcpy(path, notify->to.sun_path, sizeof(notify->to.sun_path));
	if (!*path)
		*path = '@';
	setenv(VARIABLE, path, 1);
}

static void
tell(const struct notify *notify, const char *state)
{
	cleanup(fd_closep) int to = -1;

	if (notify->length == 0)
		return;
	to = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
	if (to < 0 ||
	    sendto(to, state, strlen(state), MSG_NOSIGNAL,
		   (const struct sockaddr *)&notify->to, notify->length) < 0)
		debug("the service manager is not told %s: %s", state,
		      strerror(errno));
}

void
notify_ready(const struct notify *notify)
{
	tell(notify, "READY=1");
}

/* The time is needed by units with Type=notify-reload. */
void
notify_reloading(const struct notify *notify)
{
	struct str state = { 0 };

	str_addf(&state, "RELOADING=1\nMONOTONIC_USEC=%" PRIu64,
		 clock_now() / 1000);
	tell(notify, str_text(&state));
	str_release(&state);
}

void
notify_stopping(const struct notify *notify)
{
	tell(notify, "STOPPING=1");
}
