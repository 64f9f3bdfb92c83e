/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * RubyVM::FrozenCore, an object of Ruby whose hidden methods run for `alias`,
 * `undef` and some other statements. Ruby 3.1 frees the string of its name at
 * the first garbage collection, and reads it at each of these calls while the
 * probes of methods in C are wanted. This can kill the program. So xtrace
 * removes the reference to the string.
 */
#ifndef TRACER_PLAN_RUBY_CORE_H
#define TRACER_PLAN_RUBY_CORE_H

#include "tracer/model/session.h"

struct sdt;

/* For a probe of Ruby 3.1: stores in *point the addresses of two variables of
 * Ruby. Does nothing for other probes. */
void ruby_core_locate(const struct program *program,
		      const struct module *module, const struct sdt *sdt,
		      struct sdt_point *point);

/*
 * Removes the reference, if ruby_core_locate() has found the variables and
 * FrozenCore exists. This is called before a semaphore is counted up. It is
 * also called at hits, because a program that xtrace starts makes FrozenCore
 * only after the semaphore was counted up.
 */
void ruby_core_mend(struct program *program, const struct sdt_point *point);

/* Returns the name of the class that a probe has told. If Ruby has made up this
 * name for FrozenCore, returns "RubyVM::FrozenCore" instead. */
const char *ruby_core_class(const struct program *program, const char *name);

#endif
