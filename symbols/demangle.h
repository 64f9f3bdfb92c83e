/* SPDX-License-Identifier: GPL-2.0-or-later */
/* C++, Rust and D names as their programmers wrote them (libiberty). */
#ifndef SYMBOLS_DEMANGLE_H
#define SYMBOLS_DEMANGLE_H

#include "base/attr.h"

#include <stdbool.h>

/* With its parameters, to be freed, or NULL where name is not mangled. */
char *demangle(const char *name);
/* Without parameters and return type: "std::vector<int>::push_back". */
char *demangle_short(const char *name);

#endif
