/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The lock is held for some assignments only, so that the tracing thread never
 * waits while the terminal is slow. If pages come faster than the terminal
 * shows them, the older ones are dropped. If keys come faster than they are
 * taken, the newer ones are dropped.
 */
#include "output/live/console.h"

#include "base/xmalloc.h"
#include "output/live/terminal.h"

#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <termios.h>
#include <unistd.h>

#define KEYS_MOST 64

struct console {
	struct terminal *terminal;
	pthread_mutex_t lock; /* of the members up to `whole` */
	unsigned keys[KEYS_MOST];
	unsigned key_count;
	unsigned height, width;
	struct cells page; /* the page to be shown, if there is one */
	bool waits;
	bool whole;
	atomic_bool leaves, shows;
	bool says; /* stderr is the terminal */
};

/* Is this the terminal from which xtrace can be controlled? */
static bool
controls(int descriptor)
{
	return tcgetsid(descriptor) == getsid(0);
}

/* Refuses a command that uses the terminal, too. It would compete with the page
 * for keys, or write over the page, and not behave as it does untraced. */
static int
check_shared(struct err *err)
{
	for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++) {
		if (controls(fd))
			return err_set(err, -EINVAL,
				       "--live and the command cannot share "
				       "the terminal: redirect the command "
				       "(</dev/null >FILE 2>&1), or attach to "
				       "it with -p");
	}
	return 0;
}

int
console_check(bool shared, struct err *err)
{
	struct terminal *terminal;
	int r = terminal_open(false, &terminal, err);
	bool front;

	if (r < 0)
		return r;
	front = tcgetpgrp(terminal_descriptor(terminal)) == getpgrp();
	terminal_close(terminal);
	if (!front)
		return err_set(err, -EINVAL,
			       "--live needs the terminal, but xtrace runs in "
			       "the background");
	if (shared)
		return check_shared(err);
	if (!controls(STDIN_FILENO) || !controls(STDOUT_FILENO))
		return err_set(err, -EINVAL,
			       "--live needs a terminal, but standard input or "
			       "output is not one");
	return 0;
}

int
console_open(bool color, struct console **ret_console, struct err *err)
{
	struct terminal *terminal;
	int r = terminal_open(color, &terminal, err);
	struct console *console;

	if (r < 0)
		return r;
	console = xcalloc(1, sizeof(*console));
	console->terminal = terminal;
	console->says = controls(STDERR_FILENO);
	pthread_mutex_init(&console->lock, NULL);
	terminal_size(terminal, &console->height, &console->width);
	*ret_console = console;
	return 0;
}

void
console_close(struct console *console)
{
	if (!console)
		return;
	terminal_close(console->terminal);
	cells_release(&console->page);
	pthread_mutex_destroy(&console->lock);
	free(console);
}

/* ---- the thread that has the terminal -------------------------------------
 */

int
console_descriptor(const struct console *console)
{
	return terminal_shows(console->terminal)
		       ? terminal_descriptor(console->terminal)
		       : -1;
}

/* Takes the page that waits to be shown. False if there is none. */
static bool
take_page(struct console *console, struct cells *ret_page, bool *ret_whole)
{
	bool waits;

	pthread_mutex_lock(&console->lock);
	waits = console->waits;
	if (waits) {
		*ret_page = console->page;
		*ret_whole = console->whole;
		console->page = (struct cells){ 0 };
		console->waits = console->whole = false;
	}
	pthread_mutex_unlock(&console->lock);
	return waits;
}

static bool
read_keys(struct console *console)
{
	bool any = false;
	unsigned key;

	while (terminal_key(console->terminal, &key)) {
		any = true;
		pthread_mutex_lock(&console->lock);
		if (console->key_count < KEYS_MOST)
			console->keys[console->key_count++] = key;
		pthread_mutex_unlock(&console->lock);
	}
	return any;
}

/* Notes that xtrace is to leave if the terminal was closed. */
static void
look_for_end(struct console *console)
{
	struct pollfd look = { .fd = console_descriptor(console) };

	if (poll(&look, 1, 0) > 0 && (look.revents & (POLLHUP | POLLERR)))
		atomic_store(&console->leaves, true);
}

/* Reads the size of the terminal. True if it has changed. */
static bool
take_size(struct console *console)
{
	unsigned height, width;
	bool changed;

	terminal_size(console->terminal, &height, &width);
	pthread_mutex_lock(&console->lock);
	changed = console->height != height || console->width != width;
	console->height = height;
	console->width = width;
	pthread_mutex_unlock(&console->lock);
	return changed;
}

bool
console_serve(struct console *console)
{
	bool whole, needed;
	struct cells page;

	if (take_page(console, &page, &whole)) {
		terminal_show(console->terminal, &page, whole);
		atomic_store(&console->shows,
			     terminal_shows(console->terminal));
		cells_release(&page);
	}
	needed = take_size(console);
	if (!terminal_shows(console->terminal))
		return needed;
	look_for_end(console);
	return read_keys(console) || needed;
}

bool
console_leaves(const struct console *console)
{
	return atomic_load(&console->leaves);
}

void
console_end(struct console *console)
{
	terminal_end(console->terminal);
	atomic_store(&console->shows, false);
}

/* ---- the tracing thread ---------------------------------------------------
 */

void
console_size(struct console *console, unsigned *ret_height, unsigned *ret_width)
{
	pthread_mutex_lock(&console->lock);
	*ret_height = console->height;
	*ret_width = console->width;
	pthread_mutex_unlock(&console->lock);
}

bool
console_key(struct console *console, unsigned *ret_key)
{
	bool any;

	pthread_mutex_lock(&console->lock);
	any = console->key_count > 0;
	if (any) {
		*ret_key = console->keys[0];
		console->key_count--;
		memmove(console->keys, console->keys + 1,
			console->key_count * sizeof(console->keys[0]));
	}
	pthread_mutex_unlock(&console->lock);
	return any;
}

void
console_show(struct console *console, struct cells *cells, bool whole)
{
	struct cells older;

	pthread_mutex_lock(&console->lock);
	older = console->page;
	console->page = *cells;
	console->waits = true;
	console->whole |= whole;
	pthread_mutex_unlock(&console->lock);
	*cells = (struct cells){ 0 };
	cells_release(&older);
}

void
console_leave(struct console *console)
{
	atomic_store(&console->leaves, true);
}

bool
console_shows(const struct console *console)
{
	return atomic_load(&console->shows) && console->says;
}
