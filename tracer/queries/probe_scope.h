/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the expressions of a probe mean for one of its calls, and the values
 * and keys that are made of them. Beyond what values/scope.h knows there is
 * f(x): what the function f of the same library would return, found without
 * running it (arch/code.h), through the type that f's prototype
 * says. What cannot be had counts as not there.
 */
#ifndef TRACER_QUERIES_PROBE_SCOPE_H
#define TRACER_QUERIES_PROBE_SCOPE_H

#include "base/str.h"
#include "tracer/queries/probes.h"

struct value;

/* At the entry: what acts will ask for at the return is read now, texts that
 * are kept up to most bytes. */
void probe_prepare(struct probed *of, size_t most);

/* The act's condition; true where it has none. */
bool probe_holds(struct probed *of, const struct act *act);
/* The number that expr is, not negative. */
must_check bool probe_count(struct probed *of, const struct expr *expr,
			    uint64_t *ret_count);
/* Some ACT_END of the probe. */
bool probe_ends(struct probed *of);

/* What all keys of a program begin with. */
void probe_key_begin(const struct program *program, struct str *key);
/* The act's table and keys; false where a key cannot be had. */
bool probe_key(struct probed *of, const struct act *act, struct str *key);

/* The text that expr is, of the call's arena. */
bool probe_text(struct probed *of, const struct expr *expr,
		struct handle_text *ret_text);
/* A text as a value; one without bytes is one that cannot be read. */
void probe_text_value(struct probed *of, const struct handle_text *text,
		      struct value *ret_value);

/* The acts of that kind, into outcome, what it points to into arena. */
void probe_result(struct probed *of, const struct act *act, struct arena *arena,
		  struct event_outcome *outcome);
void probe_error(struct probed *of, const struct act *act, struct arena *arena,
		 struct event_outcome *outcome);
void probe_rows(struct probed *of, const struct act *act,
		struct event_outcome *outcome);
/* NULL for NULL. */
const struct value *probe_copy_value(struct arena *arena,
				     const struct value *value);

/* The argument that the act names, or NULL. */
struct argument *probe_argument(struct arguments *arguments,
				const struct act *act);

#endif
