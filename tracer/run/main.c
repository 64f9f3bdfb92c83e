/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * xtrace's main thread. It reads the command line and opens the sinks. While
 * the tracing thread works it keeps the clock. At the end the exit status is
 * the traced command's.
 */
#include "arch/arch.h"
#include "arch/fault.h"
#include "base/die.h"
#include "base/fd.h"
#include "base/log.h"
#include "base/str.h"
#include "output/live/console.h"
#include "output/out.h"
#include "conf/model/type.h"
#include "process/spawn.h"
#include "process/status.h"
#include "tracer/attach/begin.h"
#include "tracer/lives/leave.h"
#include "tracer/model/announce.h"
#include "tracer/model/clockwork.h"
#include "tracer/model/say.h"
#include "tracer/model/session.h"
#include "tracer/options/option_table.h"
#include "tracer/options/options.h"
#include "tracer/plan/asked_names.h"
#include "tracer/plan/learned.h"
#include "tracer/plan/prototypes.h"
#include "tracer/plan/show_prototype.h"
#include "tracer/plan/sets.h"
#include "tracer/report/left_out.h"
#include "tracer/run/compare_files.h"
#include "tracer/run/draw.h"
#include "tracer/run/dump.h"
#include "tracer/run/heap.h"
#include "tracer/run/list_probes.h"
#include "tracer/run/loop.h"
#include "tracer/run/service.h"
#include "tracer/run/sinks.h"
#include "tracer/run/stats.h"

#include <errno.h>
#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

enum {
	EXIT_WORLD = 1,
	EXIT_USAGE = 2,
	EXIT_NOT_EXECUTABLE = 126,
	EXIT_NO_COMMAND = 127
};

/* File descriptors needed per traced process. When they run out, lookups fail
 * as if the file did not exist. */
#define SPARE_DESCRIPTORS 10

/* Pause between two checks whether the failed tracing thread has ended. */
#define THREAD_ENDS_US 200
#define HEAP_STEP (1 << 20)

struct run {
	struct spawn_signals signals;
	struct options options;
	struct clockwork clockwork;
	struct sinks sinks;
	struct session session;
	struct spawn_place place; /* --grandchild */
	struct service service;
	struct err err;
	int begun; /* the result of session_begin() */
};

/* The last act that lifts the traps if xtrace fails. */
struct lifting {
	struct last_act act;
	struct session *session;
};

static void
lift(struct last_act *act)
{
	struct lifting *lifting = container_of(act, struct lifting, act);
	size_t cursor = 0;
	void *program;

	while (map_next(&lifting->session->programs, &cursor, NULL, &program)) {
		semaphores_lower(&((struct program *)program)->semaphores);
		sites_lift_all(&((struct program *)program)->sites);
	}
}

/* What follows the last acts: our command continues without traps, and xtrace
 * still returns its exit status. */
struct breaking {
	struct last_exit last;
	struct run *run;
	pid_t pid; /* xtrace's own pid: a child's faults are not xtrace's */
};

/* Ends the tracing thread: then the kernel detaches its tracees. */
static void
end_thread(struct last_exit *last)
{
	struct breaking *breaking = container_of(last, struct breaking, last);
	struct run *run = breaking->run;

	if (!run->session.command.born || getpid() != breaking->pid ||
	    !pthread_equal(pthread_self(), run->clockwork.tracing))
		return;
	clockwork_break(&run->clockwork);
	syscall(SYS_exit, EXIT_WORLD);
}

static void *
trace(void *argument)
{
	struct run *run = argument;
	struct lifting lifting = { .act = { .run = lift },
				   .session = &run->session };
	struct breaking breaking = { .last = { .run = end_thread },
				     .run = run,
				     .pid = getpid() };

	die_thread();
	die_register(&lifting.act);
	die_exit_by(&breaking.last);
	watcher_tracing(run->session.watcher);
	run->begun = session_begin(&run->session, &run->err);
	if (run->begun < 0)
		session_leave(&run->session);
	clockwork_begin(&run->clockwork);
	if (run->begun == 0)
		session_run(&run->session);
	watcher_traced(run->session.watcher);
	die_exit_by(NULL);
	die_unregister(&lifting.act);
	clockwork_finish(&run->clockwork);
	die_thread_ends();
	return NULL;
}

static int
print(char *text)
{
	fputs(text, stdout);
	free(text);
	return fflush(stdout) == 0 ? 0 : EXIT_WORLD;
}

static int
status_of_failure(const struct run *run)
{
	say_error(&run->err);
	if (run->session.command.started || !run->options.command)
		return EXIT_WORLD;
	if (run->begun == -ENOENT)
		return EXIT_NO_COMMAND;
	return run->options.pids.count ? EXIT_WORLD : EXIT_NOT_EXECUTABLE;
}

static int
status_of_run(const struct run *run)
{
	if (run->begun < 0)
		return status_of_failure(run);
	return run->options.as_ltrace ? 0 : run->session.command.exit_status;
}

/* The trace has ended while our command runs. xtrace waits to return its exit
 * status, unless a signal has asked xtrace to end. */
static void
await_command(struct run *run)
{
	struct session *session = &run->session;

	clockwork_end(&run->clockwork);
	session->command.exit_status = spawn_await(session->command.started);
}

/* Like await_command(), after the tracing thread has failed. That thread may
 * have held any lock, so only what is allowed in a last action is done. */
static never_returns void
end_broken(struct run *run)
{
	struct session *session = &run->session;
	int status = session->command.exit_status;
	pid_t tracing = atomic_load(&run->clockwork.broken);

	watcher_alarm(session->watcher);
	clockwork_end(&run->clockwork);
	/* As long as the failed tracing thread has not ended, wait(2) might
	 * take a tracee's stop for the command's end. */
	while (syscall(SYS_tgkill, getpid(), tracing, 0) == 0)
		usleep(THREAD_ENDS_US);
	if (session->command.runs || !session->command.started)
		status = spawn_await(session->command.born);
	_exit(status ? status : EXIT_WORLD);
}

/* Runs the session when everything is set up: starts the tracing thread, and
 * runs the clockwork until that thread has ended. */
static int
run_session(struct run *run)
{
	struct session *session = &run->session;
	int status, written;

	session->options = &run->options;
	session->command.signals = &run->signals;
	session->condition = run->options.condition;
	session->clockwork = &run->clockwork;
	session->tee = run->sinks.tee;
	session->outs = run->sinks.outs;
	session_init(session);
	session->watcher = watcher_start();
	clockwork_init(&run->clockwork, run->options.command != NULL,
		       run->options.duration);
	run->clockwork.reopens = run->options.rotate;
	if (run->options.service)
		run->clockwork.reload =
			(struct reload){ .check = service_check,
					 .argument = &run->service,
					 .manager = &run->service.notify };
	clockwork_serve(&run->clockwork, run->sinks.console);
	for (struct out **out = run->sinks.outs; *out; out++)
		out_hurry(*out, &run->clockwork.leave);
	if (pthread_create(&run->clockwork.tracing, NULL, trace, run) != 0)
		die("cannot start a thread");
	clockwork_run(&run->clockwork);
	if (atomic_load(&run->clockwork.broken))
		end_broken(run);
	pthread_join(run->clockwork.tracing, NULL);
	written = sinks_close(&run->sinks);
	announce_end(session);
	left_out_say(session);
	if (run->options.stats)
		stats_say(session);
	if (session->command.runs && run->clockwork.ended_by)
		session->command.exit_status = 128 + run->clockwork.ended_by;
	else if (session->command.runs)
		await_command(run);
	status = status_of_run(run);
	session_release(session);
	watcher_dismiss(session->watcher);
	return status == 0 && written < 0 && written != -EPIPE ? EXIT_WORLD
							       : status;
}

/* Prints a single dump or census, without a second thread. */
static int
run_once(struct run *run)
{
	struct session *session = &run->session;
	int r, written;

	session->options = &run->options;
	session->command.signals = &run->signals;
	session->clockwork = &run->clockwork;
	session->tee = run->sinks.tee;
	session->outs = run->sinks.outs;
	session_init(session);
	r = run->options.action == ACTION_HEAP ? heap(session, &run->err)
					       : dump(session, &run->err);
	written = sinks_close(&run->sinks);
	if (r < 0)
		say_error(&run->err);
	session_release(session);
	return r < 0 || (written < 0 && written != -EPIPE) ? EXIT_WORLD : 0;
}

/* Reads the sets, and checks that a prototype has each name that the options
 * ask for. */
static int
prepare(struct run *run)
{
	int r;

	run->session.learned =
		learned_new(&run->options, run->session.prototypes);
	r = sets_new(&run->options, run->session.prototypes, &run->session.sets,
		     &run->err);
	if (r == 0)
		r = asked_names_check(&run->options, run->session.prototypes,
				      run->session.learned, &run->err);
	return r;
}

/* With -p, the addresses of all processes must have the same size as those of
 * the first process. If processes are chosen by a name or a group, and one of
 * them is a 64-bit program, the 32-bit ones are left out. */
static unsigned
word_of_processes(const struct options *options)
{
	size_t count = options->required_pids ? 1 : options->pids.count;
	unsigned word = TYPE_WORD;

	if (!options->required_pids && options_refused_32bit(options))
		return word;
	for (size_t i = 0; i < count; i++) {
		const struct arch *arch = status_arch(options->pids.at[i]);

		if (arch && arch->word == TYPE_WORD)
			return TYPE_WORD;
		if (arch)
			word = arch->word;
	}
	return word;
}

/* Says which system calls of -S exist only in programs of the other size. */
static void
say_missing_calls(const struct run *run)
{
	for (size_t i = 0; i < run->options.missing_calls.count; i++) {
		const struct missing_call *missing =
			&run->options.missing_calls.at[i];

		if (missing->word == run->session.word)
			say_error(&missing->why);
	}
}

/* Finds out whether 32-bit or 64-bit programs are traced, and refuses options
 * that xtrace does not have for 32-bit programs. */
static int
take_word(struct run *run)
{
	const struct options *options = &run->options;
	const char *refused;

	run->session.word = TYPE_WORD;
	if (options->command)
		run->session.word = spawn_word(options->command[0]);
	else if (options->pids.count > 0)
		run->session.word = word_of_processes(options);
	refused = run->session.word == TYPE_WORD
			  ? NULL
			  : options_refused_32bit(options);
	if (!refused)
		return 0;
	if (!options->command)
		return err_set(
			&run->err, -ENOTSUP,
			"process %d is a 32-bit program, for which %s is "
			"not supported",
			options->pids.at[0], refused);
	return err_set(&run->err, -ENOTSUP,
		       "%s: a 32-bit program, for which %s is not supported",
		       options->command[0], refused);
}

static int
prepare_and_run(struct run *run)
{
	int status = EXIT_WORLD, r;

	if (!fd_spare(SPARE_DESCRIPTORS)) {
		say("too few descriptors are allowed (ulimit -n)");
		return status;
	}
	if (run->options.formats[FORMAT_LIVE].wanted &&
	    console_check(run->options.command != NULL, &run->err) < 0) {
		say_error(&run->err);
		return EXIT_USAGE;
	}
	r = take_word(run);
	if (r == 0)
		say_missing_calls(run);
	if (r == 0)
		r = prototypes_new(&run->options, run->session.word,
				   &run->session.prototypes, &run->err);
	if (r < 0) {
		say_error(&run->err);
		return status;
	}
	r = prepare(run);
	if (r == -EINVAL)
		status = EXIT_USAGE;
	if (r == 0 && !run->service.checks)
		r = sinks_open(&run->sinks, &run->options, &run->err);
	if (run->options.as_ltrace)
		prototypes_complain_to(run->session.prototypes,
				       r < 0 || run->service.checks
					       ? NULL
					       : run->sinks.outs[0]);
	if (r < 0) {
		say_error(&run->err);
		sinks_close(&run->sinks);
	} else if (run->service.checks) {
		status = 0;
	} else {
		status = options_run(&run->options) ? run_session(run)
						    : run_once(run);
	}
	sets_free(run->session.sets);
	learned_free(run->session.learned);
	prototypes_free(run->session.prototypes);
	if (run->clockwork.again &&
	    service_begin_again(&run->service, &run->err) < 0) {
		say_error(&run->err);
		status = EXIT_WORLD;
	}
	return status;
}

static int
print_topics(void)
{
	struct str names = { 0 };

	for (enum log_topic topic = 0; topic < LOG_TOPICS; topic++)
		str_addf(&names, "%s\n", log_topic_name(topic));
	str_add(&names, "all\n");
	return print(str_take(&names));
}

static int
act(struct run *run)
{
	switch (run->options.action) {
	case ACTION_HELP:
		return print(option_help());
	case ACTION_VERSION:
		return print(options_version(&run->options));
	case ACTION_TOPICS:
		return print_topics();
	case ACTION_CHECK_CONFIG:
		return prototypes_check(&run->options);
	case ACTION_SHOW_PROTOTYPE:
		return show_prototype(&run->options);
	case ACTION_LIST_PROBES:
		return list_probes(&run->options);
	case ACTION_LIST_SETS:
		return sets_list(&run->options);
	case ACTION_DRAW_FLAME:
		return draw_flame(&run->options);
	case ACTION_COMPARE:
		return compare_files(&run->options);
	case ACTION_DUMP:
	case ACTION_HEAP:
	case ACTION_TRACE:
		break;
	}
	return prepare_and_run(run);
}

/* --grandchild: this process becomes the command, and a grandchild is xtrace.
 * Nobody sees the exit status of the grandchild. */
static int
act_apart(struct run *run)
{
	struct session *session = &run->session;
	struct spawn_request request;
	int status;

	session->options = &run->options;
	session->command.signals = &run->signals;
	request = session_request(session);
	if (spawn_give_place(&request, &run->place, &run->err) < 0) {
		say_error(&run->err);
		return EXIT_WORLD;
	}
	session->command.place = &run->place;
	status = act(run);
	spawn_place_end(&run->place, status ? status : EXIT_WORLD);
	return status;
}

/* The tracing thread uses the heap of the main thread, which does not work
 * meanwhile. The heap grows in large steps, because each step is a system
 * call. */
static void
set_heap(void)
{
	mallopt(M_ARENA_MAX, 1);
	mallopt(M_TOP_PAD, HEAP_STEP);
}

int
main(int argc, char **argv)
{
	static struct run run;
	int r, status;

	set_heap();
	spawn_signals_now(&run.signals);
	spawn_more_descriptors(&run.signals);
	die_init(STDERR_FILENO, arch_fault_place);
	service_init(&run.service, argv);
	r = options_parse(&run.options, argc, argv, &run.err);
	say_as(run.options.own_name);
	run.options.continues = run.service.again;
	if (r < 0) {
		say_error(&run.err);
		status = r == -EINVAL ? EXIT_USAGE : EXIT_WORLD;
	} else {
		if (run.options.unread && !run.service.checks)
			say("%s", run.options.unread);
		if (run.options.service && !run.service.checks)
			notify_init(&run.service.notify);
		status = run.options.grandchild ? act_apart(&run) : act(&run);
	}
	options_release(&run.options);
	return status;
}
