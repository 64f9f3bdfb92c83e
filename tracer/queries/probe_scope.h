/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the expressions of a probe mean for one call, and the values and keys
 * that are made of them. Besides what values/scope.h knows there is f(x): the
 * result that function f of the same library would return. It is found without
 * running f (arch/code.h), and its type is the result of f's prototype. A value
 * that cannot be found is treated as missing.
 */
#ifndef TRACER_QUERIES_PROBE_SCOPE_H
#define TRACER_QUERIES_PROBE_SCOPE_H

#include "base/str.h"
#include "tracer/queries/probes.h"

struct expr_value;
struct statement;
struct value;

/* At the entry: reads what acts will need at the return. At most `most` bytes
 * of a text are kept. */
void probe_prepare(struct probed *of, size_t most);

/* Does the act's condition hold? True if it has none. */
bool probe_holds(struct probed *of, const struct act *act);
/* Stores the value of expr. Returns false if it is no number, or is
 * negative. */
must_check bool probe_count(struct probed *of, const struct expr *expr,
			    uint64_t *ret_count);
/* Does the condition of an ACT_END of the probe hold? */
bool probe_ends(struct probed *of);

/* Adds what all keys of a program begin with. */
void probe_key_begin(const struct program *program, struct str *key);
/* Stores the act's table and keys; returns false if a key cannot be read. */
bool probe_key(struct probed *of, const struct act *act, struct str *key);

/* Stores which prepared statement the act's last key names: by its text, and by
 * the address that the function got. Returns false if it cannot be read. */
bool probe_statement(struct probed *of, const struct act *act,
		     struct statement *ret_statement);

/* Stores the text that expr names, in the call's arena. */
bool probe_text(struct probed *of, const struct expr *expr,
		struct handle_text *ret_text);
/* Makes a value of a text; a text without bytes cannot be read. */
void probe_text_value(struct probed *of, const struct handle_text *text,
		      struct value *ret_value);

/* Stores the value of expr; if it is a text, the text is in the call's arena.
 * False if expr has no value. */
must_check bool probe_value(struct probed *of, const struct expr *expr,
			    struct expr_value *ret_value);
/* Stores what function(number) would return; false if that cannot be found. */
must_check bool probe_call(struct probed *of, const char *function,
			   uint64_t number, int64_t *ret_value);

/* The arguments of the call. The memory to which they point is read as it is
 * now, and not as it was at the entry. */
struct arguments *probe_arguments_now(struct probed *of);
/* Adds what this call tells of the outcome: result, error and rows. Texts are
 * stored in arena. */
void probe_outcome(struct probed *of, struct arena *arena,
		   struct event_outcome *outcome);
/* Copies the value and its bytes into the arena. Returns NULL if value is
 * NULL. */
const struct value *probe_copy_value(struct arena *arena,
				     const struct value *value);

/* Returns the argument that the act names, or NULL. */
struct argument *probe_argument(struct arguments *arguments,
				const struct act *act);

#endif
