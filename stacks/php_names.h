/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The address of a function of PHP, or of an extension, that has no symbol:
 * "pg_query", "PDOStatement::execute". PHP finds it by name in two tables, and
 * so does xtrace.
 */
#ifndef STACKS_PHP_NAMES_H
#define STACKS_PHP_NAMES_H

#include "base/addr.h"
#include "base/attr.h"
#include "base/reader.h"

#include <stdbool.h>

/*
 * A PHP interpreter, and a function that tells which addresses in its process
 * are code.
 */
struct php_names {
	struct reader *memory;
	addr_t globals;	 /* executor_globals */
	addr_t registry; /* module_registry */
	bool (*is_code)(void *user, addr_t address);
	void *user;
};

/*
 * Finds the address of the function with this name. Returns 0 and the address;
 * -EAGAIN if the tables have not been filled yet; -ENOENT if no table has the
 * name; -ENOTSUP for a PHP that is built for threads, or of an unknown version.
 */
must_check int php_names_find(const struct php_names *names, const char *name,
			      addr_t *ret_address);

#endif
