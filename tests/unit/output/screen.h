/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A terminal in the test, of the type xterm: a pseudo-terminal that controls
 * the test, keys that are typed there, and the picture that its bytes make.
 */
#ifndef TESTS_UNIT_OUTPUT_SCREEN_H
#define TESTS_UNIT_OUTPUT_SCREEN_H

#include <stdbool.h>

/* How a place of the screen looks. */
enum screen_look {
	SCREEN_BOLD = 1,
	SCREEN_DIM = 2,
	SCREEN_UNDERLINE = 4,
	SCREEN_REVERSE = 8,
	SCREEN_RED = 16,
};

/* The test, which is a process of its own, gets a session without a terminal.
 */
void screen_leave_session(void);
/* Opens the terminal, which then is /dev/tty and stderr. */
void screen_open(unsigned height, unsigned width);
void screen_resize(unsigned height, unsigned width);
/* Does what happens when the user closes the terminal's window. */
void screen_hang_up(void);
/* The terminal's other end, which programs open. */
int screen_descriptor(void);

void screen_type(const char *keys);
/* Reads the bytes that were written to the terminal, and changes the
 * picture. */
void screen_look(void);
/* The text of a row, without the blanks at its end. */
const char *screen_row(unsigned row);
/* Does a row contain the text? */
bool screen_has(const char *text);
/* The looks of a place, enum screen_look. */
unsigned screen_looks(unsigned row, unsigned column);
/* Is the alternate screen shown instead of the user's screen? */
bool screen_aside(void);
bool screen_has_cursor(void);

#endif
