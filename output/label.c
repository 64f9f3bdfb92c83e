/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The roof decides how a call is displayed: "caller->" before the name where
 * more modules than the program are asked for, "@library" behind it where one
 * name is traced in two. A display may be a demangled C++ name, which may
 * hold -> and @ of its own (operator->), so what is taken off is only what
 * the event itself says was put on.
 */
#include "output/label.h"

#include <string.h>

const char *
label_of(const struct event_call *call)
{
	size_t length = call->caller ? strlen(call->caller) : 0;
	const char *display = call->display;

	if (length > 0 && strncmp(display, call->caller, length) == 0 &&
	    strncmp(display + length, "->", 2) == 0)
		return display + length + 2;
	return display;
}

size_t
label_plain_length(const struct event_call *call, const char *label)
{
	size_t length = strlen(label);
	size_t module = call->module ? strlen(call->module) : 0;

	if (module > 0 && length > module + 1 &&
	    label[length - module - 1] == '@' &&
	    strcmp(label + length - module, call->module) == 0)
		return length - module - 1;
	return length;
}
