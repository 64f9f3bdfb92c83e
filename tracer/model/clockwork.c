/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * All signals are blocked except POKE. POKE only makes a wait return with EINTR
 * and lets a seizure stop early. A poke may arrive just before the wait begins
 * and be lost. So while a flag is set, the poke is sent again every few
 * milliseconds until the tracing thread clears the flag.
 *
 * If xtrace has started a command, the first ^C is for the command, because the
 * terminal sends it to the command too. The second ^C is for xtrace.
 *
 * A console (--live) is served by the main thread, because a terminal may be
 * slow. Then this thread waits for signals, keys and time at once.
 */
#include "tracer/model/clockwork.h"

#include "base/attempt.h"
#include "base/clock.h"
#include "base/log.h"
#include "output/live/console.h"
#include "process/attach.h"
#include "tracer/model/notify.h"

#include <errno.h>
#include <poll.h>
#include <string.h>
#include <sys/signalfd.h>
#include <time.h>
#include <unistd.h>

#define POKE SIGURG
#define WAKE SIGUSR2
#define POKE_AGAIN_NS 5000000
#define TICK_NS CLOCK_SECOND
/* How often the console (--live) gets a new page if no key is pressed. */
#define DRAW_NS 250000000
/* A poke is lost if it arrives just before the wait begins. So the timer of
 * clockwork_wake_at() sends another poke each time after this interval. */
#define WAKE_AGAIN_NS 1000000
/* How often a poke is sent while xtrace attaches, whether a flag is set or
 * not. */
#define POKE_ATTACHING_NS 20000000

/* If xtrace has not left this long after it was told to leave, it stops reading
 * debug information: from then on pokes have the value HURRY. */
#define HURRY_NS 500000000
#define HURRY 1

static void
poked(int signal, siginfo_t *info, void *context)
{
	if (signal != POKE)
		return;
	attach_poked();
	if (info->si_code == SI_QUEUE && info->si_value.sival_int == HURRY)
		attempt_hurry(context);
}

void
clockwork_init(struct clockwork *clockwork, bool has_command, uint64_t duration)
{
	static const int signals[] = { SIGINT,	SIGTERM, SIGHUP,  SIGQUIT,
				       SIGUSR1, WAKE,	 SIGWINCH };
	struct sigaction action = { .sa_sigaction = poked };

	memset(clockwork, 0, sizeof(*clockwork));
	clockwork->signals_ready = -1;
	clockwork->waiting = pthread_self();
	clockwork->has_command = has_command;
	clockwork->duration = duration;
	sigemptyset(&clockwork->signals);
	for (size_t i = 0; i < sizeof(signals) / sizeof(signals[0]); i++)
		sigaddset(&clockwork->signals, signals[i]);
	pthread_sigmask(SIG_BLOCK, &clockwork->signals, NULL);
	action.sa_flags = SA_NODEFER | SA_SIGINFO;
	sigaction(POKE, &action, NULL);
	/* The main thread waits for WAKE and needs no handler for it. But a
	 * WAKE may be pending when the signals are unblocked at the end.
	 * Without a handler it would kill xtrace. */
	sigaction(WAKE, &action, NULL);
	signal(SIGPIPE, SIG_IGN);
	/* A file at its size limit is like a full disk: write(2) returns an
	 * error. */
	signal(SIGXFSZ, SIG_IGN);
	/* waitid tells when a command stops or ends; no signal is needed. */
	signal(SIGCHLD, SIG_DFL);
	/* The terminal must not stop xtrace when xtrace writes to it. */
	signal(SIGTTOU, SIG_IGN);
}

static bool
asked(struct clockwork *clockwork)
{
	return atomic_load(&clockwork->leave) ||
	       atomic_load(&clockwork->tick) ||
	       atomic_load(&clockwork->reopen) ||
	       atomic_load(&clockwork->draw) ||
	       atomic_load(&clockwork->arrival);
}

/* SIGHUP reloads the service. While xtrace is leaving, another SIGHUP does
 * nothing. */
static void
reload(struct clockwork *clockwork)
{
	const struct reload *reload = &clockwork->reload;

	if (clockwork->again || atomic_load(&clockwork->leave))
		return;
	notify_reloading(reload->manager);
	if (reload->check(reload->argument)) {
		clockwork->again = true;
		atomic_store(&clockwork->leave, true);
		return;
	}
	atomic_store(&clockwork->reopen, true);
	clockwork->ready = false;
}

static void
take_signal(struct clockwork *clockwork, int signal)
{
	if (signal == SIGUSR1)
		log_dump(STDERR_FILENO);
	if (signal == SIGUSR1 || signal == WAKE || signal == SIGWINCH)
		return;
	if (signal == SIGHUP && clockwork->reload.check) {
		reload(clockwork);
		return;
	}
	if (signal == SIGHUP && clockwork->reopens) {
		atomic_store(&clockwork->reopen, true);
		return;
	}
	if ((signal == SIGINT || signal == SIGQUIT) && clockwork->has_command &&
	    atomic_fetch_add(&clockwork->interrupts, 1) == 0)
		return;
	clockwork->ended_by = signal;
	clockwork->again = false;
	atomic_store(&clockwork->leave, true);
}

/* Tells the service manager once that we have begun, also after a reload. */
static void
tell_ready(struct clockwork *clockwork)
{
	if (clockwork->ready || !atomic_load(&clockwork->begun) ||
	    atomic_load(&clockwork->reopen))
		return;
	clockwork->ready = true;
	notify_ready(clockwork->reload.manager);
}

void
clockwork_begin(struct clockwork *clockwork)
{
	atomic_store(&clockwork->begun, true);
	pthread_kill(clockwork->waiting, WAKE);
}

void
clockwork_arrive(struct clockwork *clockwork)
{
	atomic_store(&clockwork->arrival, true);
	pthread_kill(clockwork->waiting, WAKE);
}

void
clockwork_finish(struct clockwork *clockwork)
{
	atomic_store(&clockwork->finished, true);
	pthread_kill(clockwork->waiting, WAKE);
}

void
clockwork_serve(struct clockwork *clockwork, struct console *console)
{
	clockwork->console = console;
	if (console)
		clockwork->signals_ready =
			signalfd(-1, &clockwork->signals, SFD_CLOEXEC);
}

void
clockwork_show(struct clockwork *clockwork)
{
	pthread_kill(clockwork->waiting, WAKE);
}

void
clockwork_break(struct clockwork *clockwork)
{
	atomic_store(&clockwork->broken, gettid());
	pthread_kill(clockwork->waiting, WAKE);
}

/* glibc has no name for this member of struct sigevent (timer_create(2)). */
#ifndef sigev_notify_thread_id
#define sigev_notify_thread_id _sigev_un._tid
#endif

static int
make_timer(struct clockwork *clockwork)
{
	struct sigevent event = { .sigev_notify = SIGEV_THREAD_ID,
				  .sigev_signo = POKE };

	if (clockwork->has_timer)
		return 0;
	event.sigev_notify_thread_id = gettid();
	if (timer_create(CLOCK_MONOTONIC, &event, &clockwork->timer) < 0)
		return -errno;
	clockwork->has_timer = true;
	return 0;
}

int
clockwork_wake_at(struct clockwork *clockwork, uint64_t when)
{
	struct itimerspec setting = { .it_interval = { 0, WAKE_AGAIN_NS } };
	int r;

	if (when == clockwork->wake)
		return 0;
	r = make_timer(clockwork);
	setting.it_value = (struct timespec){ (time_t)(when / CLOCK_SECOND),
					      (long)(when % CLOCK_SECOND) };
	if (r == 0 &&
	    timer_settime(clockwork->timer, TIMER_ABSTIME, &setting, NULL) < 0)
		r = -errno;
	if (r == 0)
		clockwork->wake = when;
	return r;
}

static struct timespec
until(uint64_t now, uint64_t then)
{
	uint64_t left = then > now ? then - now : 0;

	return (struct timespec){ (time_t)(left / CLOCK_SECOND),
				  (long)(left % CLOCK_SECOND) };
}

static uint64_t
next_wake(const struct clockwork *clockwork, uint64_t now, uint64_t tick,
	  uint64_t end, bool poking)
{
	uint64_t then = poking ? now + POKE_AGAIN_NS : tick;

	if (!poking && !atomic_load(&clockwork->begun))
		then = now + POKE_ATTACHING_NS;
	if (end && end < then && !atomic_load(&clockwork->leave))
		then = end;
	return then;
}

/* Waits for a signal until the time is over. With a console, keys end the wait,
 * too. Returns the signal, or -1. */
static int
await_signal(struct clockwork *clockwork, const struct timespec *wait)
{
	static const struct timespec none;
	struct pollfd ready[] = { { .fd = clockwork->signals_ready,
				    .events = POLLIN },
				  { .fd = -1, .events = POLLIN } };

	if (!clockwork->console)
		return sigtimedwait(&clockwork->signals, NULL, wait);
	ready[1].fd = console_descriptor(clockwork->console);
	if (ppoll(ready, 2, wait, NULL) <= 0)
		return -1;
	return sigtimedwait(&clockwork->signals, NULL, &none);
}

/* Shows what the tracing thread has made, and asks it for the next page: when
 * there are keys, and at the time *draw. */
static void
serve_console(struct clockwork *clockwork, uint64_t now, uint64_t *draw)
{
	bool needed = console_serve(clockwork->console) || now >= *draw;

	if (console_leaves(clockwork->console))
		atomic_store(&clockwork->leave, true);
	if (!needed || !atomic_load(&clockwork->begun))
		return;
	*draw = now + DRAW_NS;
	atomic_store(&clockwork->draw, true);
}

static void
poke(struct clockwork *clockwork, uint64_t now)
{
	union sigval value = { .sival_int = 0 };

	if (!clockwork->told && atomic_load(&clockwork->leave))
		clockwork->told = now;
	if (clockwork->told && now - clockwork->told >= HURRY_NS)
		value.sival_int = HURRY;
	/* If the user has reached the limit of queued signals
	 * (RLIMIT_SIGPENDING), the poke is sent without a value. */
	if (pthread_sigqueue(clockwork->tracing, POKE, value) != 0)
		pthread_kill(clockwork->tracing, POKE);
}

void
clockwork_run(struct clockwork *clockwork)
{
	uint64_t now = clock_now(), tick = now + TICK_NS, end = 0;
	uint64_t draw = clockwork->console ? now : UINT64_MAX;

	while (!atomic_load(&clockwork->finished) &&
	       !atomic_load(&clockwork->broken)) {
		bool poking = asked(clockwork);
		struct timespec wait;
		int signal;

		if (clockwork->reload.manager)
			tell_ready(clockwork);
		now = clock_now();
		if (poking)
			poke(clockwork, now);
		wait = until(now,
			     next_wake(clockwork, now,
				       draw < tick ? draw : tick, end, poking));
		signal = await_signal(clockwork, &wait);
		if (signal > 0)
			take_signal(clockwork, signal);
		else if (!atomic_load(&clockwork->begun))
			pthread_kill(clockwork->tracing, POKE);
		now = clock_now();
		if (clockwork->console)
			serve_console(clockwork, now, &draw);
		if (!end && clockwork->duration &&
		    atomic_load(&clockwork->begun))
			end = now + clockwork->duration;
		if (end && now >= end)
			atomic_store(&clockwork->leave, true);
		if (now >= tick) {
			tick = now + TICK_NS;
			atomic_store(&clockwork->tick, true);
		}
	}
	if (clockwork->reload.manager && !clockwork->again)
		notify_stopping(clockwork->reload.manager);
}

void
clockwork_end(struct clockwork *clockwork)
{
	if (clockwork->signals_ready >= 0)
		close(clockwork->signals_ready);
	clockwork->signals_ready = -1;
	pthread_sigmask(SIG_UNBLOCK, &clockwork->signals, NULL);
}
