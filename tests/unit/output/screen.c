/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Understands the sequences of xterm that ncurses writes ("XTerm Control
 * Sequences"); any other sequence fails the test. Every character has one
 * column. There are two pictures: the screen of the user, and the alternate
 * screen that programs such as xtrace show instead.
 */
#include "tests/unit/output/screen.h"

#include "base/utf8.h"
#include "tests/unit/checks.h"

#include <errno.h>
#include <fcntl.h>
#include <pty.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <unistd.h>

#define HEIGHT_MOST 40
#define WIDTH_MOST 120
#define NUMBERS_MOST 8

struct place {
	char bytes[5];
	unsigned looks;
};

static int master = -1, slave = -1;
static unsigned height, width;
static struct place pictures[2][HEIGHT_MOST][WIDTH_MOST];
static bool aside, cursor = true;
static unsigned row, column, looks;
static unsigned top, bottom; /* the rows that scroll */
/* Bytes that the terminal has received and not yet understood. */
static char input[1 << 16];
static size_t input_length;

/* ---- the terminal ----------------------------------------------------------
 */

/*
 * A leader of a process group cannot begin a session (setsid(2)), and Check
 * makes each test a leader. So the test joins the group of a child. It cannot
 * join its parent's: if a PID namespace was made for the tests, the leader of
 * that group is outside, and getpgid(2) returns 0.
 */
void
screen_leave_session(void)
{
	pid_t child;

	if (getpid() == getpgrp()) {
		child = fork();
		ck_assert_int_ge(child, 0);
		if (child == 0) {
			pause();
			_exit(0);
		}
		ck_assert_int_eq(setpgid(child, child), 0);
		ck_assert_int_eq(setpgid(0, child), 0);
		ck_assert_int_eq(kill(child, SIGKILL), 0);
		ck_assert_int_eq(waitpid(child, NULL, 0), child);
	}
	ck_assert_int_ge(setsid(), 0);
}

void
screen_open(unsigned with_height, unsigned with_width)
{
	screen_leave_session();
	/* The session's end hangs the terminal up. */
	signal(SIGHUP, SIG_IGN);
	ck_assert_int_eq(openpty(&master, &slave, NULL, NULL, NULL), 0);
	ck_assert_int_eq(ioctl(slave, TIOCSCTTY, 0), 0);
	ck_assert_int_eq(fcntl(master, F_SETFL, O_NONBLOCK), 0);
	ck_assert_int_eq(dup2(slave, STDERR_FILENO), STDERR_FILENO);
	setenv("TERM", "xterm", 1);
	screen_resize(with_height, with_width);
}

void
screen_resize(unsigned to_height, unsigned to_width)
{
	struct winsize size = { .ws_row = (unsigned short)to_height,
				.ws_col = (unsigned short)to_width };

	ck_assert(to_height <= HEIGHT_MOST && to_width <= WIDTH_MOST);
	height = bottom = to_height;
	width = to_width;
	ck_assert_int_eq(ioctl(master, TIOCSWINSZ, &size), 0);
}

void
screen_hang_up(void)
{
	close(master);
	master = -1;
}

int
screen_descriptor(void)
{
	return slave;
}

void
screen_type(const char *keys)
{
	size_t length = strlen(keys);

	ck_assert_int_eq(write(master, keys, length), (ssize_t)length);
}

/* ---- the picture -----------------------------------------------------------
 */

static struct place *
place_at(unsigned y, unsigned x)
{
	return &pictures[aside][y][x];
}

static void
clear(unsigned y, unsigned from, unsigned to)
{
	for (unsigned x = from; x < to && x < WIDTH_MOST; x++)
		*place_at(y, x) = (struct place){ " ", looks & SCREEN_REVERSE };
}

static void
clear_rows(unsigned from, unsigned to)
{
	for (unsigned y = from; y < to; y++)
		clear(y, 0, WIDTH_MOST);
}

static void
put(const char *bytes, size_t count)
{
	struct place *at = place_at(row, column < width ? column : width - 1);

	*at = (struct place){ "", looks };
	memcpy(at->bytes, bytes, count);
	column++;
}

/* Moves the rows from `from` to the end of the region down by `by` rows, or up
 * if `by` is below 0. */
static void
move_rows(unsigned from, int by)
{
	for (unsigned i = from; i < bottom; i++) {
		unsigned y = by > 0 ? bottom - 1 - (i - from) : i;
		int source = (int)y - by;

		if (source >= (int)from && source < (int)bottom)
			memcpy(place_at(y, 0), place_at((unsigned)source, 0),
			       sizeof(pictures[0][0]));
		else
			clear(y, 0, WIDTH_MOST);
	}
}

static void
move_columns(int by)
{
	struct place copy[WIDTH_MOST];

	memcpy(copy, place_at(row, 0), sizeof(copy));
	for (unsigned x = column; x < width; x++) {
		int source = (int)x - by;

		if (source >= (int)column && source < (int)width)
			*place_at(row, x) = copy[source];
		else
			clear(row, x, x + 1);
	}
}

static void
take_looks(const unsigned *numbers, unsigned count)
{
	for (unsigned i = 0; i < count; i++) {
		switch (numbers[i]) {
		case 0:
			looks = 0;
			break;
		case 1:
			looks |= SCREEN_BOLD;
			break;
		case 2:
			looks |= SCREEN_DIM;
			break;
		case 4:
			looks |= SCREEN_UNDERLINE;
			break;
		case 7:
			looks |= SCREEN_REVERSE;
			break;
		case 27:
			looks &= ~(unsigned)SCREEN_REVERSE;
			break;
		case 31:
			looks |= SCREEN_RED;
			break;
		case 39:
		case 49:
			looks &= ~(unsigned)SCREEN_RED;
			break;
		default:
			ck_abort_msg("SGR %u", numbers[i]);
		}
	}
}

static void
set_mode(unsigned number, bool on)
{
	if (number == 25)
		cursor = on;
	if (number == 1049)
		aside = on;
}

static void
erase(unsigned what, bool rows)
{
	unsigned from = what == 0 ? column : 0;
	unsigned to = what == 1 ? column + 1 : WIDTH_MOST;

	clear(row, from, to);
	if (rows && what != 1)
		clear_rows(row + 1, height);
	if (rows && what != 0)
		clear_rows(0, row);
}

static unsigned
least(unsigned a, unsigned b)
{
	return a < b ? a : b;
}

static void
move_cursor(char final, unsigned first, unsigned second)
{
	unsigned by = first ? first : 1;

	switch (final) {
	case 'A':
		row -= least(row, by);
		break;
	case 'B':
		row = least(row + by, height - 1);
		break;
	case 'C':
		column = least(column + by, width - 1);
		break;
	case 'D':
		column -= least(column, by);
		break;
	case 'G':
		column = by - 1;
		break;
	case 'd':
		row = by - 1;
		break;
	default: /* 'H': to a row and a column */
		row = by - 1;
		column = second ? second - 1 : 0;
	}
}

/* Obeys a sequence "CSI numbers final". */
static void
obey(char final, bool private, const unsigned *numbers, unsigned count)
{
	unsigned first = numbers[0], by = first ? first : 1;

	if (strchr("ABCDGHd", final)) {
		move_cursor(final, first, count > 1 ? numbers[1] : 0);
	} else if (final == 'J' || final == 'K') {
		erase(first, final == 'J');
	} else if (final == 'X') {
		clear(row, column, column + by);
	} else if (final == '@' || final == 'P') {
		move_columns(final == '@' ? (int)by : -(int)by);
	} else if (final == 'L' || final == 'M') {
		move_rows(row, final == 'L' ? (int)by : -(int)by);
	} else if (final == 'm') {
		take_looks(numbers, count);
	} else if (final == 'b') {
		const struct place last = *place_at(row, column - 1);

		for (unsigned i = 0; i < by; i++)
			put(last.bytes, strlen(last.bytes));
	} else if (private && (final == 'h' || final == 'l')) {
		set_mode(first, final == 'h');
	} else if (final == 'S' || final == 'T') {
		move_rows(top, final == 'T' ? (int)by : -(int)by);
	} else if (final == 'r') {
		top = by - 1;
		bottom = count > 1 ? numbers[1] : height;
		row = column = 0;
	} else {
		ck_assert_msg(strchr("hlt", final) != NULL, "CSI %c", final);
	}
}

/* ---- bytes -----------------------------------------------------------------
 */

/* Obeys the sequence that begins here. Returns its length in bytes, or 0 if the
 * end of the sequence has not come. */
static size_t
take_sequence(const char *at, size_t length)
{
	unsigned numbers[NUMBERS_MOST] = { 0 }, count = 0;
	size_t i = 2;
	bool private;

	if (length < 2)
		return 0;
	if (at[1] == '=' || at[1] == '>')
		return 2;
	if (at[1] == '(')
		return 3;
	if (at[1] == 'M') {
		if (row == top)
			move_rows(top, 1);
		else
			row--;
		return 2;
	}
	ck_assert_msg(at[1] == '[', "Escape %c", at[1]);
	private = at[i] == '?';
	for (i += private; i < length && (at[i] < '@' || at[i] > '~'); i++) {
		if (at[i] == ';')
			count++;
		else
			numbers[count] =
				numbers[count] * 10 + (unsigned)(at[i] - '0');
		ck_assert_uint_lt(count, NUMBERS_MOST);
	}
	if (i == length)
		return 0;
	obey(at[i], private, numbers, count + 1);
	return i + 1;
}

static size_t
take_character(const char *at, size_t length)
{
	uint32_t character;
	unsigned count = 1;

	switch (*at) {
	case '\r':
		column = 0;
		return 1;
	case '\b':
		column -= column > 0;
		return 1;
	case '\n':
		if (row == bottom - 1)
			move_rows(top, -1);
		else
			row++;
		return 1;
	case '\t':
		column = least((column | 7) + 1, width - 1);
		return 1;
	default:
		break;
	}
	if (*at & 0x80)
		count = utf8_decode(at, length, &character);
	if (count > 0)
		put(at, count);
	return count;
}

void
screen_look(void)
{
	size_t at = 0, taken = 1;
	ssize_t n;

	while ((n = read(master, input + input_length,
			 sizeof(input) - input_length)) > 0)
		input_length += (size_t)n;
	for (; at < input_length && taken > 0; at += taken)
		taken = input[at] == '\033'
				? take_sequence(input + at, input_length - at)
				: take_character(input + at, input_length - at);
	memmove(input, input + at, input_length - at);
	input_length -= at;
}

const char *
screen_row(unsigned y)
{
	static char text[WIDTH_MOST * 4 + 1];
	size_t length = 0;

	for (unsigned x = 0; x < width; x++) {
		const char *bytes = place_at(y, x)->bytes;

		memcpy(text + length, *bytes ? bytes : " ",
		       *bytes ? strlen(bytes) : 1);
		length += *bytes ? strlen(bytes) : 1;
	}
	while (length > 0 && text[length - 1] == ' ')
		length--;
	text[length] = '\0';
	return text;
}

bool
screen_has(const char *text)
{
	for (unsigned y = 0; y < height; y++)
		if (strstr(screen_row(y), text))
			return true;
	return false;
}

unsigned
screen_looks(unsigned y, unsigned x)
{
	return place_at(y, x)->looks;
}

bool
screen_aside(void)
{
	return aside;
}

bool
screen_has_cursor(void)
{
	return cursor;
}
