/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Where the code is of a function that PHP, or an extension of it, brings
 * along and that has no symbol: "pg_query", "PDOStatement::execute". PHP finds
 * it by name in two tables of its own, and so do we.
 */
#ifndef STACKS_PHP_NAMES_H
#define STACKS_PHP_NAMES_H

#include "base/addr.h"
#include "base/attr.h"
#include "base/reader.h"

#include <stdbool.h>

/* One PHP, and who knows what is code in the process that runs it. */
struct php_names {
	struct reader *memory;
	addr_t globals;	 /* executor_globals */
	addr_t registry; /* module_registry */
	bool (*is_code)(void *user, addr_t address);
	void *user;
};

/*
 * 0 and the address; -EAGAIN where the tables have not been filled yet;
 * -ENOENT where it is in none of them; -ENOTSUP for a PHP that is made for
 * threads, or of a version whose tables are not known.
 */
must_check int php_names_find(const struct php_names *names, const char *name,
			      addr_t *ret_address);

#endif
