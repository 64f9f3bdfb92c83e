/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Any ELF file with debug information: the prototypes of its functions are made
 * in both styles and written as text.
 */
#include "conf/dump/dump.h"
#include "conf/model/proto.h"
#include "conf/model/type.h"
#include "symbols/symtab.h"
#include "values/learn/learn.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length);

#define FUNCTIONS_MOST 64u

/* The sum of all results: without it the compiler would leave out the reads. */
static volatile size_t walked;

static void
walk(const struct proto *proto)
{
	struct str text;

	str_init(&text);
	dump_proto(NULL, proto, &text);
	walked += text.length;
	for (size_t i = 0; i < proto->count; i++) {
		if (proto->params[i].type->depth > TYPE_DEPTH + 2)
			abort();
		walked += type_size(proto->params[i].type);
	}
	str_release(&text);
}

static void
learn_all(struct image *image, const struct learn_look *look)
{
	const struct symtab *symtab = image_symtab(image, SYMTAB_ALL);
	struct learner *learner = learner_new(image, look);
	const char *complaint;

	for (size_t i = 0; i < symtab->count && i < FUNCTIONS_MOST; i++) {
		const struct symbol *symbol = &symtab->at[i];
		const struct proto *proto =
			learner_proto(learner, symbol->address, symbol->name);

		if (proto)
			walk(proto);
	}
	walked += learner_mentions(learner, "list");
	complaint = learner_complaint(learner);
	if (complaint)
		walked += strlen(complaint);
	learner_free(learner);
}

int
LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length)
{
	static const struct learn_look looks[] = { { .as_ltrace = false },
						   { .as_ltrace = true } };
	struct image *image;
	struct err err;

	if (image_open_memory(bytes, length, "fuzz", &image, &err) < 0)
		return 0;
	for (size_t i = 0; i < array_size(looks); i++)
		learn_all(image, &looks[i]);
	image_unref(image);
	return 0;
}
