/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * NAME and NAME@LIBRARY ask prototype files. NAME@PATH, with a slash, is the
 * function of a file, which may also have debug information.
 */
#include "tracer/plan/show_prototype.h"

#include "conf/model/type.h"
#include "base/str.h"
#include "tracer/model/say.h"
#include "tracer/plan/learned.h"
#include "tracer/plan/prototypes.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int
add_shown(const struct options *options, struct prototypes *prototypes,
	  struct str *to, struct err *err)
{
	const char *name = options->prototype, *at = strchr(name, '@');
	struct learned *learned;
	int r;

	if (!at || !strchr(at, '/'))
		return prototypes_add_shown(prototypes, name, to, err);
	learned = learned_new(options, prototypes);
	r = learned_show(learned, name, to, err);
	learned_free(learned);
	return r;
}

int
show_prototype(const struct options *options)
{
	struct prototypes *prototypes;
	struct str text;
	struct err err;
	int r = prototypes_new(options, TYPE_WORD, &prototypes, &err);

	if (r < 0) {
		say_error(&err);
		return EXIT_FAILURE;
	}
	if (options->as_ltrace)
		prototypes_complain_to(prototypes, NULL);
	str_init(&text);
	r = add_shown(options, prototypes, &text, &err);
	if (r < 0)
		say_error(&err);
	fputs(str_text(&text), stdout);
	str_release(&text);
	prototypes_free(prototypes);
	return r < 0 || fflush(stdout) != 0 ? EXIT_FAILURE : EXIT_SUCCESS;
}
