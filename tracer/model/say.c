/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Every message to the user from tracer/ is printed here. A line is written by
 * one write(2), so that a trace on the same terminal does not break it. If
 * stderr cannot take the message, it is dropped, because a thread of the
 * program may wait for xtrace.
 */
#include "tracer/model/say.h"

#include "base/err.h"
#include "base/escape.h"
#include "base/fd.h"
#include "base/str.h"
#include "output/tee.h"
#include "tracer/model/session.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#define NAMED_MOST 10
#define PATIENCE_MS 1000

static struct tee *below;
static const char *own_name = "xtrace";

void
say_as(const char *name)
{
	own_name = name;
}

void
say_above(struct tee *tee)
{
	below = tee;
}

/* Prints the line on stderr, or gives it to a sink that takes messages. Frees
 * the line. */
static void
write_line(struct str *line)
{
	if (below && tee_message(below, str_text(line))) {
		str_release(line);
		return;
	}
	str_add_char(line, '\n');
	if (below)
		tee_make_room(below);
	/* If stderr is closed, nobody can read the message. */
	if (fd_await_room(STDERR_FILENO, PATIENCE_MS) &&
	    fd_write_all(STDERR_FILENO, line->text, line->length) < 0)
		str_clear(line);
	str_release(line);
}

void
say(const char *format, ...)
{
	va_list arguments;
	struct str said, line;

	str_init(&said);
	va_start(arguments, format);
	str_addv(&said, format, arguments);
	va_end(arguments);
	str_init(&line);
	str_addf(&line, "%s: ", own_name);
	escape_name(&line, str_text(&said));
	write_line(&line);
	str_release(&said);
}

bool
say_first(struct session *session, const char *key)
{
	if (strmap_get(&session->said, key))
		return false;
	strmap_put(&session->said, key, session);
	return true;
}

void
say_error(const struct err *err)
{
	struct str line;

	str_init(&line);
	str_addf(&line, "%s: ", own_name);
	str_add(&line, err->text);
	write_line(&line);
}

void
say_refused(const struct session *session, const char *name, const char *module,
	    const char *why)
{
	if (session->counts.refused <= NAMED_MOST)
		say("%s@%s is not traced: %s", name, module,
		    why ? why : "it cannot be");
	else if (session->counts.refused == NAMED_MOST + 1)
		say("further functions that cannot be traced are counted by "
		    "--stats");
}

void
say_scarce(struct session *session, int error)
{
	if ((error != -EMFILE && error != -ENFILE && error != -ENOMEM) ||
	    !say_first(session, "scarce"))
		return;
	say("a file that is mapped cannot be read, its functions are not "
	    "traced: %s",
	    strerror(-error));
}

void
say_go(struct session *session, const char *label)
{
	if (say_first(session, "go"))
		say("%s is a Go program: if a goroutine gets a larger stack, "
		    "or continues on another thread, within a call, the call "
		    "has no end; if the goroutine is preempted at the entry, "
		    "the call may begin twice. Counts and times are not exact",
		    label);
}

void
say_confined(struct program *program)
{
	if (program->said_confined || !program->sites.survive.refused)
		return;
	program->said_confined = true;
	if (++program->session->counts.confined > NAMED_MOST)
		return;
	say("process %d: its seccomp policy does not allow system calls that "
	    "xtrace injects: a function is traced only if there is room behind "
	    "its module's text, and if xtrace is killed, only the watcher "
	    "lifts the traps",
	    program->space->pid);
}
