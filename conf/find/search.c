/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Finds the prototype file that describes a function. The list of files for a
 * library name is made once, on the first request. After that, a search is a
 * few hash lookups. search.h tells the places and their order.
 *
 * --show-prototype with a library prints the one prototype that applies.
 * Without a library it prints the prototypes of all libraries, up to a file
 * that applies to every library and so hides all later places.
 */
#include "conf/find/search.h"

#include "base/escape.h"
#include "base/map.h"
#include "base/vec.h"
#include "conf/dump/dump.h"
#include "conf/find/files.h"
#include "conf/model/library.h"
#include "conf/find/search_names.h"

#include <dirent.h>
#include <errno.h>
#include <string.h>

struct search_place {
	char *path;
	enum trust trust;
	bool is_directory;
};

struct libraries {
	vec_of(const struct library *) list;
};

struct search {
	struct files files;
	vec_of(struct search_place) places;
	struct strmap sonames; /* struct libraries */
};

static void
add_place(struct search *search, char *path, enum trust trust,
	  bool is_directory)
{
	struct search_place place = { path, trust, is_directory };

	if (is_directory)
		files_add_directory(&search->files, path, trust);
	vec_push(&search->places, place);
}

/* Reads the file of a place that is not a directory. */
static const struct file *
read_place(struct search *search, const struct search_place *place)
{
	return files_read(&search->files, place->path, place->trust,
			  place->trust == TRUST_NAMED);
}

/* For 32-bit programs, the folder "32" of a directory is searched before the
 * directory itself. */
#define NARROW_WORD 4
#define NARROW_FOLDER "32"

static void
add_directory(struct search *search, char *path, enum trust trust,
	      unsigned word)
{
	cleanup(freep) char *narrow = xasprintf("%s/" NARROW_FOLDER, path);

	if (word == NARROW_WORD && files_is_directory(narrow))
		add_place(search, take(narrow), trust, true);
	add_place(search, path, trust, true);
}

/* Adds the argument of one -F, in which colons separate paths. */
static void
add_forced(struct search *search, const char *paths, unsigned word)
{
	while (*paths) {
		size_t length = strcspn(paths, ":");
		char *path = xstrndup(paths, length);

		if (length == 0)
			free(path);
		else if (files_is_directory(path))
			add_directory(search, path, TRUST_NAMED, word);
		else
			add_place(search, path, TRUST_NAMED, false);
		paths += length;
		paths += *paths == ':';
	}
}

struct search *
search_new(const struct search_places *places)
{
	struct search *search = xcalloc(1, sizeof(*search));
	const char *user = places->user_directory;

	files_init(&search->files, places->word);
	search->files.parse_later = places->parse_later;
	search->files.complaints.repeated = places->complain_repeated;
	for (size_t i = 0; i < places->forced_count; i++)
		add_forced(search, places->forced[i], places->word);
	if (user) {
		add_directory(search, xstrdup(user), TRUST_FOUND, places->word);
		add_place(search, xasprintf("%s/xtrace.conf", user),
			  TRUST_FOUND, false);
	}
	if (places->system_file)
		add_place(search, xstrdup(places->system_file), TRUST_FOUND,
			  false);
	if (places->installed_directory)
		add_directory(search, xstrdup(places->installed_directory),
			      TRUST_INSTALLED, places->word);
	for (size_t i = 0; i < search->places.count; i++) {
		if (!search->places.at[i].is_directory)
			read_place(search, &search->places.at[i]);
	}
	return search;
}

int
search_check_forced(struct search *search, struct err *err)
{
	for (size_t i = 0; i < search->places.count; i++) {
		const struct search_place *place = &search->places.at[i];
		const struct file *file;

		if (place->is_directory || place->trust != TRUST_NAMED)
			continue;
		file = read_place(search, place);
		if (file->error < 0)
			return err_set(err, file->error, "%s: %s", place->path,
				       file->why);
	}
	return 0;
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

const struct library *
search_next_read(const struct search *search, size_t *cursor)
{
	while (*cursor < search->files.list.count) {
		const struct file *file = search->files.list.at[(*cursor)++];

		if (file->library)
			return file->library;
	}
	return NULL;
}

const struct complaints *
search_complaints(const struct search *search)
{
	return &search->files.complaints;
}

static void
add_library(struct libraries *libraries, const struct file *file)
{
	if (file && file->library)
		vec_push(&libraries->list, file->library);
}

/* Adds a directory's files for a library, the most specific file first. */
static void
add_from_directory(struct search *search, struct libraries *libraries,
		   const struct search_place *place, const char *soname)
{
	struct search_names names;

	if (!soname)
		return;
	search_names_init(&names, soname);
	for (const char *name; (name = search_names_next(&names));)
		add_library(libraries, files_find(&search->files, place->path,
						  place->trust, name));
	search_names_release(&names);
}

static const struct libraries *
libraries_for(struct search *search, const char *soname)
{
	const char *key = soname ? soname : "";
	struct libraries *libraries = strmap_get(&search->sonames, key);
	bool only_directories;

	if (libraries)
		return libraries;
	libraries = xcalloc(1, sizeof(*libraries));
	strmap_put(&search->sonames, key, libraries);
	/* The kernel's call may have other arguments than the function of the
	 * same name. */
	only_directories = !strcmp(key, SEARCH_SYSTEM_CALLS);
	for (size_t i = 0; i < search->places.count; i++) {
		const struct search_place *place = &search->places.at[i];

		if (place->is_directory)
			add_from_directory(search, libraries, place, soname);
		else if (!only_directories)
			add_library(libraries, read_place(search, place));
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

bool
search_has(struct search *search, const char *name, const char *soname)
{
	const struct libraries *libraries = libraries_for(search, soname);

	for (size_t i = 0; i < libraries->list.count; i++) {
		if (library_has_proto(libraries->list.at[i], name))
			return true;
	}
	return false;
}

int
search_file(struct search *search, const char *path, enum trust trust,
	    const struct library **ret_library, struct err *err)
{
	const struct file *file = files_try(&search->files, path, trust);

	if (file->error < 0)
		return err_set(err, file->error, "%s: %s", path, file->why);
	*ret_library = file->library;
	return 0;
}

/* Writes "FILE:LINE: PROTOTYPE". */
static void
show(const struct library *library, const struct proto *proto, struct str *to)
{
	escape_name(to, proto->file);
	str_addf(to, ":%u: ", proto->line);
	dump_proto(library, proto, to);
	str_add_char(to, '\n');
}

/* The prototype of name in the file itself, without its imports. */
static const struct proto *
own_proto(const struct library *library, const char *name)
{
	const struct proto *proto = library_proto(library, name);

	if (!proto || strcmp(proto->file, library_file(library)) != 0)
		return NULL;
	return proto;
}

/* Shows name from all files of a directory that have it. */
static void
show_from_directory(struct search *search, const struct search_place *place,
		    const char *name, struct str *to)
{
	struct dirent **entries;
	int count = scandir(place->path, &entries, files_is_conf, alphasort);

	for (int i = 0; i < count; i++) {
		cleanup(freep) char *path =
			xasprintf("%s/%s", place->path, entries[i]->d_name);
		const struct file *file =
			files_read(&search->files, path, place->trust, false);
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

static void
show_from_parts(struct search *search, const struct search_place *place,
		const char *name, struct str *to)
{
	cleanup(freep) char *path = xasprintf("%s/" FILES_PARTS, place->path);
	const struct search_place parts = { path, place->trust, true };

	show_from_directory(search, &parts, name, to);
}

/* Shows all places up to the first file that applies to every library. */
static void
show_for_any(struct search *search, const char *name, struct str *to)
{
	for (size_t i = 0; i < search->places.count; i++) {
		const struct search_place *place = &search->places.at[i];
		const struct proto *proto = NULL;
		const struct file *file;

		if (place->is_directory) {
			show_from_directory(search, place, name, to);
			show_from_parts(search, place, name, to);
			continue;
		}
		file = read_place(search, place);
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

const char *
search_alias(struct search *search, const char *directory, size_t i)
{
	for (size_t k = 0; k < search->places.count; k++) {
		const struct search_place *place = &search->places.at[k];
		const struct aliases *aliases;

		if (!place->is_directory || strcmp(place->path, directory) != 0)
			continue;
		aliases =
			files_aliases(&search->files, directory, place->trust);
		return i < aliases->list.count ? aliases->list.at[i]->name
					       : NULL;
	}
	return NULL;
}

static bool
is_aliases(const char *path)
{
	const char *slash = strrchr(path, '/');

	return !strcmp(slash ? slash + 1 : path, ALIASES_FILE);
}

size_t
search_check(struct search *search, const char *path, struct str *to)
{
	size_t first = search->files.complaints.list.count;

	if (is_aliases(path))
		files_check_aliases(&search->files, path);
	else
		files_read(&search->files, path, TRUST_NAMED, true);
	for (size_t i = first; i < search->files.complaints.list.count; i++)
		complaint_print_with_caret(&search->files.complaints.list.at[i],
					   to);
	return search->files.complaints.list.count - first;
}
