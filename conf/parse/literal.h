/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A literal is a number or a text, spelled out. */
#ifndef CONF_PARSE_LITERAL_H
#define CONF_PARSE_LITERAL_H

#include "base/arena.h"
#include "base/attr.h"
#include "conf/parse/lex.h"

/*
 * Fills in what token, a NUMBER, is worth; makes it a REAL where it has a
 * fraction. -EINVAL: no number, -ERANGE: too large a one.
 */
must_check int literal_number(const char *text, struct token *token);

/* A copy of text in arena, its escapes resolved. */
const char *literal_text(struct arena *arena, const char *text);

#endif
