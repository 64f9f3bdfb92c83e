/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A session in the test. Does what tracer/run/main does, without its
 * threads. */
#include "tests/unit/tracer/stage.h"

#include "base/fd.h"
#include "conf/model/type.h"
#include "output/out.h"
#include "output/sink.h"
#include "output/tee.h"
#include "tests/unit/live/tracee.h"
#include "tracer/attach/begin.h"
#include "tracer/options/format_table.h"
#include "tracer/plan/asked_names.h"
#include "tracer/plan/learned.h"
#include "tracer/plan/prototypes.h"
#include "tracer/plan/sets.h"
#include "tracer/run/loop.h"
#include "tests/unit/checks.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define WORDS_MOST 32

/* The path of stage.conf. There is one, because each test is a process of its
 * own. */
static char conf_path[64];

static void
remove_conf(void)
{
	if (conf_path[0])
		unlink(conf_path);
}

static void
write_conf(const char *conf)
{
	int fd;

	/* Removes the file of an earlier stage of this test. */
	remove_conf();
	snprintf(conf_path, sizeof(conf_path), "/tmp/xtrace-abi-stage.XXXXXX");
	fd = mkstemp(conf_path);
	ck_assert_int_ge(fd, 0);
	atexit(remove_conf);
	ck_assert_int_eq(fd_write_all(fd, conf, strlen(conf)), 0);
	close(fd);
}

static char *
replace(const char *text, const char *what, const char *with)
{
	struct str str;
	const char *at;

	str_init(&str);
	for (; (at = strstr(text, what)); text = at + strlen(what)) {
		str_add_bytes(&str, text, (size_t)(at - text));
		str_add(&str, with);
	}
	str_add(&str, text);
	return str_take(&str);
}

static void
parse(struct stage *stage, const char *line)
{
	/* static, because the options point to these words */
	static char *argv[WORDS_MOST + 1] = { (char *)"xtrace" };
	static char *words;
	static char pid[16];
	struct err err = { "" };
	char *at;
	int argc = 1;

	free(words);
	at = words = replace(line, "stage.conf", conf_path);
	argv[0] = (char *)"xtrace";
	if (!strncmp(words, "ltrace ", 7)) {
		argv[0] = strtok(words, " ");
		at = NULL;
	}

	if (stage->pid) {
		snprintf(pid, sizeof(pid), "%d", (int)stage->pid);
		argv[argc++] = (char *)"-p";
		argv[argc++] = pid;
	}
	for (char *word = strtok(at, " "); word; word = strtok(NULL, " ")) {
		ck_assert_int_lt(argc, WORDS_MOST);
		argv[argc++] = word;
	}
	ck_assert_msg(options_parse(&stage->options, argc, argv, &err) == 0,
		      "%s: %s", line, err.text);
}

/* The file that takes the place of stderr, and its length at the last call of
 * stage_said(). */
static int said = -1;
static off_t said_before;

static void
hear(void)
{
	if (said >= 0)
		return;
	said = memfd_create("said", 0);
	ck_assert_int_ge(said, 0);
	ck_assert_int_eq(dup2(said, STDERR_FILENO), STDERR_FILENO);
}

char *
stage_said(void)
{
	off_t end = lseek(said, 0, SEEK_END);
	size_t length = (size_t)(end - said_before);
	char *text = calloc(1, length + 1);

	ck_assert_int_eq(pread(said, text, length, said_before),
			 (ssize_t)length);
	said_before = end;
	return text;
}

/* The table of a format without a file takes the place of the lines. */
static struct sink *
new_sink(const struct options *options, struct out *out)
{
	if (options->sample)
		return samples_sink_new(&options->look, out);
	if (options->alloc)
		return growths_sink_new(&options->look, out);
	for (int i = 0; i < FORMATS; i++) {
		if (options->formats[i].wanted)
			return format_rows[i].make(&options->look, out);
	}
	return text_sink_new(&options->look, out);
}

static void
open_session(struct stage *stage)
{
	struct session *session = &stage->session;
	struct err err = { "" };

	session->word = TYPE_WORD;
	ck_assert_msg(prototypes_new(&stage->options, TYPE_WORD,
				     &session->prototypes, &err) == 0 &&
			      sets_new(&stage->options, session->prototypes,
				       &session->sets, &err) == 0,
		      "%s", err.text);
	session->learned = learned_new(&stage->options, session->prototypes);
	ck_assert_msg(asked_names_check(&stage->options, session->prototypes,
					session->learned, &err) == 0,
		      "%s", err.text);
	str_init(&stage->text);
	stage->outs[0] = out_memory(&stage->text);
	/* A timer wakes the session for the sampler's rounds, the windows of
	 * --alloc, and the ends of delays. */
	if (stage->options.sample || stage->options.alloc ||
	    stage->options.tamperings.count)
		clockwork_init(&stage->clockwork, false, 0);
	session->options = &stage->options;
	session->command.signals = &stage->signals;
	session->condition = stage->options.condition;
	session->clockwork = &stage->clockwork;
	session->outs = stage->outs;
	session->tee = tee_new();
	tee_add(session->tee, new_sink(&stage->options, stage->outs[0]));
	session_init(session);
	ck_assert_msg(session_begin(session, &err) == 0, "%s", err.text);
}

void
stage_open(struct stage *stage, const char *line, const char *conf,
	   void (*run)(void))
{
	*stage = (struct stage){ 0 };
	hear();
	if (conf)
		write_conf(conf);
	if (run)
		stage->pid = tracee_fork_gated(run);
	parse(stage, line);
	spawn_signals_now(&stage->signals);
	open_session(stage);
}

static struct stage *ticking;

static void
tick(int signal)
{
	(void)signal;
	atomic_store(&ticking->clockwork.tick, true);
}

void
stage_tick_by(struct stage *stage, int signal)
{
	const struct sigaction action = { .sa_handler = tick };

	ticking = stage;
	ck_assert_int_eq(sigaction(signal, &action, NULL), 0);
}

void
stage_run(struct stage *stage)
{
	if (stage->pid)
		tracee_open_gate();
	session_run(&stage->session);
}

char *
stage_close(struct stage *stage)
{
	struct session *session = &stage->session;

	tee_close(session->tee);
	ck_assert_int_eq(out_close(stage->outs[0]), 0);
	session_release(session);
	sets_free(session->sets);
	learned_free(session->learned);
	prototypes_free(session->prototypes);
	options_release(&stage->options);
	return str_take(&stage->text);
}

static bool
is_digit(char c)
{
	return c >= '0' && c <= '9';
}

/* Replaces the number of a process, but not a longer number that begins with
 * it. */
static bool
take_number(struct str *to, const char **text, pid_t pid, const char *name)
{
	char number[16];
	int length = snprintf(number, sizeof(number), "%d", (int)pid);

	if (!pid || strncmp(*text, number, (size_t)length) != 0 ||
	    is_digit((*text)[length]))
		return false;
	str_add(to, name);
	*text += length;
	return true;
}

/* If at least seven characters of `within` follow `before` characters of the
 * text, writes the name in place of all of them. */
static bool
take_span(struct str *to, const char **text, size_t before, const char *within,
	  const char *name)
{
	size_t length = strspn(*text + before, within);

	if (length < 7)
		return false;
	str_add(to, name);
	*text += before + length;
	return true;
}

static bool
in_number(const struct str *to)
{
	return to->length > 0 && is_digit(to->text[to->length - 1]);
}

static bool
take_known(struct str *to, const char **text, pid_t pid, bool at_beginning)
{
	const char *at = *text;

	if (at_beginning && is_digit(at[0]) && at[2] == ':')
		return take_span(to, text, 0, "0123456789:.", "TIME");
	if (at[0] == '<' && is_digit(at[1]))
		return take_span(to, text, 1, "0123456789.", "<TIME");
	if (at[0] == '0' && at[1] == 'x')
		return take_span(to, text, 2, "0123456789abcdef", "0xADDRESS");
	if (is_digit(at[0]) && !in_number(to))
		return take_number(to, text, pid, "PID") ||
		       take_number(to, text, getpid(), "PARENT");
	return false;
}

static void
add_plain(struct str *to, const char *text, pid_t pid)
{
	bool at_beginning = true;

	while (*text) {
		if (take_known(to, &text, pid, at_beginning)) {
			at_beginning = false;
			continue;
		}
		if (*text != ' ' || text[1] != ' ')
			str_add_char(to, *text);
		at_beginning = *text++ == '\n';
	}
}

char *
stage_close_plain(struct stage *stage)
{
	char *text = stage_close(stage);
	struct str plain;

	str_init(&plain);
	add_plain(&plain, text, stage->pid);
	free(text);
	return str_take(&plain);
}

char *
stage_trace(const char *line, const char *conf, void (*run)(void))
{
	struct stage stage;

	stage_open(&stage, line, conf, run);
	stage_run(&stage);
	return stage_close_plain(&stage);
}

void
stage_expect(const char *line, const char *conf, void (*run)(void),
	     const char *expected)
{
	char *text = stage_trace(line, conf, run);

	ck_assert_str_eq(text, expected);
	free(text);
	text = stage_said();
	ck_assert_str_eq(text, "");
	free(text);
}
