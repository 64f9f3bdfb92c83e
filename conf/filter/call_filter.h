/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A filter of system calls, the argument of -S: a filter in which %class means
 * the names of all calls of the class, and in which each name must be that of a
 * system call.
 */
#ifndef CONF_FILTER_CALL_FILTER_H
#define CONF_FILTER_CALL_FILTER_H

#include "base/attr.h"
#include "base/err.h"
#include "conf/filter/filter.h"

#include <stddef.h>

struct call_class {
	const char *name;
	const char *calls; /* the names of its calls, separated by commas */
};

/* What a filter of system calls can name. */
struct call_names {
	const struct call_class *classes;
	size_t class_count;
	/* The numbers of system calls are below count(); name() gives NULL for
	 * a number that no call has. */
	long (*count)(void);
	const char *(*name)(long number);
	/* What has these calls, for messages: "i386"; NULL: this machine. */
	const char *of;
	/* A class may name calls that do not exist. */
	bool classes_name_more;
};

/*
 * Parses text. A name of the form syscall_NUMBER or compat_... is accepted,
 * because calls that xtrace does not know are shown by such names. Returns
 * -EINVAL with one sentence in err, and the place in text in *ret_column (from
 * 0), if text is no filter, or if a class or a name does not exist.
 */
must_check int call_filter_parse(const char *text,
				 const struct call_names *names,
				 struct filter **ret_filter, size_t *ret_column,
				 struct err *err);

#endif
