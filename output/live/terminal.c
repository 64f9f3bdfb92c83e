/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * ncurses writes only what differs from the page before. It installs signal
 * handlers that would end the program; the former handlers are restored.
 *
 * The terminal is opened anew by its name /dev/tty. So no other program shares
 * the open file description and its flags.
 *
 * ^C makes a signal, as always. ^Z does nothing: while xtrace is stopped, every
 * thread that it traces would stop at its next trap.
 *
 * If xtrace fails, a last act (base/die.h) writes what ncurses would have
 * written at its end. These bytes are kept, because ncurses must not be called
 * then. SIGKILL leaves the terminal as it is.
 */
#include "output/live/terminal.h"

#include "base/die.h"
#include "base/fd.h"
#include "base/xmalloc.h"
#include "output/live/view.h"

#include <curses.h>
#include <errno.h>
#include <fcntl.h>
#include <locale.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <term.h>
#include <termios.h>
#include <unistd.h>

#define RED 1
/* How long ncurses waits for the rest of a key that begins with Escape. */
#define ESCAPE_MS 25
#define HEIGHT_OTHERWISE 24
#define WIDTH_OTHERWISE 80

struct terminal {
	struct last_act act;
	int descriptor;
	bool color;
	volatile bool shows; /* a page was shown; the last act reads this */
	struct termios before;
	locale_t locale;
	FILE *in, *out;
	SCREEN *screen;
	/* what puts the screen of the user back */
	char restore[256];
	size_t restore_length;
};

/* Restores the user's screen if xtrace fails. Async-signal-safe. */
static void
restore(struct last_act *act)
{
	struct terminal *terminal = container_of(act, struct terminal, act);

	if (!terminal->shows)
		return;
	if (write(terminal->descriptor, terminal->restore,
		  terminal->restore_length) < 0)
		return;
	tcsetattr(terminal->descriptor, TCSANOW, &terminal->before);
}

int
terminal_open(bool color, struct terminal **ret_terminal, struct err *err)
{
	int fd = open("/dev/tty", O_RDWR | O_CLOEXEC | O_NOCTTY), found;
	const char *name = getenv("TERM");
	struct terminal *terminal;
	struct termios before;
	bool moves;

	if (fd < 0 || tcgetattr(fd, &before) < 0) {
		if (fd >= 0)
			close(fd);
		return err_set(err, -EINVAL, "--live needs a terminal");
	}
	moves = setupterm(NULL, fd, &found) == OK && cursor_address;
	/* newterm() reads the description again. */
	del_curterm(cur_term);
	if (!moves) {
		close(fd);
		return err_set(err, -EINVAL,
			       "--live needs a terminal that can move its "
			       "cursor, and TERM is '%s'",
			       name ? name : "");
	}
	terminal = xcalloc(1, sizeof(*terminal));
	terminal->act.run = restore;
	terminal->descriptor = fd;
	terminal->before = before;
	terminal->color = color;
	terminal->locale = newlocale(LC_CTYPE_MASK, "C.UTF-8", NULL);
	die_register(&terminal->act);
	*ret_terminal = terminal;
	return 0;
}

int
terminal_descriptor(const struct terminal *terminal)
{
	return terminal->descriptor;
}

bool
terminal_shows(const struct terminal *terminal)
{
	return terminal->shows;
}

void
terminal_size(const struct terminal *terminal, unsigned *ret_height,
	      unsigned *ret_width)
{
	struct winsize size = { 0 };

	if (ioctl(terminal->descriptor, TIOCGWINSZ, &size) < 0)
		size.ws_row = size.ws_col = 0;
	*ret_height = size.ws_row ? size.ws_row : HEIGHT_OTHERWISE;
	*ret_width = size.ws_col ? size.ws_col : WIDTH_OTHERWISE;
}

/* ---- beginning and end ----------------------------------------------------
 */

static void
keep_restore(struct terminal *terminal)
{
	const char *const strings[] = { exit_attribute_mode, keypad_local,
					cursor_normal, exit_ca_mode };

	for (size_t i = 0; i < array_size(strings); i++) {
		size_t length = strings[i] ? strlen(strings[i]) : 0;

		if (terminal->restore_length + length >
		    sizeof(terminal->restore))
			continue;
		memcpy(terminal->restore + terminal->restore_length,
		       strings[i] ? strings[i] : "", length);
		terminal->restore_length += length;
	}
}

/* The signals for which ncurses installs handlers. */
static const int handled[] = { SIGINT, SIGTERM, SIGTSTP, SIGWINCH };

static SCREEN *
new_screen(FILE *out, FILE *in)
{
	struct sigaction kept[array_size(handled)];
	SCREEN *screen;

	for (size_t i = 0; i < array_size(handled); i++)
		sigaction(handled[i], NULL, &kept[i]);
	screen = newterm(NULL, out, in);
	for (size_t i = 0; i < array_size(handled); i++)
		sigaction(handled[i], &kept[i], NULL);
	return screen;
}

/* Sets the terminal so that ^Z makes no signal. */
static void
refuse_stops(const struct terminal *terminal)
{
	struct termios now;

	if (tcgetattr(terminal->descriptor, &now) < 0)
		return;
	now.c_cc[VSUSP] = _POSIX_VDISABLE;
	tcsetattr(terminal->descriptor, TCSANOW, &now);
}

static bool
begin(struct terminal *terminal)
{
	int in = fcntl(terminal->descriptor, F_DUPFD_CLOEXEC, 0);
	int out = fcntl(terminal->descriptor, F_DUPFD_CLOEXEC, 0);

	if (in < 0 || out < 0)
		return false;
	terminal->in = fdopen(in, "r");
	terminal->out = fdopen(out, "w");
	if (!terminal->in || !terminal->out)
		return false;
	terminal->screen = new_screen(terminal->out, terminal->in);
	if (!terminal->screen)
		return false;
	keep_restore(terminal);
	terminal->shows = true;
	cbreak();
	noecho();
	nonl();
	set_escdelay(ESCAPE_MS);
	keypad(stdscr, TRUE);
	nodelay(stdscr, TRUE);
	refuse_stops(terminal);
	if (terminal->color && has_colors() && start_color() == OK) {
		use_default_colors();
		init_pair(RED, COLOR_RED, -1);
	} else {
		terminal->color = false;
	}
	return true;
}

void
terminal_end(struct terminal *terminal)
{
	if (!terminal->shows)
		return;
	endwin();
	tcsetattr(terminal->descriptor, TCSADRAIN, &terminal->before);
	terminal->shows = false;
}

void
terminal_close(struct terminal *terminal)
{
	if (!terminal)
		return;
	terminal_end(terminal);
	die_unregister(&terminal->act);
	if (terminal->screen)
		delscreen(terminal->screen);
	if (terminal->in)
		fclose(terminal->in);
	if (terminal->out)
		fclose(terminal->out);
	if (terminal->locale) {
		uselocale(LC_GLOBAL_LOCALE);
		freelocale(terminal->locale);
	}
	close(terminal->descriptor);
	free(terminal);
}

/* ---- pages ----------------------------------------------------------------
 */

static attr_t
attributes_of(const struct terminal *terminal, unsigned style)
{
	switch ((enum cell_style)style) {
	case CELL_TITLE:
		return A_REVERSE;
	case CELL_CHOSEN:
		return A_BOLD | A_UNDERLINE;
	case CELL_ERROR:
		return terminal->color ? (attr_t)COLOR_PAIR(RED) : A_BOLD;
	case CELL_QUIET:
		return A_DIM;
	case CELL_PLAIN:
	case CELL_STYLES:
		break;
	}
	return A_NORMAL;
}

static void
show_row(const struct terminal *terminal, const struct cells *cells,
	 unsigned row)
{
	const struct cell *at = &cells->at[(size_t)row * cells->width];
	unsigned column = 0;
	char bytes[4096];

	while (column < cells->width) {
		unsigned from = column, style = at[column].style;
		int length = 0;

		while (column < cells->width && at[column].style == style &&
		       length + 4 < (int)sizeof(bytes)) {
			memcpy(bytes + length, at[column].bytes,
			       at[column].count);
			length += at[column].count;
			column++;
		}
		attrset((int)attributes_of(terminal, style));
		mvaddnstr((int)row, (int)from, bytes, length);
	}
}

void
terminal_show(struct terminal *terminal, const struct cells *cells, bool whole)
{
	unsigned height, width;

	if (terminal->locale)
		uselocale(terminal->locale);
	if (!terminal->shows && !begin(terminal))
		return;
	terminal_size(terminal, &height, &width);
	if ((int)height != LINES || (int)width != COLS)
		resizeterm((int)height, (int)width);
	erase();
	for (unsigned row = 0; row < cells->height && row < height; row++)
		show_row(terminal, cells, row);
	curs_set(cells->cursor ? 1 : 0);
	if (cells->cursor)
		move((int)cells->cursor_row, (int)cells->cursor_column);
	if (whole)
		clearok(curscr, TRUE);
	refresh();
}

static const struct {
	int code;
	enum view_key key;
} keys[] = {
	{ KEY_UP, VIEW_KEY_UP },	 { KEY_DOWN, VIEW_KEY_DOWN },
	{ KEY_LEFT, VIEW_KEY_LEFT },	 { KEY_RIGHT, VIEW_KEY_RIGHT },
	{ KEY_PPAGE, VIEW_KEY_PAGE_UP }, { KEY_NPAGE, VIEW_KEY_PAGE_DOWN },
	{ KEY_HOME, VIEW_KEY_HOME },	 { KEY_END, VIEW_KEY_END },
	{ KEY_ENTER, VIEW_KEY_ENTER },	 { KEY_BACKSPACE, VIEW_KEY_BACKSPACE },
};

bool
terminal_key(struct terminal *terminal, unsigned *ret_key)
{
	wint_t c;
	int r = terminal->shows ? get_wch(&c) : ERR;

	if (r == ERR)
		return false;
	*ret_key = 0;
	if (r == OK) {
		*ret_key = c;
		if (c == '\r' || c == '\n')
			*ret_key = VIEW_KEY_ENTER;
		else if (c == '\b' || c == 0x7f)
			*ret_key = VIEW_KEY_BACKSPACE;
		else if (c == 0x1b)
			*ret_key = VIEW_KEY_ESCAPE;
	}
	for (size_t i = 0; r == KEY_CODE_YES && i < array_size(keys); i++) {
		if (keys[i].code == (int)c)
			*ret_key = keys[i].key;
	}
	return true;
}
