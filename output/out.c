/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A trace is read while it grows, and must be complete after a crash of the
 * machine. Therefore two promises matter more than speed: the descriptor gets
 * whole lines, each once, and a descriptor that fails disturbs nothing else.
 *
 * Bytes are collected in one buffer; out->whole says how many of them end with
 * a newline. A flush writes these with one write(2). The incomplete line at the
 * end waits, except on a terminal, where the user may be watching a call that
 * does not return. stderr is shared: the program may write to the same pipe or
 * file. There each line is written at once, because otherwise `2>&1` would show
 * it after later output. A short write is continued. If our file is cut
 * in the middle of a line because the disk is full, it is truncated to its last
 * whole line.
 *
 * The first error is kept, and everything after it is silently dropped: xtrace
 * still counts calls and lets threads run, and reports the error once. tracer/
 * ignores SIGPIPE. A command behind a pipe gets the default dispositions and an
 * empty signal mask back, because it would inherit ours.
 *
 * If the reader of a pipe does not read, xtrace blocks, and with it a thread
 * that it has stopped, as for any program that writes to a pipe. But when
 * xtrace has to leave, that thread must run again. Then the output is given up
 * if the reader takes nothing for a second. If poll(2) says that a pipe can be
 * written, it has room for PIPE_BUF bytes (pipe(7)). Therefore so many are
 * written at a time, without blocking.
 *
 * The end of the command is awaited with a pidfd, and its status is not read:
 * only process/wait reads wait statuses, and it may have read this one already.
 *
 * A file that is written anew is written under another name until it is
 * complete. Then rename(2) gives it its name, because this is a single step.
 *
 * A file that is rotated is renamed, and a new one is opened, between two
 * events and with no incomplete line. So each line and each event is in one
 * file. The files are opened for appending, because logrotate may copy a file
 * that is being written and truncate it to length 0.
 */
#include "output/out.h"

#include "base/fd.h"
#include "base/log.h"
#include "base/xmalloc.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

/* The default capacity of a pipe (pipe(7), "Pipe capacity"). */
#define LARGE_BUFFER (64u << 10)
/* A reader that takes nothing for this time is considered dead. */
#define PATIENCE_MS 1000

struct out {
	/* the text to write to; NULL: a descriptor is written to */
	struct str *memory;
	struct out_target *target; /* gets the bytes, or NULL */
	int descriptor;
	int command; /* the command's pidfd, or -1 */
	bool owned;
	bool regular;
	bool terminal;
	struct str buffer;
	size_t whole;
	int error;
	/* set when out_hurry() was called, else NULL */
	const atomic_bool *over;
	/* the path of a file that we have opened; NULL: another descriptor */
	char *path;
	/* path of the new version of the file, until it is complete */
	char *draft;
	bool rotated; /* see out_rotate() */
	uint64_t rotate_size, size;
	unsigned keep;
};

static struct out *
out_new(int descriptor, bool owned)
{
	struct out *out = xcalloc(1, sizeof(*out));
	struct stat status;

	out->descriptor = descriptor;
	out->command = -1;
	out->owned = owned;
	if (descriptor < 0)
		return out;
	out->terminal = isatty(descriptor) == 1;
	out->regular =
		fstat(descriptor, &status) == 0 && S_ISREG(status.st_mode);
	return out;
}

struct out *
out_descriptor(int descriptor)
{
	return out_new(descriptor, false);
}

void
out_hurry(struct out *out, const atomic_bool *over)
{
	out->over = over;
}

struct out *
out_memory(struct str *str)
{
	struct out *out = out_new(-1, false);

	out->memory = str;
	return out;
}

struct out *
out_target(struct out_target *target)
{
	struct out *out = out_new(-1, false);

	out->target = target;
	return out;
}

/* Runs command with input as its stdin: 0 or -errno. */
static int
spawn_command(char *command, int input, pid_t *ret_pid)
{
	char shell[] = "sh", option[] = "-c";
	char *argv[] = { shell, option, command, NULL };
	posix_spawn_file_actions_t actions;
	posix_spawnattr_t attributes;
	sigset_t set;
	int code;

	posix_spawn_file_actions_init(&actions);
	posix_spawnattr_init(&attributes);
	posix_spawn_file_actions_adddup2(&actions, input, STDIN_FILENO);
	sigfillset(&set);
	posix_spawnattr_setsigdefault(&attributes, &set);
	sigemptyset(&set);
	posix_spawnattr_setsigmask(&attributes, &set);
	posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGDEF |
						      POSIX_SPAWN_SETSIGMASK);
	code = posix_spawn(ret_pid, "/bin/sh", &actions, &attributes, argv,
			   environ);
	posix_spawnattr_destroy(&attributes);
	posix_spawn_file_actions_destroy(&actions);
	return -code;
}

static int
open_command(const char *command, struct out **ret_out, struct err *err)
{
	cleanup(freep) char *copy = xstrdup(command);
	cleanup(fd_closep) int input = -1;
	int ends[2], code;
	pid_t pid;

	if (pipe2(ends, O_CLOEXEC) < 0)
		return err_set(err, -errno, "|%s: no pipe: %s", command,
			       strerror(errno));
	input = ends[0];
	code = spawn_command(copy, input, &pid);
	if (code < 0) {
		close(ends[1]);
		return err_set(err, code, "|%s: cannot be started: %s", command,
			       strerror(-code));
	}
	*ret_out = out_new(ends[1], true);
	/*
	 * Before Linux 5.3 there are no pidfds. Then xtrace does not wait for
	 * the command's end.
	 */
	(*ret_out)->command = (int)syscall(SYS_pidfd_open, pid, 0);
	return 0;
}

static int
open_file(const char *path, int how, struct out **ret_out, struct err *err)
{
	int descriptor;

	if (path[0] == '|')
		return open_command(path + 1, ret_out, err);
	descriptor = open(path, O_WRONLY | O_CREAT | O_CLOEXEC | how, 0666);
	if (descriptor < 0)
		return err_set(err, -errno, "%s: cannot be written: %s", path,
			       strerror(errno));
	*ret_out = out_new(descriptor, true);
	(*ret_out)->path = xstrdup(path);
	return 0;
}

int
out_open(const char *path, struct out **ret_out, struct err *err)
{
	return open_file(path, O_TRUNC, ret_out, err);
}

int
out_continue(const char *path, struct out **ret_out, struct err *err)
{
	struct stat status;
	int r = open_file(path, O_APPEND, ret_out, err);

	if (r == 0 && (*ret_out)->regular &&
	    fstat((*ret_out)->descriptor, &status) == 0)
		(*ret_out)->size = (uint64_t)status.st_size;
	return r;
}

void
out_empty(struct out *out)
{
	int flags = fcntl(out->descriptor, F_GETFL);

	if (!out->regular || !out->owned || out->error)
		return;
	if (ftruncate(out->descriptor, 0) < 0 ||
	    lseek(out->descriptor, 0, SEEK_SET) < 0)
		out->error = -errno;
	if (flags >= 0 &&
	    fcntl(out->descriptor, F_SETFL, flags & ~O_APPEND) < 0)
		debug("%s: it is appended to", out->path);
	out->size = 0;
}

/* Creates the draft, a temporary file that is renamed to out->path later.
 * Returns its descriptor; -1 if the path is a link, or does not name the opened
 * file. */
static int
draft_open(const struct out *out, char *draft)
{
	struct stat file, named;
	int descriptor;

	if (!out->path || !out->regular || lstat(out->path, &named) < 0 ||
	    fstat(out->descriptor, &file) < 0 || !S_ISREG(named.st_mode) ||
	    named.st_ino != file.st_ino || named.st_dev != file.st_dev)
		return -1;
	descriptor = mkostemp(draft, O_CLOEXEC);
	if (descriptor >= 0 &&
	    (fchmod(descriptor, file.st_mode & 07777) < 0 ||
	     (fchown(descriptor, file.st_uid, file.st_gid) < 0 &&
	      file.st_uid != geteuid()))) {
		close(descriptor);
		unlink(draft);
		return -1;
	}
	return descriptor;
}

bool
out_anew(struct out *out)
{
	cleanup(freep) char *draft = NULL;
	int descriptor;

	if (out->target) {
		str_clear(&out->buffer);
		out->whole = 0;
		return out->target->versions;
	}
	if (out->error || out->draft)
		return false;
	draft = xasprintf("%s.XXXXXX", out->path ? out->path : "");
	descriptor = draft_open(out, draft);
	if (descriptor < 0)
		return false;
	close(out->descriptor);
	out->descriptor = descriptor;
	out->draft = take(draft);
	str_clear(&out->buffer);
	out->whole = 0;
	return true;
}

static bool
hurries(const struct out *out)
{
	return out->over && !out->regular && atomic_load(out->over);
}

/* Waits until a non-blocking descriptor can be written, or we have to leave. */
static void
await_room(const struct out *out)
{
	while (!hurries(out) && !fd_await_room(out->descriptor, PATIENCE_MS))
		;
}

/* Returns how many of length bytes were written; fewer if the error is set. */
static size_t
write_bytes(struct out *out, const char *bytes, size_t length)
{
	size_t done = 0;

	while (done < length && out->error == 0) {
		size_t piece = length - done;
		ssize_t n;

		if (hurries(out)) {
			if (!fd_await_room(out->descriptor, PATIENCE_MS)) {
				out->error = -ETIMEDOUT;
				break;
			}
			piece = piece < PIPE_BUF ? piece : PIPE_BUF;
		}
		n = write(out->descriptor, bytes + done, piece);
		if (n >= 0)
			done += (size_t)n;
		else if (errno == EAGAIN)
			await_room(out);
		else if (errno != EINTR)
			out->error = -errno;
	}
	return done;
}

/* Truncates our file to its last whole line, after the disk was full. */
static void
cut_torn_line(struct out *out, const char *bytes, size_t done)
{
	const char *newline = done > 0 ? memrchr(bytes, '\n', done) : NULL;
	size_t keep = newline ? (size_t)(newline + 1 - bytes) : 0;
	off_t end;

	if (!out->owned || !out->regular || keep == done)
		return;
	end = lseek(out->descriptor, 0, SEEK_CUR);
	if (end >= 0 &&
	    ftruncate(out->descriptor, end - (off_t)(done - keep)) < 0)
		out->error = -errno;
}

static void
drop_written(struct out *out, size_t length)
{
	struct str *buffer = &out->buffer;

	memmove(buffer->text, buffer->text + length, buffer->length - length);
	str_cut(buffer, buffer->length - length);
	out->whole = 0;
}

static void
write_buffer(struct out *out, size_t length)
{
	size_t done;

	if (length == 0)
		return;
	if (out->target) {
		out->target->get(out->target, out->buffer.text, length);
		drop_written(out, length);
		return;
	}
	done = write_bytes(out, out->buffer.text, length);
	out->size += done;
	if (done < length) {
		cut_torn_line(out, out->buffer.text, done);
		str_release(&out->buffer);
		out->whole = 0;
		return;
	}
	drop_written(out, length);
}

void
out_write(struct out *out, const char *bytes, size_t length)
{
	const char *newline;

	if (length == 0 || out->error)
		return;
	if (out->memory) {
		str_add_bytes(out->memory, bytes, length);
		return;
	}
	newline = memrchr(bytes, '\n', length);
	if (newline)
		out->whole = out->buffer.length + (size_t)(newline + 1 - bytes);
	str_add_bytes(&out->buffer, bytes, length);
}

void
out_rotate(struct out *out, uint64_t size, unsigned keep)
{
	int flags = fcntl(out->descriptor, F_GETFL);

	out->rotated = out->path && out->regular;
	if (!out->rotated)
		return;
	if (flags >= 0 && fcntl(out->descriptor, F_SETFL, flags | O_APPEND) < 0)
		debug("%s: it is not appended to", out->path);
	out->rotate_size = size;
	out->keep = keep;
}

/* Continues in a new file of the same name, with the same permissions. */
static void
begin_file(struct out *out)
{
	struct stat status;
	bool known = fstat(out->descriptor, &status) == 0;
	int descriptor = open(out->path,
			      O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);

	if (descriptor < 0) {
		out->error = -errno;
		return;
	}
	if (known && fchmod(descriptor, status.st_mode & 07777) < 0)
		debug("%s: its permissions stay", out->path);
	close(out->descriptor);
	out->descriptor = descriptor;
	out->size =
		fstat(descriptor, &status) == 0 ? (uint64_t)status.st_size : 0;
}

/* PATH.1 becomes PATH.2 and so on, the last is lost, and PATH becomes PATH.1.
 * False if that is not possible. */
static bool
move_files(const struct out *out)
{
	cleanup(freep) char *newest = xasprintf("%s.1", out->path);

	for (unsigned i = out->keep; i > 1; i--) {
		cleanup(freep) char *from =
			xasprintf("%s.%u", out->path, i - 1);
		cleanup(freep) char *to = xasprintf("%s.%u", out->path, i);

		if (rename(from, to) < 0 && errno != ENOENT)
			return false;
	}
	return rename(out->path, newest) == 0;
}

/* Begins a new file between two events: the last event is written completely
 * into the old file. */
static void
rotate(struct out *out)
{
	write_buffer(out, out->whole);
	if (out->error)
		return;
	if (move_files(out))
		begin_file(out);
	else
		out->rotate_size = 0;
}

void
out_reopen(struct out *out)
{
	if (!out->rotated || out->error)
		return;
	write_buffer(out, out->whole);
	if (!out->error)
		begin_file(out);
}

void
out_flush(struct out *out, bool pressure)
{
	if (out->terminal)
		write_buffer(out, out->buffer.length);
	else if (!pressure || !out->owned || out->buffer.length >= LARGE_BUFFER)
		write_buffer(out, out->whole);
	if (out->rotated && out->rotate_size && !out->error &&
	    out->whole == out->buffer.length &&
	    out->size + out->whole >= out->rotate_size)
		rotate(out);
}

void
out_complete(struct out *out)
{
	cleanup(freep) char *draft = take(out->draft);

	write_buffer(out, out->buffer.length);
	if (out->target)
		return;
	if (out->error == 0 && rename(draft, out->path) < 0)
		out->error = -errno;
	if (out->error)
		unlink(draft);
}

bool
out_terminal(const struct out *out)
{
	return out->terminal;
}

bool
out_window(const struct out *out, unsigned *ret_lines, unsigned *ret_columns)
{
	const char *kind = getenv("TERM");
	struct winsize size;

	if (!out->terminal || (kind && !strcmp(kind, "dumb")) ||
	    ioctl(out->descriptor, TIOCGWINSZ, &size) < 0 || !size.ws_row ||
	    !size.ws_col)
		return false;
	*ret_lines = size.ws_row;
	*ret_columns = size.ws_col;
	return true;
}

const char *
out_path(const struct out *out)
{
	return out->path;
}

int
out_error(const struct out *out)
{
	return out->error;
}

static void
await_command(struct out *out)
{
	struct pollfd end = { .fd = out->command, .events = POLLIN };

	if (out->command < 0)
		return;
	while (out->error != -ETIMEDOUT && poll(&end, 1, -1) < 0 &&
	       errno == EINTR)
		;
	close(out->command);
}

int
out_close(struct out *out)
{
	int error;

	if (!out)
		return 0;
	write_buffer(out, out->buffer.length);
	/* NFS and quotas report errors at close (close(2), "Dealing with
	 * error"). */
	if (out->owned && close(out->descriptor) < 0 && out->error == 0)
		out->error = -errno;
	await_command(out);
	if (out->target && out->error == 0)
		out->error = out->target->close(out->target);
	error = out->error;
	str_release(&out->buffer);
	free(out->path);
	free(out);
	return error;
}
