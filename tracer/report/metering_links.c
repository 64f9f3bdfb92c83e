/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A statement of libmariadb and its connection share their queries: the later
 * results of a statement may be fetched by functions of the connection. A set
 * says so by an ACT_LINK whose key is a field:
 *
 *	link rows[stmt] as query[stmt->mysql];
 *
 * So for all functions whose key is a statement (rows[stmt]), meters take the
 * word in this field as the handle. Then a connection and its statements have
 * one cell.
 *
 * The field is where libmariadb has it. Another library with these functions
 * has another layout. It also lacks a function that the same probe asks, as
 * libmysqlclient lacks mysql_get_timeout_value_ms(). There the statement itself
 * is the handle: without meters, too, the link then finds nothing.
 */
#include "tracer/report/metering_parts.h"

#include "conf/model/expr.h"
#include "conf/model/probe.h"
#include "conf/model/proto.h"
#include "conf/model/type.h"
#include "symbols/symtab.h"
#include "tracer/model/session.h"

#include <string.h>

/* The field of the struct to which a parameter leads, or NULL. */
static const struct type_field *
field_of(const struct proto *proto, const struct expr *key)
{
	const struct expr *object = key->left;
	const struct type *type;

	if (key->kind != EXPR_FIELD || object->kind != EXPR_ARG || !proto ||
	    object->number < 1 || (size_t)object->number > proto->count)
		return NULL;
	type = proto->params[object->number - 1].type;
	type = type->kind == TYPE_POINTER ? type->to : NULL;
	if (!type || type->kind != TYPE_STRUCT)
		return NULL;
	for (size_t i = 0; i < type->body->count; i++) {
		const struct type_field *field = &type->body->fields[i];

		if (field->name && !strcmp(field->name, key->name) &&
		    field->type->kind == TYPE_POINTER)
			return field;
	}
	return NULL;
}

static bool
has_function(const struct module *module, const char *name)
{
	const struct symbol *symbol =
		symtab_find(module->image, SYMTAB_DYNAMIC, name);

	if (!symbol)
		symbol = symtab_find(module->image, SYMTAB_ALL, name);
	return symbol && symbol->kind == SYMBOL_FUNCTION;
}

/* Does the module have all functions whose results the expression needs? */
static bool
has_functions(const struct module *module, const struct expr *expr)
{
	return !expr ||
	       ((expr->kind != EXPR_CALL || has_function(module, expr->name)) &&
		has_functions(module, expr->left) &&
		has_functions(module, expr->right));
}

static bool
has_layout(const struct module *module, const struct probe *probe)
{
	for (size_t i = 0; i < probe->count; i++)
		if (!has_functions(module, probe->acts[i].condition))
			return false;
	return true;
}

bool
metering_links(const struct program *program,
	       const struct tracepoint *tracepoint, const struct act *act,
	       uint64_t *ret_link)
{
	const struct library *library = tracepoint->probe->library;
	const struct module *module =
		modmap_covering(&program->modules, tracepoint->address);
	const struct probe *probe;

	for (size_t i = 0; (probe = library_probe_at(library, i)); i++) {
		const struct act *link = probe_act(probe, ACT_LINK);
		const struct type_field *field =
			link && link->from && act->table &&
					!strcmp(link->from->table, act->table)
				? field_of(probe->proto, link->keys[0])
				: NULL;

		if (!field)
			continue;
		*ret_link = field->offset;
		return module && has_layout(module, probe);
	}
	return false;
}

bool
metering_may_link(const struct probe *probe)
{
	const struct act *link = probe_act(probe, ACT_LINK);

	return link->key_count == 1 && field_of(probe->proto, link->keys[0]);
}
