/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which prototype applies to a function: the places of prototype files (see
 * conf/find/search.h), and the messages about errors in them. The prototype of
 * the library that defines the function comes first. The prototypes of libc and
 * libm also apply to other libraries that define functions of the same names
 * (an allocator, an emulation).
 */
#ifndef TRACER_PLAN_PROTOTYPES_H
#define TRACER_PLAN_PROTOTYPES_H

#include "tracer/options/options.h"
#include "conf/find/trust.h"

struct library;
struct out;
struct proto;
struct prototypes;
struct str;
struct type;

/*
 * Reads the files that apply to every library and prints what is wrong with
 * them on stderr. Files that are read later, when first needed, are treated in
 * the same way. word: the size of an address in the programs that are traced.
 * Returns -errno and a message for a -F that cannot be read.
 */
must_check int prototypes_new(const struct options *options, unsigned word,
			      struct prototypes **ret_prototypes,
			      struct err *err);
void prototypes_free(struct prototypes *prototypes);

/*
 * In ltrace's style, messages about errors are lines of the trace, "FILE:LINE:
 * error: ...". They wait until this is called with the place of the lines, or
 * with NULL: then they are printed on stderr.
 */
void prototypes_complain_to(struct prototypes *prototypes, struct out *out);

/*
 * module is the label of the defining library, or NULL if it is not known: then
 * the files of all libraries are searched. Returns NULL if no file has a
 * prototype.
 */
const struct proto *prototypes_find(struct prototypes *prototypes,
				    const char *name, const char *module);

/* The prototype of a system call: in syscalls.conf of a folder; or NULL. */
const struct proto *prototypes_find_system_call(struct prototypes *prototypes,
						const char *name);

/* The prototype of an SDT probe: in probes/PROVIDER.conf, or in a file that
 * applies to every library; or NULL. */
const struct proto *prototypes_find_sdt(struct prototypes *prototypes,
					const char *provider, const char *name);

/* Reads the file with the prototypes of this provider's SDT probes. */
void prototypes_expect_sdt(struct prototypes *prototypes, const char *provider);

/* True if the prototype is of a file that was installed with xtrace. */
bool prototypes_installed(const struct prototypes *prototypes,
			  const struct proto *proto);
/* The type of this name that one of the user's own files defines, or NULL. */
const struct type *prototypes_users_type(const struct prototypes *prototypes,
					 const char *name);

/*
 * The function will be looked up: reads files for its module until one has its
 * prototype. If name is NULL, all files of the module are read. If module is
 * NULL, too, the files of all modules are read.
 */
void prototypes_expect(struct prototypes *prototypes, const char *name,
		       const char *module);

/* The files that have been read, for a *cursor that starts at 0; NULL after the
 * last. */
const struct library *prototypes_next_read(const struct prototypes *prototypes,
					   size_t *cursor);

/* Reads a file that is in none of the places of prototype files, such as a set.
 * Returns -errno and a message if it cannot be read. Errors in the file are
 * printed. */
must_check int prototypes_read(struct prototypes *prototypes, const char *path,
			       enum trust trust,
			       const struct library **ret_library,
			       struct err *err);

/*
 * Adds "FILE:LINE: PROTOTYPE" for the prototype of NAME@LIBRARY that applies.
 * It may be in a file that applies to every library. If NAME has no library,
 * adds one line for each library that has a prototype. Returns -ENOENT and a
 * sentence if there is no prototype.
 */
must_check int prototypes_add_shown(struct prototypes *prototypes,
				    const char *name, struct str *to,
				    struct err *err);

/* --check-config: returns the exit status. */
int prototypes_check(const struct options *options);

#endif
