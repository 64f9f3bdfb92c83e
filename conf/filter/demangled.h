/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A demangled name's parts: "void ns::f<int>(char*) const" is the function
 * ns::f<int> to those who name it, without what it returns and takes.
 */
#ifndef CONF_FILTER_DEMANGLED_H
#define CONF_FILTER_DEMANGLED_H

#include "base/attr.h"

#include <stddef.h>

/*
 * Where the qualified name begins and ends in text; all of text where there
 * are no parameters.
 */
void demangled_name(const char *text, size_t *ret_start, size_t *ret_end);

/*
 * text[at] begins the word "operator", in a name that begins at start: how
 * long it is together with its sign (operator->, operator()), or 0.
 */
size_t demangled_operator(const char *text, size_t start, size_t at);

#endif
