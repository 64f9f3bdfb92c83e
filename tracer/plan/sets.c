/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A set is a file of prototypes and probes. Its functions are planted in every
 * module that has them, now or later, and are never reported as missing: a set
 * names functions that may exist. So one filter is made of all their names.
 */
#include "tracer/plan/sets.h"

#include "conf/model/type.h"
#include "base/escape.h"
#include "base/map.h"
#include "base/str.h"
#include "base/vec.h"
#include "conf/filter/filter.h"
#include "conf/find/files.h"
#include "conf/model/library.h"
#include "conf/model/probe.h"
#include "tracer/model/say.h"
#include "tracer/plan/prototype_places.h"
#include "tracer/plan/prototypes.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>

#define NAME_WIDTH 14 /* width of a set's name in the list of --set help */

struct sets {
	unsigned wire; /* bits of enum wire_protocols */
	bool connects; /* one of the sets shows connecting */
	/* what each set is about, as its file says */
	vec_of(const char *) abouts;
	struct strmap by_name; /* struct probe */
	vec_of(const struct probe *) pointed;
	/* a filter of the functions that have probes; NULL: no probe is at a
	 * symbol */
	struct filter *filter;
};

/* The places of NAME.conf, the user's first; each is NULL or to be freed. */
struct places {
	char *folders[2];
};

static const enum trust trusts[] = { TRUST_FOUND, TRUST_INSTALLED };

static void
places_init(struct places *places)
{
	cleanup(freep) char *user = NULL;
	struct err said_by_prototypes;

	places->folders[0] = NULL;
	if (prototype_places_user(&user, &said_by_prototypes) == 0 && user)
		places->folders[0] = xasprintf("%s/sets", user);
	places->folders[1] = prototype_places_sets();
}

static void
places_release(struct places *places)
{
	for (size_t i = 0; i < array_size(places->folders); i++)
		free(places->folders[i]);
}

/* Reads a set in one of the places; prints errors in it. */
static int
read_found(struct prototypes *prototypes, const char *path, enum trust trust,
	   const struct library **ret_library)
{
	struct err err;
	int r = prototypes_read(prototypes, path, trust, ret_library, &err);

	if (r == 0 || r == -ENOENT || r == -ENOTDIR)
		return r;
	say("%s", err.text);
	return -ENOENT;
}

/* Returns -ENOENT, without a message, if the set does not exist. */
static int
find_set(const struct places *places, struct prototypes *prototypes,
	 const char *name, const struct library **ret_library, struct err *err)
{
	int r = -ENOENT;

	if (strchr(name, '/'))
		return prototypes_read(prototypes, name, TRUST_NAMED,
				       ret_library, err);
	for (size_t i = 0; i < array_size(places->folders) && r < 0; i++) {
		cleanup(freep) char *path = NULL;

		if (!places->folders[i])
			continue;
		path = xasprintf("%s/%s.conf", places->folders[i], name);
		r = read_found(prototypes, path, trusts[i], ret_library);
	}
	return r;
}

static void
take_probes(struct sets *sets, const struct library *library, bool bind,
	    struct str *names)
{
	const struct probe *probe;

	for (size_t i = 0; (probe = library_probe_at(library, i)); i++) {
		if (probe->for_bind && !bind)
			continue;
		if (probe->symbol || probe->php) {
			vec_push(&sets->pointed, probe);
			continue;
		}
		if (strmap_get(&sets->by_name, probe->name))
			continue;
		strmap_put(&sets->by_name, probe->name, (void *)probe);
		if (names->length > 0)
			str_add_char(names, '+');
		str_add(names, probe->name);
		if (probe->module)
			str_addf(names, "@\"%s\"", probe->module);
	}
}

static int
choose_set(const struct places *places, struct prototypes *prototypes,
	   const char *name, const struct library **ret_library,
	   struct err *err)
{
	const struct library *library;
	int r = find_set(places, prototypes, name, &library, err);

	if (r == -ENOENT || r == -ENOTDIR)
		return err_set(err, -EINVAL,
			       "there is no set '%s'; --set help lists those "
			       "there are",
			       name);
	if (r < 0)
		return r;
	if (!library_about(library))
		return err_set(err, -EINVAL,
			       "%s is no set: it does not begin with set "
			       "\"what it is about\"",
			       name);
	*ret_library = library;
	return 0;
}

static void
take_set(struct sets *sets, const struct library *library, bool bind,
	 struct str *names)
{
	sets->wire |= library_wire(library);
	sets->connects |= library_connects(library);
	vec_push(&sets->abouts, library_about(library));
	take_probes(sets, library, bind, names);
}

int
sets_new(const struct options *options, struct prototypes *prototypes,
	 struct sets **ret_sets, struct err *err)
{
	struct places places;
	struct sets *sets;
	struct str names;
	int r = 0;

	*ret_sets = NULL;
	if (options->sets.count == 0)
		return 0;
	sets = xcalloc(1, sizeof(*sets));
	strmap_init(&sets->by_name);
	places_init(&places);
	str_init(&names);
	for (size_t i = 0; i < options->sets.count && r == 0; i++) {
		const struct library *library = NULL;

		r = choose_set(&places, prototypes, options->sets.at[i],
			       &library, err);
		if (r == 0)
			take_set(sets, library, options->bind, &names);
	}
	if (r == 0 && names.length > 0)
		r = filter_parse(str_text(&names), NULL, &sets->filter, NULL,
				 err);
	str_release(&names);
	places_release(&places);
	if (r < 0)
		sets_free(sets);
	else
		*ret_sets = sets;
	return r;
}

void
sets_free(struct sets *sets)
{
	if (!sets)
		return;
	strmap_release(&sets->by_name);
	vec_release(&sets->pointed);
	vec_release(&sets->abouts);
	filter_free(sets->filter);
	free(sets);
}

const struct filter *
sets_filter(const struct sets *sets)
{
	return sets ? sets->filter : NULL;
}

const struct probe *
sets_probe(const struct sets *sets, const char *name)
{
	return sets ? strmap_get(&sets->by_name, name) : NULL;
}

const char *
sets_about(const struct sets *sets, size_t i)
{
	return sets && i < sets->abouts.count ? sets->abouts.at[i] : NULL;
}

unsigned
sets_wire(const struct sets *sets)
{
	return sets ? sets->wire : 0;
}

bool
sets_connects(const struct sets *sets)
{
	return sets && sets->connects;
}

const struct probe *
sets_pointed(const struct sets *sets, size_t i)
{
	return sets && i < sets->pointed.count ? sets->pointed.at[i] : NULL;
}

/* ---- --set help -------------------------------------------------------------
 */

static void
print_set(const char *name, const char *about)
{
	struct str line;

	str_init(&line);
	escape_name(&line, name);
	if (line.length < NAME_WIDTH)
		str_add_repeated(&line, ' ', NAME_WIDTH - line.length);
	str_add_char(&line, ' ');
	escape_name(&line, about);
	puts(str_text(&line));
	str_release(&line);
}

static void
list_folder(struct prototypes *prototypes, const char *folder, enum trust trust,
	    struct strmap *listed)
{
	struct dirent **entries;
	int count = scandir(folder, &entries, files_is_conf, alphasort);

	for (int i = 0; i < count; i++) {
		const char *file = entries[i]->d_name;
		cleanup(freep) char *name = files_stem(file);
		cleanup(freep) char *path = xasprintf("%s/%s", folder, file);
		const struct library *library = NULL;

		if (read_found(prototypes, path, trust, &library) == 0 &&
		    library_about(library) && !strmap_get(listed, name)) {
			print_set(name, library_about(library));
			strmap_put(listed, name, listed);
		}
		free(entries[i]);
	}
	if (count >= 0)
		free(entries);
}

int
sets_list(const struct options *options)
{
	struct prototypes *prototypes;
	struct places places;
	struct strmap listed;
	struct err err;

	if (prototypes_new(options, TYPE_WORD, &prototypes, &err) < 0) {
		say_error(&err);
		return EXIT_FAILURE;
	}
	places_init(&places);
	strmap_init(&listed);
	for (size_t i = 0; i < array_size(places.folders); i++) {
		if (places.folders[i])
			list_folder(prototypes, places.folders[i], trusts[i],
				    &listed);
	}
	strmap_release(&listed);
	places_release(&places);
	prototypes_free(prototypes);
	return fflush(stdout) == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
