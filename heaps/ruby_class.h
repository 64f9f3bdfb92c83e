/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Classes of Ruby 3.1 and their names. */
#ifndef HEAPS_RUBY_CLASS_H
#define HEAPS_RUBY_CLASS_H

#include "base/addr.h"
#include "base/attr.h"
#include "base/reader.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { RUBY_CLASS_NAME_MOST = 256 };

struct ruby_classes {
	struct reader *memory;
	uint64_t name_key; /* key of the name in the table of a class */
};

/* object_class is Object. Returns 0 or -EIO: its name is not found. */
must_check int ruby_classes_init(struct ruby_classes *classes,
				 struct reader *memory, addr_t object_class);

/* The class as the program knows it: not an object's own class (singleton), and
 * no module that was included. 0 if it is no class. */
addr_t ruby_class_real(struct ruby_classes *classes, addr_t class);

/* Writes the name, which an anonymous class gets from its address. */
void ruby_class_name(struct ruby_classes *classes, addr_t class, char *to,
		     size_t room);

/* The address of the word in which a class, or an included module, refers to
 * the string of its name; 0 if it has none. The string is not read. */
addr_t ruby_class_name_at(const struct ruby_classes *classes, addr_t class);

#endif
