/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the files of the parser share; no other file includes this.
 *
 *	parser.c	a file, item by item, also after an error
 *	deferred.c	items that are parsed when a name is looked up
 *	skim.c		where an item ends, and which names it may define
 *	item.c		one item: a prototype, a typedef, an import
 *	cursor.c	the place in the tokens, complaining, expecting
 *	specifier.c	"const unsigned long", "struct x", "hex(int)", "MYSQL"
 *	words.c		C's words for types, and its other words
 *	lens_parser.c	a lens and its brackets
 *	body.c		the braces of a struct
 *	enum_body.c	the braces of an enum
 *	declarator.c	"*name[3]", "(*name)(int)", parameters
 *	decide.c	what a plain "T *" means, once the style is known
 *	attribute.c	what is skipped: attributes, macros, function bodies
 *	expr_parser.c	expressions
 *	names.c		what the names in expressions mean
 *	probe_parser.c	what only a set has: its description, its probes
 *
 * A function that parses returns 0, with the result in its last argument, or
 * -EINVAL if it has complained and the item is given up. A mistake that does
 * not prevent further parsing (an unknown type) is complained about and sets
 * item.bad, so that the item is dropped at its end.
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

/* A name in an expression whose meaning is known later. */
struct pending {
	struct expr *expr; /* EXPR_NAME, or EXPR_ARG to be checked */
	const struct token *token;
};

/* Whether the target of a pointer is shown. */
enum follow {
	FOLLOW_PLAIN, /* the declaration does not say */
	FOLLOW_LENS,  /* the pointer has a lens */
	FOLLOW_ASKED, /* "in", "out", "inout", "+" */
};

/* The type of a function while its declaration is parsed. */
struct proto_draft {
	struct proto proto;
	struct param *params;	     /* the same array as proto.params */
	const struct token **tokens; /* the first token of each parameter */
	enum follow *follow;
	enum follow follow_return;
	bool decided;
};

/* What is known so far of the item (or of the type in a lens's brackets). */
struct item {
	const struct token *start;
	bool is_c; /* contains something that only C has; see decide.c */
	bool bad;
	bool shows_params; /* a prototype: its parameters will be shown */
	bool packed;	   /* an attribute */
	bool transparent;  /* __attribute__((transparent_union)) was seen */
	unsigned format;   /* number of the parameter that is a format, or 0 */
	bool scans;	   /* the format is one of scanf */
	bool fastcall;	   /* an attribute */
	unsigned char regparm; /* the number in the attribute, or 0 */
};

struct parser {
	struct library *library; /* NULL: an expression alone */
	struct arena *arena;
	struct patterns *patterns; /* NULL: text cannot be matched here */
	struct importer *importer;
	struct complaints *complaints;
	const char *file;
	const struct token *tokens;
	size_t at;
	/* depth of brackets, limited because the parser recurses */
	unsigned depth;
	unsigned extern_c; /* extern "C" { that are open */
	unsigned bodies;   /* enclosing structs */
	bool in_callback;  /* parameters of a function pointer: never shown */
	bool in_probe;	   /* an expression may contain calls */
	bool slash_ends;   /* in flags(): A=1/3 is a value and a mask */
	struct item item;
	vec_of(struct pending) pending;
	vec_of(struct proto_draft *) drafts;
};

#define PARSER_DEPTH 100

/* The size of an address in the programs for which the file is parsed. */
static inline unsigned
parser_word(const struct parser *p)
{
	return p->library ? p->library->word : TYPE_WORD;
}

/* Compares the first letters inline, because most comparisons fail there. */
static inline bool
same_word(const char *a, const char *b)
{
	return a[0] == b[0] && !strcmp(a, b);
}

/* The file to which a source belongs. */
struct whole_file {
	const char *text; /* text of the file, for the lines in complaints */
	size_t length;
	struct importer *importer;
	struct complaints *complaints;
	bool hushed; /* complaints may not show the text */
};

/* Defined in parser.c: */
struct library *library_new(const char *file, const struct importer *importer);
/* Adds the items of a source, which may be a part of the file. */
void parse_source(struct library *library, const struct lex_source *source,
		  const struct whole_file *whole);

/* Defined in item.c: */
must_check int parse_item(struct parser *p);

/* Defined in probe_parser.c: */
must_check int parse_set(struct parser *p);
must_check int parse_set_word(struct parser *p);
must_check int parse_probe(struct parser *p);

/* Defined in cursor.c: */
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
/* Complains "expected WHAT before 'this'" and returns -EINVAL. */
int expected(struct parser *p, const char *what);
/* Complains about token, marks the item as bad, and returns -EINVAL. */
int complain(struct parser *p, const struct token *token, const char *format,
	     ...) printf_like(3, 4);
must_check int enter(struct parser *p);
void leave(struct parser *p);
/* Skips to after the bracket that closes the present one. */
must_check int skip_brackets(struct parser *p);

/* Defined in expr_parser.c and names.c: */
must_check int parse_expr(struct parser *p, const struct expr **ret_expr);
/* Parses an expr, zero, or zero(EXPR). */
must_check int parse_length(struct parser *p, const struct expr **ret_expr);
/* Parses an expr whose value is known now. */
must_check int parse_constant(struct parser *p, int64_t *ret_value);
/* Adds a name, or argN or eltN, to the pending ones. */
void add_pending(struct parser *p, struct expr *expr,
		 const struct token *token);
/*
 * Resolves the names that were added after pending.count was first: the i-th of
 * names is ARG or ELEMENT i + 1. Other names stay pending.
 */
void resolve_names(struct parser *p, size_t first, enum expr_kind kind,
		   const char *const *names, size_t count,
		   bool more_may_follow);
/* Like resolve_names(), for constants. */
void resolve_constants(struct parser *p, size_t first);
/* Complains about all names that were added after pending.count was first. */
void complain_about_names(struct parser *p, size_t first);
/* The name without leading underscores: headers use both __n and n for the same
 * thing. */
const char *bare_name(const char *name);
/* Removes the names in expr from the pending ones, because expr is not used. */
void forget_names(struct parser *p, const struct expr *expr);

/* Defined in specifier.c: */
struct specifier {
	const struct type *type;
	bool has_lens; /* a lens was written */
	bool is_const;
	bool is_extern;
	bool declares; /* a struct, union or enum: needs no declarator */
};
must_check int parse_specifier(struct parser *p, struct specifier *ret_spec);
/* True if this token can begin a type. */
bool begins_type(const struct parser *p, const struct token *token);
/* An undeclared struct that is only used by address. */
const struct type *unknown_struct(struct parser *p, const char *name);
/* True at a macro without meaning between a type and a name or '*'. */
bool at_trailing_macro(const struct parser *p);
/* Parses the declarator after a specifier, with its bits, and decides its
 * pointers and arrays (decide.c). */
must_check int parse_field(struct parser *p, const struct specifier *spec,
			   bool is_c, enum follow asked,
			   struct type_field *ret_field);
/* Parses a type, with an optional name and bits, in the brackets of a lens. */
must_check int parse_inner_type(struct parser *p, struct type_field *ret_field);

/* Defined in words.c: */
/* True for a word that C reserves. */
bool is_keyword(const char *word);
/* True at "unsigned", "complex" ...: words that form a type together. basic has
 * the earlier words. */
bool at_basic(const struct parser *p, unsigned basic);
/* Adds the word at token to basic. */
must_check int add_basic(struct parser *p, const struct token *token,
			 unsigned *basic);
must_check int basic_type(struct parser *p, const struct token *token,
			  unsigned basic, const struct type **ret_type);

/* Defined in lens_parser.c: */
/* True if this name begins a lens here: "flags(" does, "flags" alone does
 * not. */
bool begins_lens(const struct token *token);
/* True if "(" or "[" follows. Then the name is the lens, even if the file has a
 * type of this name. */
bool lens_takes_bracket(const struct token *token);
must_check int parse_lens(struct parser *p, const struct type **ret_type);
const struct type *through_lens(struct parser *p, enum lens_kind kind,
				const struct type *type);
const struct type *text_type(struct parser *p, enum lens_kind kind,
			     const struct type *character,
			     const struct expr *length, bool stops_at_nul);

/* Defined in body.c and enum_body.c: */
must_check int parse_struct(struct parser *p, struct specifier *ret_spec);
must_check int parse_enum(struct parser *p, struct specifier *ret_spec);

/* Defined in declarator.c: */
struct declarator {
	const struct type *type;
	const char *name; /* NULL: abstract */
	const struct token *token;
};
must_check int parse_declarator(struct parser *p, const struct type *base,
				struct declarator *ret_declarator);
/*
 * The names that were added after pending.count was first_pending may be
 * parameters if type is a function or a pointer to one, because they are in its
 * result.
 */
void resolve_result_names(struct parser *p, const struct type *type,
			  size_t first_pending);
/* Like resolve_result_names(), for one of several declarators of a
 * specifier. */
void resolve_declared_names(struct parser *p,
			    const struct declarator *declarator,
			    size_t first_pending, bool is_first);
must_check int make_pointer(struct parser *p, const struct type *to,
			    struct type **ret_type);
must_check int make_array(struct parser *p, const struct type *of,
			  const struct expr *length, struct type **ret_type);
/* Parses "in", "out", "inout" or "+". *ret_follow tells whether there was
 * one. */
enum param_when parse_direction(struct parser *p, enum follow *ret_follow);
/* Whether the target of a pointer is shown: as the parameter's direction asks
 * ("in", "out", "+"), or as the specifier implies if there is no direction. */
enum follow follow_of(enum follow asked, const struct specifier *spec);

/* Defined in decide.c: */
extern const struct lens undecided;
enum decide_as { DECIDE_PARAM, DECIDE_VALUE };
const struct type *decide_type(struct parser *p, const struct type *type,
			       enum decide_as as, bool is_c,
			       enum follow follow);
void decide_proto(struct parser *p, struct proto_draft *draft, bool is_c);
void decide_drafts(struct parser *p);
/*
 * Checks that the types of a declared function have a size. Complaints about a
 * parameter point at its token in the draft, or all at token if it is not NULL.
 */
void check_function(struct parser *p, struct proto_draft *draft,
		    const struct token *token);

/* Complains if type is not the type of a value, for example "a field" of type
 * void. */
void check_complete(struct parser *p, const struct type *type,
		    const struct token *token, const char *what);

/* Defined in attribute.c: */
/* Skips words without meaning here: attributes, qualifiers. */
must_check int skip_attributes(struct parser *p);
/* True for "volatile", "inline", ... */
bool is_idle_word(const char *word);
/* True for words that this room ignores, for example "__attribute__". */
bool is_attribute(const struct token *token);
/* True for a name without small letters, which may be a macro without
 * meaning. */
bool looks_like_macro(const struct token *token);
/*
 * Skips what may follow a function: asm(), noexcept, macros, a body, a note.
 * *ret_body is true if there was a body, after which no ';' is expected.
 */
must_check int skip_trailer(struct parser *p, bool *ret_body);
/* True at the start of a line that begins as far left as the item: the next
 * item. */
bool ends_item(const struct parser *p);
/* Skips the rest of a line if it looks like a note and not like an item. */
void skip_note(struct parser *p);

#endif
