/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Gives text to a script of this folder and expects no output from it. */
#ifndef TESTS_UNIT_OUTPUT_READER_H
#define TESTS_UNIT_OUTPUT_READER_H

/* script: its name and arguments; it runs in the top folder. */
void reader_expect_silence(const char *script, const char *text);

#endif
