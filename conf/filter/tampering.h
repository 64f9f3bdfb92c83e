/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A tampering says which calls are changed, and how (--inject). It is written
 * in strace's language:
 *
 *	FILTER:retval=NUMBER:error=EIO:delay=10ms:when=FIRST..LAST+STEP
 *
 * Each part may be missing, but there is a result, an error or a delay. when=3
 * is the third call, 3+ all from there on, 3..5 these three, 3+2 the third, the
 * fifth, and so on; without it all calls are changed.
 */
#ifndef CONF_FILTER_TAMPERING_H
#define CONF_FILTER_TAMPERING_H

#include "base/attr.h"
#include "base/err.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct filter;

struct tampering {
	char *text;  /* as the user has written it */
	char *names; /* the filter's text */
	/* The calls to change. NULL after tampering_parse() if they are system
	 * calls: then the caller parses `names`, which may have classes, and
	 * stores the filter. */
	struct filter *filter;
	bool has_result; /* the call is not made, and has this result */
	int64_t result;
	int error;		    /* errno; 0: it is not changed */
	uint64_t delay;		    /* ns */
	uint64_t first, last, step; /* which calls; the first is 1 */
	uint64_t seen;		    /* calls so far, see tampering_takes() */
};

/*
 * Parses text. On error, returns -EINVAL with one sentence in err, and the
 * place in text in *ret_column (from 0).
 */
must_check int tampering_parse(const char *text,
			       struct tampering **ret_tampering,
			       size_t *ret_column, struct err *err);
void tampering_free(struct tampering *tampering);

/* True if the tampering changes system calls, false if it changes calls of
 * functions. */
bool tampering_of_system_calls(const struct tampering *tampering);

/* Counts one more call that the filter chooses. Is it one of the calls that are
 * changed? */
bool tampering_takes(struct tampering *tampering);

#endif
