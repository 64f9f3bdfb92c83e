/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * To look at all processes takes milliseconds if there are many, and a thread
 * that stops meanwhile would wait. So a thread of its own looks, once per
 * second, and leaves a list of all processes that fit. If the kernel tells that
 * a process has begun a program (process/births.h), that thread looks at once
 * at this process alone, and adds it to the list if it fits. The tracing
 * thread compares the list with what it knows:
 *
 *	known, with the same start time		nothing to do
 *	traced already (begun, or followed)	becomes known
 *	cannot be traced now			told once, and tried again
 *	else					attached to, and becomes known
 *
 * A known process stays known when xtrace has let it go, for example because it
 * wants to be traced by its own parent. It is forgotten when a list of all
 * processes does not have it any more. A pid alone is not enough, because pids
 * are used again.
 *
 * Nothing here ends the run: a process that ends while xtrace attaches is
 * silently dropped, and any other failure is told.
 */
#include "tracer/attach/newcomers.h"

#include "base/clock.h"
#include "base/die.h"
#include "base/log.h"
#include "base/xmalloc.h"
#include "process/attach.h"
#include "process/births.h"
#include "process/choice.h"
#include "process/status.h"
#include "tracer/attach/begin.h"
#include "tracer/model/clockwork.h"
#include "tracer/model/say.h"

#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <time.h>
#include <unistd.h>

/* How many processes that cannot be traced are remembered, so that they are
 * told once. */
#define TOLD_MOST 256

struct newcomer {
	pid_t pid;
	uint64_t started; /* the start time, by status_started() */
};

struct newcomers {
	const struct options *options;
	struct clockwork *clockwork;
	pthread_t looking;
	int over;   /* descriptor; readable when the thread must end */
	int births; /* descriptor of the kernel's messages, or -1 */
	pthread_mutex_t lock; /* protects the next three members */
	/* `seen` has all processes that fit, and the tracing thread has not
	 * taken such a list since */
	bool whole;
	size_t taken; /* how many of `seen` the tracing thread has taken */
	vec_of(struct newcomer) seen;
	/* known, told, told_next: only the tracing thread uses these three. */
	vec_of(struct newcomer) known, told;
	size_t told_next;
};

/* ---- the thread that looks -------------------------------------------------
 */

static void
look(struct newcomers *newcomers)
{
	const struct options *options = newcomers->options;
	struct pids found = { 0 };

	for (size_t i = 0; i < options->choices.count; i++)
		choice_find(&options->choices.at[i], &found);
	pthread_mutex_lock(&newcomers->lock);
	vec_clear(&newcomers->seen);
	newcomers->taken = 0;
	for (size_t i = 0; i < found.list.count; i++) {
		struct newcomer one = { .pid = found.list.at[i] };

		if (status_started(one.pid, &one.started) == 0)
			vec_push(&newcomers->seen, one);
	}
	newcomers->whole = true;
	pthread_mutex_unlock(&newcomers->lock);
	vec_release(&found.list);
}

/* A process has begun to run another program: adds it to the list if it fits.
 * Returns true if it does. */
static bool
look_at(struct newcomers *newcomers, pid_t pid)
{
	const struct options *options = newcomers->options;
	struct newcomer one = { .pid = pid };
	bool fits = false;

	for (size_t i = 0; i < options->choices.count && !fits; i++)
		fits = choice_fits(&options->choices.at[i], pid);
	if (!fits || pid == getpid() || status_started(pid, &one.started) < 0)
		return false;
	pthread_mutex_lock(&newcomers->lock);
	vec_push(&newcomers->seen, one);
	pthread_mutex_unlock(&newcomers->lock);
	return true;
}

static void
take_births(struct newcomers *newcomers)
{
	struct births births = { 0 };
	bool any = false;

	births_read(newcomers->births, &births);
	for (size_t i = 0; i < births.pids.count; i++)
		any |= look_at(newcomers, births.pids.at[i]);
	if (births.lost) {
		look(newcomers);
		any = true;
	}
	vec_release(&births.pids);
	if (any)
		clockwork_arrive(newcomers->clockwork);
}

/* Takes the kernel's messages for a second. Returns false if newcomers are no
 * longer looked for. */
static bool
await_second(struct newcomers *newcomers)
{
	uint64_t now = clock_now(), then = now + CLOCK_SECOND;

	for (; now < then; now = clock_now()) {
		const struct timespec wait = {
			.tv_sec = (time_t)((then - now) / CLOCK_SECOND),
			.tv_nsec = (long)((then - now) % CLOCK_SECOND),
		};
		struct pollfd ready[] = {
			{ .fd = newcomers->over, .events = POLLIN },
			{ .fd = newcomers->births, .events = POLLIN },
		};

		if (ppoll(ready, 2, &wait, NULL) <= 0)
			continue;
		if (ready[0].revents)
			return false;
		take_births(newcomers);
	}
	return true;
}

static void *
look_on(void *argument)
{
	do
		look(argument);
	while (await_second(argument));
	return NULL;
}

struct newcomers *
newcomers_new(const struct options *options, struct clockwork *clockwork)
{
	struct newcomers *newcomers;

	if (!options->follow_new)
		return NULL;
	newcomers = xcalloc(1, sizeof(*newcomers));
	newcomers->options = options;
	newcomers->clockwork = clockwork;
	newcomers->over = eventfd(0, EFD_CLOEXEC);
	newcomers->births = births_open();
	if (newcomers->births < 0)
		debug("no messages about births: %s",
		      strerror(-newcomers->births));
	if (newcomers->births < 0)
		newcomers->births = -1;
	pthread_mutex_init(&newcomers->lock, NULL);
	if (newcomers->over < 0 ||
	    pthread_create(&newcomers->looking, NULL, look_on, newcomers) != 0)
		die("cannot start a thread");
	return newcomers;
}

void
newcomers_free(struct newcomers *newcomers)
{
	const uint64_t over = 1;

	if (!newcomers)
		return;
	/* One write to a new eventfd cannot fail. */
	(void)!write(newcomers->over, &over, sizeof(over));
	pthread_join(newcomers->looking, NULL);
	pthread_mutex_destroy(&newcomers->lock);
	close(newcomers->over);
	if (newcomers->births >= 0)
		close(newcomers->births);
	vec_release(&newcomers->seen);
	vec_release(&newcomers->known);
	vec_release(&newcomers->told);
	free(newcomers);
}

/* ---- the tracing thread ----------------------------------------------------
 */

static bool
same(const struct newcomer *a, const struct newcomer *b)
{
	return a->pid == b->pid && a->started == b->started;
}

static bool
is_known(const struct newcomers *newcomers, const struct newcomer *one)
{
	for (size_t i = 0; i < newcomers->known.count; i++) {
		if (same(&newcomers->known.at[i], one))
			return true;
	}
	return false;
}

/* Tells the user, once for each process, why it is left out. A process that has
 * ended, perhaps while we attached to it, is not reported. */
static void
tell_once(struct newcomers *newcomers, const struct newcomer *one, int r,
	  const struct err *err)
{
	if (r == -ESRCH || status_ended(one->pid))
		return;
	for (size_t i = 0; i < newcomers->told.count; i++) {
		if (same(&newcomers->told.at[i], one))
			return;
	}
	if (newcomers->told.count < TOLD_MOST)
		vec_push(&newcomers->told, *one);
	else
		newcomers->told.at[newcomers->told_next++ % TOLD_MOST] = *one;
	say("left out: %s", err->text);
}

/* Attaches to the process unless it is known. Returns true if it is known from
 * now on, so that it is not tried again. */
static bool
take_one(struct session *session, const struct newcomer *one)
{
	struct err err = { 0 };
	int r;

	if (is_known(session->newcomers, one) ||
	    table_process(&session->table, one->pid))
		return true;
	r = attach_check(one->pid, session->word, &err);
	if (r == 0)
		r = session_join(session, one->pid, &err);
	if (r < 0)
		tell_once(session->newcomers, one, r, &err);
	return r == 0 || table_process(&session->table, one->pid);
}

void
newcomers_take(struct session *session)
{
	struct newcomers *newcomers = session->newcomers;
	vec_of(struct newcomer) seen = { 0 }, known = { 0 };
	bool whole;

	if (!newcomers || pthread_mutex_trylock(&newcomers->lock) != 0)
		return;
	for (size_t i = newcomers->taken; i < newcomers->seen.count; i++)
		vec_push(&seen, newcomers->seen.at[i]);
	newcomers->taken = newcomers->seen.count;
	whole = newcomers->whole;
	newcomers->whole = false;
	pthread_mutex_unlock(&newcomers->lock);
	for (size_t i = 0; i < seen.count; i++) {
		if (take_one(session, &seen.at[i]))
			vec_push(&known, seen.at[i]);
	}
	/* Only a list of all processes tells which known ones have ended. */
	if (whole)
		vec_clear(&newcomers->known);
	for (size_t i = 0; i < known.count; i++)
		vec_push(&newcomers->known, known.at[i]);
	vec_release(&known);
	vec_release(&seen);
}
