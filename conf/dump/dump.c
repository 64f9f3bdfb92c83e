/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Writes types and prototypes as text. If the library knows a type by its name
 * and the name means the same type, the name is written. Otherwise the lenses
 * are written from the outside in, and then what the type is made of. A "*" is
 * never written, because its meaning depends on the words around it.
 */
#include "conf/dump/dump.h"

#include "base/attr.h"
#include "conf/dump/dump_parts.h"
#include "conf/model/expr.h"
#include "conf/model/lens.h"
#include "conf/model/library_parts.h"
#include "conf/model/proto.h"
#include "conf/model/type.h"

#include <string.h>

static void dump_params(const struct library *library,
			const struct proto *proto, struct str *to);

/* True if the type's name means the same type in the library. */
static bool
is_named(const struct library *library, const struct type *type)
{
	const struct type *named = NULL;

	if (!type->name)
		return false;
	if (library)
		named = library_type(library, type->name);
	else
		named = type_builtin(type->name);
	return named && named->kind == type->kind &&
	       named->lens == type->lens && named->to == type->to &&
	       named->body == type->body && named->bytes == type->bytes &&
	       named->is_big_endian == type->is_big_endian;
}

static void
dump_length(const struct library *library, const char *before,
	    const struct expr *length, struct str *to)
{
	if (!length)
		return;
	str_add(to, before);
	dump_expr(library, length, to);
}

/* Writes the length of a text, as zero(LENGTH) if a NUL ends the text. */
static void
dump_text_length(const struct library *library, const struct expr *length,
		 bool stops_at_nul, struct str *to)
{
	if (!stops_at_nul || (length && length->kind == EXPR_ZERO)) {
		dump_length(library, ", ", length, to);
		return;
	}
	str_add(to, ", zero");
	dump_length(library, "(", length, to);
	str_add(to, length ? ")" : "");
}

/* Writes an array of characters: array(wchar_t, zero(length)). */
static void
dump_text_array(const struct library *library, const struct type *character,
		const struct expr *length, bool stops_at_nul, struct str *to)
{
	str_add(to, "array(");
	dump_type(library, character, to);
	dump_text_length(library, length, stops_at_nul, to);
	str_add_char(to, ')');
}

/* True if the library has a type with the name of a lens. Without brackets, the
 * name then means the type. */
static bool
is_hidden(const struct library *library, const char *word)
{
	return library && library_named_type(library, word);
}

/* Writes a text by its lens: "string", "sql[size]", "bytes[n]". False if the
 * type is not a text, or cannot be written in this way. */
static bool
dump_short_text(const struct library *library, const struct type *type,
		struct str *to)
{
	const struct lens *lens = type->lens;
	const char *word = lens_word(lens->kind);

	if (type->kind != TYPE_POINTER || !type->to->is_char ||
	    type->to->bytes != 1)
		return false;
	if (!lens->stops_at_nul) {
		if (lens->kind != LENS_STRING)
			return false;
		word = "bytes";
	}
	if (!lens->length && is_hidden(library, word))
		return false;
	str_add(to, word);
	dump_length(library, "[", lens->length, to);
	str_add(to, lens->length ? "]" : "");
	return true;
}

static void
dump_text(const struct library *library, const struct type *type,
	  struct str *to)
{
	const struct lens *lens = type->lens;

	if (dump_short_text(library, type, to))
		return;
	if (lens->kind == LENS_POSTGRES) {
		dump_length(library, "postgres[", lens->length, to);
		dump_length(library, ", ", lens->oid, to);
		str_add_char(to, ']');
		return;
	}
	str_addf(to, "%s(", lens_word(lens->kind));
	dump_text_array(library, type->to,
			type->kind == TYPE_ARRAY ? type->length : lens->length,
			lens->stops_at_nul, to);
	str_add(to, type->kind == TYPE_ARRAY ? ")" : "*)");
}

void
dump_constants(const struct lens *lens, struct str *to)
{
	for (size_t i = 0; i < lens->name_count; i++) {
		const struct constant *constant = &lens->names[i];
		uint64_t usual = constant->value ? (uint64_t)constant->value
						 : UINT64_MAX;

		str_addf(to, "%s%s=", i > 0 ? ", " : "", constant->name);
		if (lens->kind == LENS_FLAGS)
			str_add_hex(to, (uint64_t)constant->value);
		else
			str_add_signed(to, constant->value);
		if (lens->kind != LENS_FLAGS || constant->mask == usual)
			continue;
		str_add_char(to, '/');
		str_add_hex(to, constant->mask);
	}
}

static void
dump_lens(const struct library *library, const struct type *type,
	  struct str *to)
{
	const struct lens *lens = type->lens;
	struct type under = *type;

	under.lens = lens->under;
	str_add(to, lens_word(lens->kind));
	if (lens->kind == LENS_ENUM || lens->kind == LENS_FLAGS) {
		str_add_char(to, '[');
		dump_type(library, &under, to);
		str_add(to, "](");
		dump_constants(lens, to);
	} else {
		str_add_char(to, '(');
		dump_type(library, &under, to);
	}
	str_add_char(to, ')');
}

static const char *
integer_name(const struct type *type)
{
	static const char *const names[] = {
		"unsigned char", "signed char", "unsigned short", "short",
		"unsigned int",	 "int",		"unsigned long",  "long",
	};
	static const char *const characters[] = { "char8_t",  "char",
						  "char16_t", "wchar_t",
						  "char32_t", "wchar_t" };
	unsigned size = 0;

	while (1u << size < type->bytes)
		size++;
	if (type->is_char && size < 3)
		return characters[2 * size + type->is_signed];
	if (size < 4)
		return names[2 * size + type->is_signed];
	return type->is_signed ? "__int128" : "unsigned __int128";
}

/* If the file defines a wchar_t, the built-in wchar_t is written as
 * __wchar_t. */
static void
dump_integer(const struct library *library, const struct type *type,
	     struct str *to)
{
	char *name = xstrdup(integer_name(type));

	str_add(to, type->is_big_endian ? "net(" : "");
	while (is_hidden(library, name)) {
		char *longer = xasprintf("__%s", name);

		free(name);
		name = longer;
	}
	str_add(to, name);
	str_add(to, type->is_big_endian ? ")" : "");
	free(name);
}

static const char *
float_name(const struct type *type)
{
	unsigned bytes = type->bytes;

	if (type->is_quad)
		return "_Float128";
	if (type->is_big_endian)
		return bytes == 4 ? "net(float)" : "net(double)";
	return bytes == 4 ? "float" : bytes == 8 ? "double" : "long double";
}

static void
dump_pointer(const struct library *library, const struct type *type,
	     bool followed, struct str *to)
{
	if (type->to->kind == TYPE_VOID && !is_hidden(library, "addr")) {
		str_add(to, "addr");
		return;
	}
	str_add(to, followed ? "ref(" : "addr(");
	dump_type(library, type->to, to);
	str_add_char(to, ')');
}

static bool
points_to_function(const struct type *type)
{
	return type->kind == TYPE_POINTER && type->to->kind == TYPE_FUNCTION &&
	       (!type->lens || type->lens->kind == LENS_ADDRESS);
}

static void dump_declared(const struct library *library,
			  const struct type *type, const char *declared,
			  struct str *to);

/* A pointer to a function is written around the name: "int (*name)(int)". */
static void
dump_round(const struct library *library, const struct proto *proto,
	   const char *declared, struct str *to)
{
	struct str around;

	str_init(&around);
	str_addf(&around, "(*%s)", declared);
	dump_params(library, proto, &around);
	dump_declared(library, proto->returns, str_text(&around), to);
	str_release(&around);
}

/* Writes type and what is declared with it: nothing, a name, "f(int)". */
static void
dump_declared(const struct library *library, const struct type *type,
	      const char *declared, struct str *to)
{
	if (points_to_function(type) && !is_named(library, type)) {
		dump_round(library, type->to->proto, declared, to);
		return;
	}
	dump_type(library, type, to);
	str_addf(to, "%s%s", declared[0] ? " " : "", declared);
}

void
dump_field(const struct library *library, const struct type_field *field,
	   struct str *to)
{
	dump_declared(library, field->type, field->name ? field->name : "", to);
	if (field->bits)
		str_addf(to, " : %u", field->bits);
	if (field->condition) {
		str_add(to, " if ");
		dump_expr(library, field->condition, to);
	}
}

/* Writes a struct without a tag: struct(int a, string b). */
void
dump_anonymous(const struct library *library, const struct type *type,
	       struct str *to)
{
	const struct type_body *body = type->body;

	str_add(to, type->kind == TYPE_UNION ? "union" : "struct");
	str_add(to, body->packed ? " __attribute__((packed)) (" : "(");
	for (size_t i = 0; i < body->count; i++) {
		str_add(to, i > 0 ? ", " : "");
		dump_field(library, &body->fields[i], to);
	}
	str_add_char(to, ')');
}

static const struct named_type *
definition_of(const struct library *library, const struct type_body *body)
{
	for (size_t i = 0; library && i < library->type_list.count; i++) {
		const struct named_type *named = library->type_list.at[i];

		if (named->defines && named->type->body == body)
			return named;
	}
	return NULL;
}

static void
dump_struct(const struct library *library, const struct type *type,
	    struct str *to)
{
	const struct named_type *named = definition_of(library, type->body);

	if (named)
		str_add(to, named->name);
	else if (type->name)
		str_add(to, type->name);
	else
		dump_anonymous(library, type, to);
}

static bool
any_behind(const struct proto *proto, size_t i, enum param_when when)
{
	while (++i < proto->count) {
		if (proto->params[i].when == when)
			return true;
	}
	return false;
}

/* The word before parameter i. In ltrace's language a "+" also applies to the
 * parameters after it, but "out" applies to one parameter. */
static const char *
direction_of(const struct proto *proto, size_t i, bool behind_plus)
{
	switch (proto->params[i].when) {
	case PARAM_AT_RETURN:
		return any_behind(proto, i, PARAM_AT_ENTRY) &&
				       !any_behind(proto, i, PARAM_BEHIND_PLUS)
			       ? "out "
			       : "+";
	case PARAM_AT_BOTH:
		return "inout ";
	case PARAM_AT_ENTRY:
		return behind_plus ? "in " : "";
	case PARAM_BEHIND_PLUS:
		break;
	}
	return "";
}

static void
dump_param(const struct library *library, const struct param *param,
	   struct str *to)
{
	dump_declared(library, param->type, param->name ? param->name : "", to);
	if (param->condition) {
		str_add(to, " if ");
		dump_expr(library, param->condition, to);
	}
}

static void
dump_params(const struct library *library, const struct proto *proto,
	    struct str *to)
{
	bool behind_plus = false;

	str_add_char(to, '(');
	for (size_t i = 0; i < proto->count; i++) {
		const char *direction = direction_of(proto, i, behind_plus);

		str_add(to, i > 0 ? ", " : "");
		str_add(to, direction);
		behind_plus |= direction[0] == '+';
		dump_param(library, &proto->params[i], to);
	}
	if (proto->varargs && proto->format < 0)
		str_add(to, proto->count > 0 ? ", ..." : "...");
	str_add_char(to, ')');
}

void
dump_function(const struct library *library, const struct proto *proto,
	      const char *name, struct str *to)
{
	struct str declared;

	str_init(&declared);
	str_add(&declared, name);
	dump_params(library, proto, &declared);
	dump_declared(library, proto->returns, str_text(&declared), to);
	str_release(&declared);
}

/* Writes what the type is made of, without its lens. */
void
dump_bare(const struct library *library, const struct type *type,
	  struct str *to)
{
	switch (type->kind) {
	case TYPE_VOID:
		str_add(to, "void");
		break;
	case TYPE_INT:
		dump_integer(library, type, to);
		break;
	case TYPE_FLOAT:
		str_add(to, float_name(type));
		break;
	case TYPE_COMPLEX:
		str_addf(to, "%s _Complex", float_name(type->to));
		break;
	case TYPE_POINTER:
		dump_pointer(library, type, !type_is_address(type), to);
		break;
	case TYPE_ARRAY:
		str_add(to, "array(");
		dump_type(library, type->to, to);
		dump_length(library, ", ", type->length, to);
		str_add_char(to, ')');
		break;
	case TYPE_STRUCT:
	case TYPE_UNION:
		dump_struct(library, type, to);
		break;
	case TYPE_FUNCTION:
		dump_function(library, type->proto, "", to);
		break;
	}
}

/* Writes the type out instead of its name; the types in it keep their names. */
void
dump_out(const struct library *library, const struct type *type, struct str *to)
{
	if (points_to_function(type))
		dump_round(library, type->to->proto, "", to);
	else if (!type->lens)
		dump_bare(library, type, to);
	else if (lens_is_text(type->lens->kind))
		dump_text(library, type, to);
	else if (type->lens->kind == LENS_ADDRESS && type->kind == TYPE_POINTER)
		dump_pointer(library, type, false, to);
	else
		dump_lens(library, type, to);
}

void
dump_type(const struct library *library, const struct type *type,
	  struct str *to)
{
	if (is_named(library, type))
		str_add(to, type->name);
	else
		dump_out(library, type, to);
}

/* Would a prototype that begins with this text be read as an item of another
 * kind? Then "function" must be written before it. */
static bool
reads_as_word(const char *text)
{
	static const char *const words[] = { "function ", "import ",
					     "typedef " };

	for (size_t i = 0; i < array_size(words); i++) {
		if (!strncmp(text, words[i], strlen(words[i])))
			return true;
	}
	return false;
}

void
dump_proto(const struct library *library, const struct proto *proto,
	   struct str *to)
{
	struct str text;

	str_init(&text);
	dump_function(library, proto, proto->name, &text);
	if (reads_as_word(str_text(&text)))
		str_add(to, "function ");
	str_add(to, str_text(&text));
	str_release(&text);
	str_add_char(to, ';');
}
