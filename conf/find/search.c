/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which file speaks about a function. For every library name the list of
 * files that do is made once, when it is first asked for; after that a lookup
 * is a few hash lookups. The places and their order are in the header.
 *
 * What --show-prototype prints depends on what is asked: with a library, the
 * one prototype that applies; without, those of all libraries, up to a file
 * that speaks for every one of them and so hides what comes behind it.
 */
#include "conf/search.h"

#include "base/map.h"
#include "base/vec.h"
#include "conf/dump.h"
#include "conf/files.h"
#include "conf/library.h"
#include "conf/search_names.h"

#include <dirent.h>
#include <errno.h>
#include <string.h>

struct place {
	char *path;
	bool is_directory;
	bool must_exist;
};

struct libraries {
	vec_of(const struct library *) list;
};

struct search {
	struct files files;
	vec_of(struct place) places;
	struct strmap sonames; /* struct libraries */
};

static void
add_place(struct search *search, char *path, bool is_directory, bool must_exist)
{
	struct place place = { path, is_directory, must_exist };

	if (is_directory)
		files_add_directory(&search->files, path);
	vec_push(&search->places, place);
}

/* One -F, whose parts have colons between them. */
static void
add_forced(struct search *search, const char *paths)
{
	while (*paths) {
		size_t length = strcspn(paths, ":");
		char *path = xstrndup(paths, length);

		if (length > 0)
			add_place(search, path, files_is_directory(path), true);
		else
			free(path);
		paths += length;
		paths += *paths == ':';
	}
}

struct search *
search_new(const struct search_places *places)
{
	struct search *search = xcalloc(1, sizeof(*search));
	const char *user = places->user_directory;

	files_init(&search->files);
	for (size_t i = 0; i < places->forced_count; i++)
		add_forced(search, places->forced[i]);
	if (user) {
		add_place(search, xstrdup(user), true, false);
		add_place(search, xasprintf("%s/xtrace.conf", user), false,
			  false);
	}
	if (places->system_file)
		add_place(search, xstrdup(places->system_file), false, false);
	if (places->installed_directory)
		add_place(search, xstrdup(places->installed_directory), true,
			  false);
	for (size_t i = 0; i < search->places.count; i++) {
		if (!search->places.at[i].is_directory)
			files_read(&search->files, search->places.at[i].path,
				   search->places.at[i].must_exist);
	}
	return search;
}

void
search_free(struct search *search)
{
	size_t cursor = 0;
	void *libraries;

	if (!search)
		return;
	while (strmap_next(&search->sonames, &cursor, NULL, &libraries)) {
		vec_release(&((struct libraries *)libraries)->list);
		free(libraries);
	}
	strmap_release(&search->sonames);
	for (size_t i = 0; i < search->places.count; i++)
		free(search->places.at[i].path);
	vec_release(&search->places);
	files_release(&search->files);
	free(search);
}

const struct complaints *
search_complaints(const struct search *search)
{
	return &search->files.complaints;
}

static void
add_library(struct search *search, struct libraries *libraries,
	    const char *path)
{
	const struct file *file = files_read(&search->files, path, false);

	if (file->library)
		vec_push(&libraries->list, file->library);
}

/* What a directory has about a library, the most special file first. */
static void
add_from_directory(struct search *search, struct libraries *libraries,
		   const char *directory, const char *soname)
{
	struct search_names names;

	if (!soname)
		return;
	search_names_init(&names, soname);
	for (const char *name; (name = search_names_next(&names));) {
		cleanup(freep) char *path =
			xasprintf("%s/%s.conf", directory, name);

		add_library(search, libraries, path);
	}
	search_names_release(&names);
}

static const struct libraries *
libraries_for(struct search *search, const char *soname)
{
	const char *key = soname ? soname : "";
	struct libraries *libraries = strmap_get(&search->sonames, key);

	if (libraries)
		return libraries;
	libraries = xcalloc(1, sizeof(*libraries));
	strmap_put(&search->sonames, key, libraries);
	for (size_t i = 0; i < search->places.count; i++) {
		const struct place *place = &search->places.at[i];

		if (place->is_directory)
			add_from_directory(search, libraries, place->path,
					   soname);
		else
			add_library(search, libraries, place->path);
	}
	return libraries;
}

const struct proto *
search_proto(struct search *search, const char *name, const char *soname,
	     const struct library **ret_library)
{
	const struct libraries *libraries = libraries_for(search, soname);

	for (size_t i = 0; i < libraries->list.count; i++) {
		const struct proto *proto =
			library_proto(libraries->list.at[i], name);

		if (!proto)
			continue;
		if (ret_library)
			*ret_library = libraries->list.at[i];
		return proto;
	}
	return NULL;
}

const struct library *
search_file(struct search *search, const char *path)
{
	return files_read(&search->files, path, false)->library;
}

/* "FILE:LINE: PROTOTYPE" */
static void
show(const struct library *library, const struct proto *proto, struct str *to)
{
	str_addf(to, "%s:%u: ", proto->file, proto->line);
	dump_proto(library, proto, to);
	str_add_char(to, '\n');
}

/* The prototype of name that the file itself has, not what it imports. */
static const struct proto *
own_proto(const struct library *library, const char *name)
{
	const struct proto *proto = library_proto(library, name);

	if (!proto || strcmp(proto->file, library_file(library)) != 0)
		return NULL;
	return proto;
}

static int
is_conf(const struct dirent *entry)
{
	size_t length = strlen(entry->d_name);

	return length > 5 && !strcmp(entry->d_name + length - 5, ".conf");
}

/* All files of a directory that have name. */
static void
show_from_directory(struct search *search, const char *directory,
		    const char *name, struct str *to)
{
	struct dirent **entries;
	int count = scandir(directory, &entries, is_conf, alphasort);

	for (int i = 0; i < count; i++) {
		cleanup(freep) char *path =
			xasprintf("%s/%s", directory, entries[i]->d_name);
		const struct file *file =
			files_read(&search->files, path, false);
		const struct proto *proto = NULL;

		if (file->library)
			proto = own_proto(file->library, name);
		if (proto)
			show(file->library, proto, to);
		free(entries[i]);
	}
	if (count >= 0)
		free(entries);
}

/* Up to the first file that speaks for every library. */
static void
show_for_any(struct search *search, const char *name, struct str *to)
{
	for (size_t i = 0; i < search->places.count; i++) {
		const struct place *place = &search->places.at[i];
		const struct proto *proto = NULL;
		const struct file *file;

		if (place->is_directory) {
			show_from_directory(search, place->path, name, to);
			continue;
		}
		file = files_read(&search->files, place->path, false);
		if (file->library)
			proto = library_proto(file->library, name);
		if (!proto)
			continue;
		show(file->library, proto, to);
		return;
	}
}

int
search_show(struct search *search, const char *name, struct str *to,
	    struct err *err)
{
	const char *at = strchr(name, '@');
	cleanup(freep) char *bare = xstrndup(name, strcspn(name, "@"));
	const struct library *library;
	const struct proto *proto;
	size_t length = to->length;

	if (at) {
		proto = search_proto(search, bare, at + 1, &library);
		if (proto)
			show(library, proto, to);
	} else {
		show_for_any(search, bare, to);
	}
	if (to->length > length)
		return 0;
	return err_set(err, -ENOENT, "there is no prototype for '%s'", name);
}

size_t
search_check(struct search *search, const char *path, struct str *to)
{
	size_t first = search->files.complaints.list.count;

	files_read(&search->files, path, true);
	for (size_t i = first; i < search->files.complaints.list.count; i++)
		complaint_print_with_caret(&search->files.complaints.list.at[i],
					   to);
	return search->files.complaints.list.count - first;
}
