/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Gives text to a script of this folder and expects no output from it. */
#ifndef TESTS_UNIT_OUTPUT_READER_H
#define TESTS_UNIT_OUTPUT_READER_H

/*
 * Runs the script, which is its name and its arguments, in the top folder. It
 * gets text and must print nothing.
 */
void reader_expect_silence(const char *script, const char *text);

#endif
