/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Wrappers of malloc(3) that call die() instead of returning NULL. */
#include "base/xmalloc.h"

#include "base/die.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void *
or_die(void *memory)
{
	if (!memory)
		die("out of memory");
	return memory;
}

void *
xmalloc(size_t size)
{
	return or_die(malloc(size ? size : 1));
}

void *
xcalloc(size_t count, size_t size)
{
	return or_die(calloc(count ? count : 1, size ? size : 1));
}

void *
xrealloc(void *old, size_t size)
{
	return or_die(realloc(old, size ? size : 1));
}

void *
xreallocarray(void *old, size_t count, size_t size)
{
	return or_die(reallocarray(old, count ? count : 1, size ? size : 1));
}

char *
xstrdup(const char *text)
{
	return or_die(strdup(text));
}

char *
xstrndup(const char *text, size_t length)
{
	return or_die(strndup(text, length));
}

char *
xasprintf(const char *format, ...)
{
	va_list arguments;
	char *text;
	int r;

	va_start(arguments, format);
	r = vasprintf(&text, format, arguments);
	va_end(arguments);
	if (r < 0)
		die("out of memory");
	return text;
}

void
freep(void *pointer_to_pointer)
{
	free(*(void **)pointer_to_pointer);
}
