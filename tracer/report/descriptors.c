/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * An int argument is taken for a descriptor if the name of its parameter says
 * so, as in the headers of most libraries (fd, epfd, sockfd), or if its type
 * names AT_FDCWD. A text is taken for a path by its name, too. A function is
 * known by its name to return a new descriptor.
 *
 * The file behind a descriptor is read from /proc while the thread is stopped.
 * Another thread may close the descriptor or open it anew meanwhile.
 */
#include "tracer/report/descriptors.h"

#include "conf/model/lens.h"
#include "conf/model/type.h"
#include "process/descriptor.h"
#include "values/fetch.h"

#include <fcntl.h>
#include <limits.h>
#include <string.h>

/* What parameters that are descriptors are called. */
static const char *const names[] = {
	"epoll", "ruleset", "mount", "kernel", "initrd", "socket", "descriptor",
};

/* What parameters that are paths are called. */
static const char *const paths[] = { "path",   "to_path", "old",
				     "target", "from",	  "to" };

/* The functions whose result is a descriptor. */
static const char *const openers[] = {
	"open",
	"open64",
	"__open64_2",
	"openat",
	"openat64",
	"openat2",
	"__openat64_2",
	"__open_2",
	"__openat_2",
	"creat",
	"creat64",
	"dup",
	"dup2",
	"dup3",
	"socket",
	"accept",
	"accept4",
	"epoll_create",
	"epoll_create1",
	"eventfd",
	"eventfd2",
	"signalfd",
	"signalfd4",
	"timerfd_create",
	"inotify_init",
	"inotify_init1",
	"fanotify_init",
	"memfd_create",
	"memfd_secret",
	"pidfd_open",
	"pidfd_getfd",
	"userfaultfd",
	"open_by_handle_at",
	"open_tree",
	"fsopen",
	"fsmount",
	"fspick",
	"mq_open",
	"shm_open",
	"mkstemp",
	"mkostemp",
	"posix_openpt",
	"perf_event_open",
	"fileno",
	"dirfd",
	"io_uring_setup",
	"landlock_create_ruleset",
};

static bool
is_among(const char *name, const char *const *list, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		if (!strcmp(name, list[i]))
			return true;
	}
	return false;
}

static bool
names_directory(const struct lens *lens)
{
	const struct lens *of = lens_of_kind(lens, LENS_ENUM);

	for (size_t i = 0; of && i < of->name_count; i++) {
		if (!strcmp(of->names[i].name, "AT_FDCWD"))
			return true;
	}
	return false;
}

static bool
is_descriptor(const struct argument *argument)
{
	const struct type *type = argument->value.type;
	const char *name = argument->name;
	size_t length = name ? strlen(name) : 0;

	if (type->kind != TYPE_INT || type->bytes != sizeof(int))
		return false;
	if (names_directory(argument->value.lens))
		return true;
	return length >= 2 && (!strcmp(name + length - 2, "fd") ||
			       is_among(name, names, array_size(names)));
}

static const char *
file_of(pid_t tid, const struct value *value, struct arena *arena)
{
	const char *file = NULL;
	struct str text;
	int64_t fd;

	if (value_integer(value, &fd) < 0 || (fd < 0 && fd != AT_FDCWD) ||
	    fd > INT_MAX)
		return NULL;
	str_init(&text);
	if (descriptor_add(tid, (int)fd, &text) == 0)
		file = arena_strdup(arena, str_text(&text));
	str_release(&text);
	return file;
}

void
descriptors_take(const struct session *session, pid_t tid, struct call *call)
{
	struct arguments *arguments = call->event.arguments;

	if (!session->options->descriptors || !arguments)
		return;
	for (size_t i = 0; i < arguments->count; i++) {
		struct argument *argument = &arguments->at[i];

		if (is_descriptor(argument))
			argument->file =
				file_of(tid, &argument->value, &call->arena);
	}
}

void
descriptors_take_paths(const struct session *session, struct call *call)
{
	struct arguments *arguments = call->event.arguments;

	if (session->options->as_ltrace ||
	    report_open(call)->tracepoint->kind != TRACEPOINT_SYSTEM_CALL)
		return;
	for (size_t i = 0; i < arguments->count; i++) {
		struct argument *argument = &arguments->at[i];

		argument->path =
			argument->name &&
			is_among(argument->name, paths, array_size(paths));
	}
}

static bool
is_path(const struct options *options, const char *text, size_t length)
{
	for (size_t i = 0; i < options->paths.count; i++) {
		const char *path = options->paths.at[i];

		if (strlen(path) == length && !memcmp(path, text, length))
			return true;
	}
	return false;
}

static bool
is_about(const struct options *options, pid_t tid,
	 const struct argument *argument, struct arena *arena)
{
	struct value_chars text;
	const char *file;

	if (is_descriptor(argument)) {
		file = file_of(tid, &argument->value, arena);
		return file && is_path(options, file, strlen(file));
	}
	return argument->value.lens &&
	       lens_is_text(argument->value.lens->kind) &&
	       argument->when == PARAM_AT_ENTRY &&
	       value_text(&argument->value, PATH_MAX, &text) == 0 &&
	       is_path(options, text.bytes, text.length);
}

bool
descriptors_touch(const struct session *session, pid_t tid,
		  const struct call *call)
{
	const struct arguments *arguments = call->event.arguments;

	if (!session->options->paths.count || !arguments)
		return !session->options->paths.count;
	for (size_t i = 0; i < arguments->count; i++) {
		if (is_about(session->options, tid, &arguments->at[i],
			     arguments->arena))
			return true;
	}
	return false;
}

void
descriptors_take_result(const struct session *session, pid_t tid,
			struct call *call)
{
	const struct event_call *event = &call->event;

	if (session->options->descriptors && event->result &&
	    event->result->type->kind == TYPE_INT && !event->restarts &&
	    is_among(event->name, openers, array_size(openers)))
		call->event.result_file =
			file_of(tid, event->result, &call->arena);
}
