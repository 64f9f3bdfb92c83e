/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The prefix tells the language: _D and a digit is D, _R is Rust (RFC 2603), _Z
 * is C++ (Itanium C++ ABI 5.1) or, if it ends with 17h and a hash of 16 digits,
 * older Rust. libiberty does the work, as in the GNU tools. Its header declares
 * another xmalloc(), so ours is not included here; its results come from
 * malloc(3).
 *
 * libiberty cannot demangle D names without parameters, so we cut them off at
 * the end.
 */
#include "symbols/demangle.h"

#include <ctype.h>
#include <libiberty/demangle.h>
#include <string.h>

static char *
demangle_as(const char *name, int options)
{
	char *rust;

	if (name[0] != '_')
		return NULL;
	switch (name[1]) {
	case 'D':
		return isdigit((unsigned char)name[2])
			       ? dlang_demangle(name, options)
			       : NULL;
	case 'R':
		return rust_demangle(name, options);
	case 'Z':
		rust = rust_demangle(name, options);
		return rust ? rust : cplus_demangle_v3(name, options);
	default:
		return NULL;
	}
}

char *
demangle(const char *name)
{
	return demangle_as(name, DMGL_PARAMS | DMGL_ANSI);
}

/* Cuts off the parameters of a D name: "f!(int).f(char) const" becomes
 * "f!(int).f". */
static void
cut_parameters(char *text)
{
	char *end = strrchr(text, ')');
	int depth = 0;

	if (!end || (end[1] && end[1] != ' '))
		return;
	for (; end > text; end--) {
		depth += (*end == ')') - (*end == '(');
		if (!depth)
			break;
	}
	if (end > text)
		*end = 0;
}

char *
demangle_short(const char *name)
{
	char *text = demangle_as(name, DMGL_ANSI | DMGL_RET_DROP);

	if (text && name[1] == 'D')
		cut_parameters(text);
	return text;
}
