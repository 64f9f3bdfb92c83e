/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A literal is a number or a text in the source. */
#ifndef CONF_PARSE_LITERAL_H
#define CONF_PARSE_LITERAL_H

#include "base/arena.h"
#include "base/attr.h"
#include "conf/parse/lex.h"

/*
 * Sets the value of token, a NUMBER; makes it a REAL if it has a fraction.
 * Returns -EINVAL if it is no number, -ERANGE if it is too large.
 */
must_check int literal_number(const char *text, struct token *token);

/* A copy of text in arena, with its escapes resolved. */
const char *literal_text(struct arena *arena, const char *text);

#endif
