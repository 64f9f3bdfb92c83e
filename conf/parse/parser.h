/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the files of the parser share; nobody else includes this.
 *
 *	parser.c	a file, item by item, and how it goes on after an error
 *	item.c		one item: a prototype, a typedef, an import
 *	cursor.c	the place in the tokens, complaining, expecting
 *	specifier.c	"const unsigned long", "struct x", "hex(int)", "MYSQL"
 *	words.c		the words of C that combine to types, and its others
 *	lens_parser.c	what stands in the brackets of a lens
 *	body.c		what stands in the braces of a struct
 *	enum_body.c	... and of an enum
 *	declarator.c	"*name[3]", "(*name)(int)", parameters
 *	decide.c	what a plain "T *" means, once the style is known
 *	attribute.c	what is skipped: attributes, macros, function bodies
 *	expr_parser.c	expressions
 *	names.c		what the names in them turn out to be
 *	probe_parser.c	what only a set has: its description, its probes
 *
 * A function that parses returns 0, with what it parsed in its last argument,
 * or -EINVAL: it has complained and the item is given up. What is wrong but
 * does not keep us from reading on (an unknown type) is complained about and
 * sets item.bad, so that the item is dropped at its end.
 */
#ifndef CONF_PARSE_PARSER_H
#define CONF_PARSE_PARSER_H

#include "base/arena.h"
#include "base/attr.h"
#include "base/map.h"
#include "base/vec.h"
#include "conf/model/expr.h"
#include "conf/model/lens.h"
#include "conf/model/library_parts.h"
#include "conf/model/proto.h"
#include "conf/model/type.h"
#include "conf/parse/complaint.h"
#include "conf/parse/lex.h"
#include "conf/parse/parse.h"

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

/* A name in an expression whose meaning is known only later. */
struct pending {
	struct expr *expr; /* EXPR_NAME, or EXPR_ARG to be checked */
	const struct token *token;
};

/* Is what a pointer points to to be shown? */
enum follow {
	FOLLOW_PLAIN, /* nothing says so */
	FOLLOW_LENS,  /* it has a lens */
	FOLLOW_ASKED, /* "in", "out", "inout", "+" */
};

/* The type of a function while its declaration is being read. */
struct proto_draft {
	struct proto proto;
	struct param *params;	     /* the same as proto.params */
	const struct token **tokens; /* where each began */
	enum follow *follow;
	enum follow follow_return;
	bool decided;
};

/* What is known of the item (or of the type in a lens's brackets) so far. */
struct item {
	const struct token *start;
	bool is_c; /* something in it can only be C; see decide.c */
	bool bad;
	bool shows_params; /* it is a prototype: those of its function matter */
	bool packed;	   /* an attribute */
	bool transparent;  /* __attribute__((transparent_union)) was seen */
	unsigned format;   /* an attribute: this parameter is a format ... */
	bool scans;	   /* ... of scanf */
};

struct parser {
	struct library *library; /* NULL: a condition by itself */
	struct arena *arena;
	struct patterns *patterns; /* NULL: there is no matching of text */
	struct importer *importer;
	struct complaints *complaints;
	const char *file;
	const struct token *tokens;
	size_t at;
	unsigned depth;	   /* of brackets, to bound our own recursion */
	unsigned extern_c; /* extern "C" { that are open */
	unsigned bodies;   /* of structs around the place */
	bool in_callback;  /* these parameters are never shown */
	bool in_probe;	   /* an expression may ask what a function returns */
	bool slash_ends;   /* in flags(): A=1/3 is a value and a mask */
	struct item item;
	vec_of(struct pending) pending;
	vec_of(struct proto_draft *) drafts;
};

#define PARSER_DEPTH 100

/* Most words of a file are none of those they are compared with, and most of
 * those show it in the first letter. */
static inline bool
same_word(const char *a, const char *b)
{
	return a[0] == b[0] && !strcmp(a, b);
}

/* item.c */
must_check int parse_item(struct parser *p);

/* probe_parser.c */
must_check int parse_set(struct parser *p);
must_check int parse_wire(struct parser *p);
must_check int parse_probe(struct parser *p);

/* cursor.c */
const struct token *peek(const struct parser *p);
const struct token *peek_at(const struct parser *p, size_t n);
const struct token *advance(struct parser *p);
bool token_is(const struct token *token, int mark);
bool token_is_word(const struct token *token, const char *word);
bool at_mark(const struct parser *p, int mark);
bool at_word(const struct parser *p, const char *word);
bool accept_mark(struct parser *p, int mark);
bool accept_word(struct parser *p, const char *word);
must_check int expect_mark(struct parser *p, int mark);
/* -EINVAL; "expected WHAT before 'this'". */
int expected(struct parser *p, const char *what);
/* -EINVAL; token says where. Marks the item as bad. */
int complain(struct parser *p, const struct token *token, const char *format,
	     ...) printf_like(3, 4);
must_check int enter(struct parser *p);
void leave(struct parser *p);
/* Behind the bracket that closes the one at hand. */
must_check int skip_brackets(struct parser *p);

/* expr_parser.c, names.c */
must_check int parse_expr(struct parser *p, const struct expr **ret_expr);
/* An expr, or zero, or zero(EXPR). */
must_check int parse_length(struct parser *p, const struct expr **ret_expr);
/* An expr that is known now. */
must_check int parse_constant(struct parser *p, int64_t *ret_value);
/* Notes a name, or argN or eltN, to be looked at again. */
void add_pending(struct parser *p, struct expr *expr,
		 const struct token *token);
/*
 * Gives the names that came since pending.count was first their meaning:
 * the i-th of names is ARG or ELEMENT i + 1. Others stay pending.
 */
void resolve_names(struct parser *p, size_t first, enum expr_kind kind,
		   const char *const *names, size_t count,
		   bool more_may_follow);
/* The same for constants. */
void resolve_constants(struct parser *p, size_t first);
/* Complains about all that came since then. */
void complain_about_names(struct parser *p, size_t first);
/* Without leading underscores: headers write __n and n for the same thing. */
const char *bare_name(const char *name);
/* The names in expr need no meaning: it is not used. */
void forget_names(struct parser *p, const struct expr *expr);

/* specifier.c */
struct specifier {
	const struct type *type;
	bool has_lens; /* a lens was written */
	bool is_const;
	bool is_extern;
	bool declares; /* a struct, union or enum: may stand alone */
};
must_check int parse_specifier(struct parser *p, struct specifier *ret_spec);
/* Can this token begin a type? */
bool begins_type(const struct parser *p, const struct token *token);
/* A struct that nobody has declared and that is used by address only. */
const struct type *unknown_struct(struct parser *p, const char *name);
/* A macro that says nothing, between a type and a name or '*'. */
bool at_trailing_macro(const struct parser *p);
/* The declarator behind a specifier, with its bits; decided. */
must_check int parse_field(struct parser *p, const struct specifier *spec,
			   bool is_c, enum follow asked,
			   struct type_field *ret_field);
/* A type with perhaps a name and bits, in the brackets of a lens. */
must_check int parse_inner_type(struct parser *p, struct type_field *ret_field);

/* words.c */
/* A word that C keeps for itself. */
bool is_keyword(const char *word);
/* "unsigned", "complex" ...: words that combine; basic is what came before. */
bool at_basic(const struct parser *p, unsigned basic);
/* Adds the word at token to basic. */
must_check int add_basic(struct parser *p, const struct token *token,
			 unsigned *basic);
must_check int basic_type(struct parser *p, const struct token *token,
			  unsigned basic, const struct type **ret_type);

/* lens_parser.c */
/* Does this name begin a lens here? "flags(" does, "flags" alone does not. */
bool begins_lens(const struct token *token);
/* "(" or "[" follows: whatever types a file may have, it is the lens. */
bool lens_takes_bracket(const struct token *token);
must_check int parse_lens(struct parser *p, const struct type **ret_type);
const struct type *through_lens(struct parser *p, enum lens_kind kind,
				const struct type *type);
const struct type *text_type(struct parser *p, enum lens_kind kind,
			     const struct type *character,
			     const struct expr *length, bool stops_at_nul);

/* body.c, enum_body.c */
must_check int parse_struct(struct parser *p, struct specifier *ret_spec);
must_check int parse_enum(struct parser *p, struct specifier *ret_spec);

/* declarator.c */
struct declarator {
	const struct type *type;
	const char *name; /* NULL: abstract */
	const struct token *token;
};
must_check int parse_declarator(struct parser *p, const struct type *base,
				struct declarator *ret_declarator);
/* The names since then may be those of parameters, where type is a function or
 * points to one: they are in what it returns. */
void resolve_result_names(struct parser *p, const struct type *type,
			  size_t first_pending);
/* The same of one of several declarators behind a specifier. */
void resolve_declared_names(struct parser *p,
			    const struct declarator *declarator,
			    size_t first_pending, bool is_first);
must_check int make_pointer(struct parser *p, const struct type *to,
			    struct type **ret_type);
must_check int make_array(struct parser *p, const struct type *of,
			  const struct expr *length, struct type **ret_type);
/* "in", "out", "inout" or "+"; *ret_follow says whether there was one. */
enum param_when parse_direction(struct parser *p, enum follow *ret_follow);
/* What was asked for, or else what the specifier says. */
enum follow follow_of(enum follow asked, const struct specifier *spec);

/* decide.c */
extern const struct lens undecided;
enum decide_as { DECIDE_PARAM, DECIDE_VALUE };
const struct type *decide_type(struct parser *p, const struct type *type,
			       enum decide_as as, bool is_c,
			       enum follow follow);
void decide_proto(struct parser *p, struct proto_draft *draft, bool is_c);
void decide_drafts(struct parser *p);
/* A decided function that is being declared: its types must have a size. The
 * parameters are where the draft says, or all at token. */
void check_function(struct parser *p, struct proto_draft *draft,
		    const struct token *token);

/* Complains about what is no value: "a field" of type void, for one. */
void check_complete(struct parser *p, const struct type *type,
		    const struct token *token, const char *what);

/* attribute.c */
/* Passes what says nothing to us at this place: attributes, qualifiers. */
must_check int skip_attributes(struct parser *p);
/* "volatile", "inline", ... */
bool is_idle_word(const char *word);
/* One of those, or "__attribute__" and the like. */
bool is_attribute(const struct token *token);
/* A name without small letters, which may be a macro that says nothing. */
bool looks_like_macro(const struct token *token);
/*
 * What may follow a function: asm(), noexcept, macros, a body, a note.
 * *ret_body is true where it was a body, after which no ';' is to come.
 */
must_check int skip_trailer(struct parser *p, bool *ret_body);
/* At the start of a line, as far left as the item itself: the next item. */
bool ends_item(const struct parser *p);
/* Passes the rest of a line that reads like a note, not like an item. */
void skip_note(struct parser *p);

#endif
