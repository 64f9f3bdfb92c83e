/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A failure goes back into attempt() with siglongjmp(3), also from a signal
 * handler on its separate stack, which Linux allows (sigaltstack(2)).
 *
 * assert(3) calls __assert_fail() (Linux Standard Base Core 5.0,
 * "__assert_fail"). The definition here replaces glibc's, for libraries too. It
 * allocates nothing, while glibc's prints "Unexpected error." if it has no
 * memory for its message.
 */
#include "base/attempt.h"

#include "base/die.h"

#include <assert.h>
#include <setjmp.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#define FIRST_PAGE 4096u

static _Thread_local sigjmp_buf *innermost;

static void
catch_fault(uintptr_t address, uintptr_t pc)
{
	if (innermost && address < FIRST_PAGE && !die_is_own_code(pc))
		siglongjmp(*innermost, 1);
}

bool
attempt(void (*run)(void *argument), void *argument)
{
	sigjmp_buf *const outer = innermost;
	sigjmp_buf back;

	/* The second argument makes sigsetjmp(3) save the mask, because a
	 * signal handler has a mask of its own. */
	if (sigsetjmp(back, 1)) {
		innermost = outer;
		return false;
	}
	die_catch_by(catch_fault);
	innermost = &back;
	run(argument);
	innermost = outer;
	return true;
}

void
attempt_fail(void)
{
	if (innermost)
		siglongjmp(*innermost, 1);
	die("out of memory");
}

void
__assert_fail(const char *expression, const char *file, unsigned line,
	      const char *function)
{
	char text[512];

	if (innermost &&
	    !die_is_own_code((uintptr_t)__builtin_return_address(0)))
		siglongjmp(*innermost, 1);
	snprintf(text, sizeof(text),
		 "xtrace: %s:%u: %s: Assertion `%s' failed.\n", file, line,
		 function, expression);
	die_say(text);
	abort();
}
