/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * tracer/ decides how a call is displayed: with "caller->" before the name if
 * calls of more modules than the program are traced, and with "@library" after
 * the name if one name is traced in two libraries. The display may be a
 * demangled C++ name that contains -> and @ itself (operator->). Therefore only
 * the parts that the event says were added are removed.
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
