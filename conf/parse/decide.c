/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What "T *" means depends on the language. In ltrace's language it is a
 * pointer whose T is shown. In a C header it may be that, or a handle, or a
 * buffer that the function fills, and nothing tells which. Therefore
 *
 *	in C			const char *	is a string
 *				char *		is one as a result or in a
 *						struct; as a parameter it may
 *						be a buffer: an address
 *				T *, T name[]	is an address
 *	if annotated		is followed: "in T *", "out T *", "+T *", and
 *				if T has a lens, as in hex(int) *
 *	in ltrace's language	is followed
 *
 * A declaration is C if something in it can only be C: a name for a parameter,
 * const, a tag, two words for one type, a C typedef, "(void)", "...", or a '['
 * or '(' that belongs to a declarator. This is known only at its end. Therefore
 * declarators mark pointers and arrays as undecided, and this file decides. The
 * type in the brackets of a lens is decided separately.
 */
#include "conf/parse/parser.h"

#include <errno.h>
#include <string.h>

const struct lens undecided = { .kind = LENS_KINDS };

static const struct type *
without_lens(struct parser *p, const struct type *type)
{
	struct type *copy = type_copy(p->arena, type);

	copy->lens = NULL;
	return copy;
}

static const struct type *
decide_pointer(struct parser *p, const struct type *type, enum decide_as as,
	       bool is_c, enum follow follow)
{
	struct type *copy = type_copy(p->arena, type);

	copy->lens = NULL;
	if (is_c && type_is_character(type->to)) {
		if (follow || type->to->is_const || as == DECIDE_VALUE)
			return text_type(p, LENS_STRING, type->to, NULL, true);
		return through_lens(p, LENS_ADDRESS, copy);
	}
	copy->to = decide_type(p, type->to, DECIDE_VALUE, is_c, FOLLOW_PLAIN);
	/* Pointers to void and to functions cannot be followed. A pointer to an
	 * undefined struct may be, if the file defines the struct later. */
	if (type->to->kind == TYPE_VOID || type->to->kind == TYPE_FUNCTION)
		return copy;
	if (is_c && !follow)
		return through_lens(p, LENS_ADDRESS, copy);
	return copy;
}

/* Decides how an array is shown that is a field, an element of another array,
 * or the target of a pointer. */
static const struct type *
decide_array(struct parser *p, const struct type *type, bool is_c)
{
	struct type *copy = type_copy(p->arena, type);

	copy->lens = NULL;
	copy->to = decide_type(p, type->to, DECIDE_VALUE, is_c, FOLLOW_PLAIN);
	if (is_c && type_is_character(copy->to)) {
		struct lens *lens = arena_zalloc(p->arena, sizeof(*lens));

		lens->kind = LENS_STRING;
		lens->stops_at_nul = true;
		copy->lens = lens;
	}
	return copy;
}

/* "T name[LENGTH]" as a parameter is a pointer (C11 6.7.6.3). */
static const struct type *
decide_c_array(struct parser *p, const struct type *type, enum follow follow)
{
	const struct type *to = type->to;

	if (type_is_character(to) && (follow || to->is_const)) {
		if (!follow)
			forget_names(p, type->length);
		return text_type(p, LENS_STRING, to,
				 follow ? type->length : NULL, true);
	}
	if (follow)
		return type_pointer_of(p->arena, parser_word(p),
				       decide_array(p, type, true));
	forget_names(p, type->length);
	to = decide_type(p, to, DECIDE_VALUE, true, FOLLOW_PLAIN);
	return through_lens(p, LENS_ADDRESS,
			    type_pointer_of(p->arena, parser_word(p), to));
}

/* An array without brackets of a declarator: array(T, N), or a typedef. */
static const struct type *
decide_param_array(struct parser *p, const struct type *type, bool follow)
{
	const struct lens *lens = type->lens;
	const struct expr *length = type->length;
	const struct type *pointer =
		type_pointer_of(p->arena, parser_word(p), type);

	if (lens && lens_is_text(lens->kind)) {
		if (length && length->kind == EXPR_ZERO)
			length = length->left;
		return text_type(p, lens->kind, type->to, length,
				 lens->stops_at_nul);
	}
	return follow ? pointer : through_lens(p, LENS_ADDRESS, pointer);
}

const struct type *
decide_type(struct parser *p, const struct type *type, enum decide_as as,
	    bool is_c, enum follow follow)
{
	bool open = type->lens == &undecided;

	if (type->kind == TYPE_FUNCTION && as == DECIDE_PARAM)
		return type_pointer_of(p->arena, parser_word(p), type);
	if (type->kind == TYPE_ARRAY && as == DECIDE_PARAM)
		return open ? decide_c_array(p, type, follow)
			    : decide_param_array(p, type, follow || !is_c);
	if (open)
		return type->kind == TYPE_ARRAY
			       ? decide_array(p, type, is_c)
			       : decide_pointer(p, type, as, is_c, follow);
	/* "out handle *", where handle is a typedef for an address */
	if (follow == FOLLOW_ASKED && type->kind == TYPE_POINTER &&
	    type->lens && type->lens->kind == LENS_ADDRESS &&
	    type_complete(type->to))
		return without_lens(p, type);
	return type;
}

void
check_complete(struct parser *p, const struct type *type,
	       const struct token *token, const char *what)
{
	if (type_complete(type))
		return;
	while (type->kind == TYPE_ARRAY)
		type = type->to;
	if (type->kind == TYPE_VOID)
		complain(p, token, "%s cannot be void", what);
	else if (type->kind == TYPE_FUNCTION)
		complain(p, token, "%s cannot be a function", what);
	else
		complain(p, token, "'%s' is not defined, its size is unknown",
			 type->name ? type->name : "struct");
}

/* True if a C parameter is a format, by an attribute or by its name. */
static bool
is_format(const struct parser *p, const struct proto_draft *draft, size_t i)
{
	const struct param *param = &draft->params[i];

	if (!param->type->lens || param->type->lens->kind != LENS_STRING)
		return false;
	if (p->item.format == i + 1)
		return true;
	return draft->proto.varargs && i + 1 == draft->proto.count &&
	       param->name && !draft->follow[i] &&
	       (!strcmp(param->name, "format") || !strcmp(param->name, "fmt"));
}

static void
decide_format(struct parser *p, struct proto_draft *draft)
{
	const char *name = draft->proto.name;
	bool scans =
		p->item.format ? p->item.scans : name && strstr(name, "scanf");

	for (size_t i = 0; i < draft->proto.count; i++) {
		struct param *param = &draft->params[i];

		if (is_format(p, draft, i))
			param->type =
				text_type(p, scans ? LENS_SCAN : LENS_FORMAT,
					  param->type->to, NULL, true);
		if (lens_describes(param->type->lens))
			draft->proto.format = (int)i;
	}
	if (draft->proto.format >= 0)
		draft->proto.varargs = true;
}

void
decide_proto(struct parser *p, struct proto_draft *draft, bool is_c)
{
	struct proto *proto = &draft->proto;
	bool is_array = proto->returns->kind == TYPE_ARRAY;

	if (draft->decided)
		return;
	draft->decided = true;
	for (size_t i = 0; i < proto->count; i++)
		draft->params[i].type =
			decide_type(p, draft->params[i].type, DECIDE_PARAM,
				    is_c, draft->follow[i]);
	proto->returns = decide_type(p, proto->returns,
				     is_array ? DECIDE_PARAM : DECIDE_VALUE,
				     is_c, draft->follow_return);
}

void
check_function(struct parser *p, struct proto_draft *draft,
	       const struct token *token)
{
	const struct proto *proto = &draft->proto;

	for (size_t i = 0; i < proto->count; i++) {
		if (draft->params[i].type->kind != TYPE_VOID)
			check_complete(p, draft->params[i].type,
				       token ? token : draft->tokens[i],
				       "a parameter");
	}
	if (proto->returns->kind != TYPE_VOID)
		check_complete(p, proto->returns, p->item.start, "a result");
	decide_format(p, draft);
	draft->proto.fastcall = p->item.fastcall;
	draft->proto.regparm = p->item.regparm;
}

void
decide_drafts(struct parser *p)
{
	for (size_t i = 0; i < p->drafts.count; i++)
		decide_proto(p, p->drafts.at[i], true);
	vec_clear(&p->drafts);
}
