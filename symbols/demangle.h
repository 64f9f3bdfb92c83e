/* SPDX-License-Identifier: GPL-2.0-or-later */
/* C++, Rust and D names in the form of the source (libiberty). */
#ifndef SYMBOLS_DEMANGLE_H
#define SYMBOLS_DEMANGLE_H

#include "base/attr.h"

#include <stdbool.h>

/* The name with its parameters, which the caller frees; NULL if name is not
 * mangled. */
char *demangle(const char *name);
/* The name without parameters and return type:
 * "std::vector<int>::push_back". */
char *demangle_short(const char *name);

#endif
