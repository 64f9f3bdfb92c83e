/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Versions are removed from the end of a name:
 *
 *	libpython3.11.so.1.0 -> libpython3.11.so.1 -> libpython3.11.so
 *		-> libpython3.so
 *	libruby-3.1.so -> libruby-3.so -> libruby.so
 *	python3.11 -> python3
 *
 * First the versions after ".so", which belong to the ABI, then the versions
 * before it, which distributions add, and those of programs. A version consists
 * of digits after a '.' or '-': the 3 of libsqlite3 is part of the name.
 */
#include "conf/find/search_names.h"

#include "base/xmalloc.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

void
search_names_init(struct search_names *names, const char *soname)
{
	bool probes = !strncmp(soname, SEARCH_PROBES, strlen(SEARCH_PROBES));
	const char *slash = probes ? NULL : strrchr(soname, '/');

	names->name = xstrdup(slash ? slash + 1 : soname);
	names->given = NULL;
}

void
search_names_release(struct search_names *names)
{
	free(names->name);
	free(names->given);
}

/* The length of name without a version at its end, or its length if it has
 * none. */
static size_t
without_version(const char *name, size_t length)
{
	size_t at = length;

	while (at > 0 && isdigit((unsigned char)name[at - 1]))
		at--;
	if (at == length || at < 2 || !strchr(".-", name[at - 1]))
		return length;
	return at - 1;
}

/* The position of the ".so" at the end of the name or before its versions. */
static size_t
find_so(const char *name)
{
	size_t length = strlen(name);

	for (const char *so = name; (so = strstr(so, ".so")); so++) {
		if (so[3] == '\0' || so[3] == '.')
			return (size_t)(so - name);
	}
	return length;
}

/* name without its last version, or NULL if it has none. */
static char *
more_general(const char *name)
{
	size_t length = strlen(name), so = find_so(name);
	size_t shorter = without_version(name, length);

	if (shorter < length)
		return xstrndup(name, shorter);
	shorter = without_version(name, so);
	if (so == length || shorter == so || so + 3 != length)
		return NULL;
	return xasprintf("%.*s.so", (int)shorter, name);
}

const char *
search_names_next(struct search_names *names)
{
	free(names->given);
	names->given = names->name;
	names->name = names->given ? more_general(names->given) : NULL;
	return names->given;
}
