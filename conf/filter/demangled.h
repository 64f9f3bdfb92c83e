/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The parts of a demangled name. Users call "void ns::f<int>(char*) const"
 * ns::f<int>, without the types of its result and parameters.
 */
#ifndef CONF_FILTER_DEMANGLED_H
#define CONF_FILTER_DEMANGLED_H

#include "base/attr.h"

#include <stddef.h>

/*
 * Finds the start and the end of the qualified name in text. If there are no
 * parameters, this is all of text.
 */
void demangled_name(const char *text, size_t *ret_start, size_t *ret_end);

/*
 * The word "operator" begins at text[at], in a name that begins at start.
 * Returns the length of the word with its sign (operator->, operator()), or 0.
 */
size_t demangled_operator(const char *text, size_t start, size_t at);

#endif
