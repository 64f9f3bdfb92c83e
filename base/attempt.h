/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * An attempt runs code that calls a library which does not check for missing
 * memory. libdw of elfutils 0.188 is one: an assertion fails in its
 * dynamicsizehash_concurrent.c, and elsewhere it uses null pointers. What would
 * end xtrace then ends the attempt only:
 * - a failed assertion of a library,
 * - a library's access to the first page of memory (a null pointer),
 * - attempt_fail(), for the handlers that libraries call without memory,
 * - attempt_hurry(), if xtrace must leave and cannot wait for the library.
 * Failed assertions and faults of xtrace's own code, and all other faults, end
 * xtrace (base/die).
 *
 * After a failed attempt, the library's objects that it used must be neither
 * used nor freed, because they may be locked or half changed. The memory of
 * local variables is lost.
 */
#ifndef BASE_ATTEMPT_H
#define BASE_ATTEMPT_H

#include "base/attr.h"

#include <stdbool.h>

/* Runs run(argument). False if it failed. Attempts may be nested; a failure
 * ends the innermost one of the calling thread. */
must_check bool attempt(void (*run)(void *argument), void *argument);

/* Ends the attempt of this thread, which fails. Without an attempt, dies with
 * "out of memory". */
never_returns void attempt_fail(void);

/* For a signal handler: ends the attempt of this thread, if a library works
 * that reads debug information. Otherwise nothing happens, and the caller tries
 * again later. context is the third argument of the handler. */
void attempt_hurry(const void *context);
/* Has attempt_hurry() ended an attempt of this thread? */
must_check bool attempt_hurried(void);

#endif
