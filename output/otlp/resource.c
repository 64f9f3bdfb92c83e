/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A service is called by the unit of systemd that it runs in, or by its
 * program. Units of users and sessions ("user@1000.service") say nothing of a
 * service. OTEL_SERVICE_NAME replaces the name
 * (https://opentelemetry.io/docs/specs/otel/configuration/sdk-environment-variables).
 *
 * A line of /proc/PID/cgroup is NUMBER:CONTROLLERS:PATH (cgroups(7)). The ID of
 * a container has 64 hexadecimal digits, whatever program has made it.
 */
#include "output/otlp/resource.h"

#include "output/otlp/attributes.h"

#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>

#define ID_DIGITS 64
#define UNIT_MOST 256

static const char kind[] = ".service";

/* A part of a text, without a NUL: a folder in the path of a control group. */
struct resource_word {
	const char *at;
	size_t length;
};

static bool
is_unit(const struct resource_word *folder)
{
	size_t end = strlen(kind);

	return folder->length > end && folder->length < UNIT_MOST &&
	       !memcmp(folder->at + folder->length - end, kind, end) &&
	       strncmp(folder->at, "user@", strlen("user@")) != 0;
}

/* Finds 64 digits that are a word in the folder's name. */
static bool
find_id(const struct resource_word *folder, struct resource_word *ret_id)
{
	const char *at = folder->at, *end = at + folder->length;

	while (at < end) {
		size_t digits = strspn(at, "0123456789abcdef");

		if (digits == ID_DIGITS) {
			*ret_id = (struct resource_word){ at, digits };
			return true;
		}
		at += digits ? digits : 1;
	}
	return false;
}

/* The innermost unit without its kind, and the innermost container. */
static void
read_groups(const char *groups, struct resource_word *unit,
	    struct resource_word *container)
{
	for (const char *at = groups; *at;) {
		struct resource_word folder = { at, strcspn(at, "/\n") };

		if (is_unit(&folder))
			*unit = (struct resource_word){
				at, folder.length - strlen(kind)
			};
		if (find_id(&folder, &folder))
			*container = folder;
		at += strcspn(at, "/\n");
		at += *at != '\0';
	}
}

static void
add_service(struct jsonw *json, const struct resource_word *unit,
	    const char *program)
{
	const char *given = getenv("OTEL_SERVICE_NAME");

	if (given && *given)
		attribute_text(json, "service.name", given);
	else if (unit->length > 0)
		attribute_bytes(json, "service.name", unit->at, unit->length);
	else
		attribute_text(json, "service.name",
			       *program ? program : "unknown_service");
}

void
resource_add(struct str *to, const struct resource *resource)
{
	const char *slash = strrchr(resource->path, '/');
	const char *program = slash ? slash + 1 : resource->path;
	struct resource_word unit = { "", 0 }, container = { "", 0 };
	struct utsname system;
	struct jsonw json;

	if (resource->groups)
		read_groups(resource->groups, &unit, &container);
	jsonw_init(&json, to);
	jsonw_key(&json, "resource");
	jsonw_open(&json, '{');
	jsonw_key(&json, "attributes");
	jsonw_open(&json, '[');
	add_service(&json, &unit, program);
	if (uname(&system) == 0)
		attribute_text(&json, "host.name", system.nodename);
	attribute_text(&json, "os.type", "linux");
	attribute_number(&json, "process.pid", resource->pid);
	if (*program) {
		attribute_text(&json, "process.executable.name", program);
		attribute_text(&json, "process.executable.path",
			       resource->path);
	}
	if (container.length > 0)
		attribute_bytes(&json, "container.id", container.at,
				container.length);
	jsonw_close(&json, ']');
	jsonw_close(&json, '}');
}
