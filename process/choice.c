/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A line of /proc/PID/cgroup is NUMBER:CONTROLLERS:PATH (cgroups(7)). The file
 * has one line with the second version of control groups, and one line for each
 * hierarchy with the first. The names of folders in the path depend on the
 * program that has made the groups:
 *
 *	systemd		/system.slice/nginx.service
 *	Docker		/system.slice/docker-ID.scope, /docker/ID
 *	Podman		/machine.slice/libpod-ID.scope
 *	Kubernetes	/kubepods.slice/kubepods-podUID.slice/
 *			cri-containerd-ID.scope
 *	LXC		/lxc.payload.NAME, /lxc/NAME
 *	systemd-nspawn	/machine.slice/machine-NAME.scope,
 *			/machine.slice/systemd-nspawn@NAME.service
 *
 * An ID has 64 hexadecimal digits, of which users know the first twelve. A
 * monitor of a container ("libpod-conmon-ID.scope") is none of its processes.
 */
#include "process/choice.h"

#include "base/attr.h"
#include "base/fd.h"
#include "base/xmalloc.h"

#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* A name is cut at 15 bytes (proc(5), TASK_COMM_LEN). */
#define COMM_MOST 15
#define ID_LEAST 12
#define MOUNT "/sys/fs/cgroup/"

static bool
is_pattern(const char *text)
{
	return strpbrk(text, "*?[") != NULL;
}

/* A part of a path or of its folder's name. */
struct choice_part {
	const char *at;
	size_t length;
};

static bool
part_is(const struct choice_part *part, const char *text, size_t length)
{
	return part->length == length && !memcmp(part->at, text, length);
}

/* The next folder of the path; false at its end. */
static bool
next_folder(const char **path, struct choice_part *ret_part)
{
	*path += strspn(*path, "/");
	*ret_part = (struct choice_part){ *path, strcspn(*path, "/\n") };
	*path += ret_part->length;
	return ret_part->length > 0;
}

/* ---- groups, units, containers ---------------------------------------------
 */

static bool
is_below(const char *group, const char *path)
{
	struct choice_part wanted, got;

	while (next_folder(&group, &wanted)) {
		if (!next_folder(&path, &got) ||
		    !part_is(&got, wanted.at, wanted.length))
			return false;
	}
	return true;
}

/* The user may write a control group as its folder in the file system. With the
 * first version of control groups, the folder of a hierarchy is above it. */
static bool
in_group(const char *group, const char *path)
{
	struct choice_part hierarchy;

	if (strncmp(group, MOUNT, strlen(MOUNT)) != 0)
		return is_below(group, path);
	group += strlen(MOUNT);
	if (is_below(group, path))
		return true;
	return next_folder(&group, &hierarchy) && *group &&
	       is_below(group, path);
}

/* "nginx" means nginx.service; a unit of another kind is written in full, as
 * "user.slice". */
static bool
in_unit(const char *name, const char *path)
{
	static const char kind[] = ".service";
	size_t length = strlen(name);
	struct choice_part part;

	while (next_folder(&path, &part)) {
		if (part_is(&part, name, length))
			return true;
		if (part.length == length + strlen(kind) &&
		    !memcmp(part.at, name, length) &&
		    !memcmp(part.at + length, kind, strlen(kind)))
			return true;
	}
	return false;
}

static size_t
hex_digits(const char *text)
{
	return strspn(text, "0123456789abcdef");
}

/* Is the end of the folder's name an ID that begins with this text? */
static bool
ends_in_id(const struct choice_part *part, const char *text)
{
	static const char scope[] = ".scope", monitor[] = "conmon-";
	size_t length = part->length, digits;

	if (length > strlen(scope) &&
	    !memcmp(part->at + length - strlen(scope), scope, strlen(scope)))
		length -= strlen(scope);
	for (digits = 0; digits < length; digits++) {
		if (!strchr("0123456789abcdef", part->at[length - digits - 1]))
			break;
	}
	if (digits < length && part->at[length - digits - 1] != '-')
		return false;
	if (memmem(part->at, length, monitor, strlen(monitor)))
		return false;
	return digits >= strlen(text) &&
	       !memcmp(part->at + length - digits, text, strlen(text));
}

static bool
in_container(const char *text, const char *path)
{
	static const struct {
		const char *before, *behind;
	} forms[] = {
		{ "", "" },
		{ "lxc.payload.", "" },
		{ "machine-", ".scope" },
		{ "systemd-nspawn@", ".service" },
	};
	bool is_id = strlen(text) >= ID_LEAST && !text[hex_digits(text)];
	struct choice_part part;

	while (next_folder(&path, &part)) {
		if (is_id && ends_in_id(&part, text))
			return true;
		for (size_t i = 0; i < array_size(forms); i++) {
			cleanup(freep) char *name =
				xasprintf("%s%s%s", forms[i].before, text,
					  forms[i].behind);

			if (part_is(&part, name, strlen(name)))
				return true;
		}
	}
	return false;
}

bool
choice_fits_path(const struct choice *choice, const char *path)
{
	switch (choice->kind) {
	case CHOICE_CGROUP:
		return in_group(choice->text, path);
	case CHOICE_UNIT:
		return in_unit(choice->text, path);
	case CHOICE_CONTAINER:
		return in_container(choice->text, path);
	case CHOICE_NAME:
		break;
	}
	return false;
}

/* Does the choice fit one of the control groups of the process? In a line, the
 * path begins behind the second colon: a folder's name may contain colons, too,
 * but no newline. */
static bool
fits_groups(const struct choice *choice, pid_t pid)
{
	cleanup(freep) char *text = NULL;
	char path[64];

	snprintf(path, sizeof(path), "/proc/%d/cgroup", pid);
	if (fd_read_file(path, &text, NULL) < 0)
		return false;
	for (char *line = text; line && *line;) {
		char *next = strchr(line, '\n'), *at;

		if (next)
			*next++ = '\0';
		at = strchr(line, ':');
		at = at ? strchr(at + 1, ':') : NULL;
		if (at && choice_fits_path(choice, at + 1))
			return true;
		line = next;
	}
	return false;
}

/* ---- names -----------------------------------------------------------------
 */

static bool
fits_command(const char *pattern, pid_t pid)
{
	cleanup(freep) char *text = NULL;
	char path[64];
	size_t length;

	snprintf(path, sizeof(path), "/proc/%d/cmdline", pid);
	if (fd_read_file(path, &text, &length) < 0)
		return false;
	/* A program that has changed its title may have filled the rest of its
	 * command line with NULs. */
	while (length > 0 &&
	       (text[length - 1] == '\0' || text[length - 1] == ' '))
		text[--length] = '\0';
	for (size_t i = 0; i < length; i++) {
		if (text[i] == '\0')
			text[i] = ' ';
	}
	return length > 0 && fnmatch(pattern, text, 0) == 0;
}

static bool
fits_name(const char *name, pid_t pid)
{
	char comm[64];

	if (is_pattern(name))
		return fits_command(name, pid);
	status_name(pid, comm, sizeof(comm));
	return !strncmp(comm, name, COMM_MOST);
}

bool
choice_fits(const struct choice *choice, pid_t pid)
{
	if (pid == getpid())
		return false;
	return choice->kind == CHOICE_NAME ? fits_name(choice->text, pid)
					   : fits_groups(choice, pid);
}

void
choice_find(const struct choice *choice, struct pids *ret_pids)
{
	struct pids all = { 0 };

	status_processes(&all);
	for (size_t i = 0; i < all.list.count; i++) {
		size_t known = 0;

		while (known < ret_pids->list.count &&
		       ret_pids->list.at[known] != all.list.at[i])
			known++;
		if (known == ret_pids->list.count &&
		    choice_fits(choice, all.list.at[i]))
			vec_push(&ret_pids->list, all.list.at[i]);
	}
	vec_release(&all.list);
}

char *
choice_nobody(const struct choice *choice)
{
	const char *text = choice->text;

	switch (choice->kind) {
	case CHOICE_CGROUP:
		return xasprintf("no running program is in the control group "
				 "'%s'",
				 text);
	case CHOICE_UNIT:
		return xasprintf("no running program is in the unit '%s'",
				 text);
	case CHOICE_CONTAINER:
		return xasprintf("no running program is in the container '%s'",
				 text);
	case CHOICE_NAME:
		break;
	}
	if (is_pattern(text))
		return xasprintf("no running program has a command line that "
				 "matches '%s'",
				 text);
	return xasprintf("no running program is named '%s'", text);
}
