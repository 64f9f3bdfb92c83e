/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Hands text to a script of this folder and expects it to say nothing. */
#ifndef TESTS_UNIT_OUTPUT_READER_H
#define TESTS_UNIT_OUTPUT_READER_H

/* script: its name, with arguments behind; run from the top of the tree. */
void reader_expect_silence(const char *script, const char *text);

#endif
