/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The prototype of a function is looked up for every process with its module.
 * With -x '*' there are tens of thousands of functions, and most have no
 * prototype. So each answer, even "none", is kept by the names of module and
 * function. To find an answer, the files for a library (which conf/search knows
 * by then) are searched one after the other.
 */
#include "tracer/plan/prototypes.h"

#include "base/map.h"
#include "base/str.h"
#include "base/vec.h"
#include "conf/find/files.h"
#include "conf/find/search.h"
#include "conf/find/search_names.h"
#include "conf/model/library.h"
#include "output/out.h"
#include "tracer/model/say.h"
#include "tracer/plan/prototype_places.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define SYSTEM_FILE "/etc/xtrace.conf"

/* The declarations of these libraries are used for every library. */
static const char *const fallbacks[] = { "libc.so.6", "libm.so.6" };

/* What is known about the functions of one module. */
struct answers {
	struct strmap by_name; /* function -> struct proto, or no_proto */
};

static char no_proto;

struct prototypes {
	struct search *search;
	unsigned word; /* the size of an address in the programs */
	/* The paths of -F; if xtrace runs as ltrace, also those of ltrace. */
	struct paths forced;
	/* the folder of the files that were installed with xtrace, which is the
	 * last of `folders`; or NULL */
	const char *installed;
	/* folders that have files for a library, with its name */
	vec_of(char *) folders;
	vec_of(char *) libraries; /* libraries for which there are files; see
				   * all_asked */
	bool all_asked;
	struct strmap modules; /* label, "" for unknown -> struct answers */
	/* the label of the last call, which is only compared */
	const char *expected;
	size_t complaints_said;
	/* In ltrace's style complaints are written to `out`; NULL: `out` is not
	 * known yet. */
	bool as_ltrace;
	struct out *out;
};

/* ---- the places -----------------------------------------------------------
 */

/* Reads the argument of one -F, whose parts are separated by colons. */
static int
take_forced(struct prototypes *prototypes, const char *paths, struct err *err)
{
	while (*paths) {
		size_t length = strcspn(paths, ":");
		cleanup(freep) char *path = xstrndup(paths, length);

		if (length > 0 && access(path, R_OK) < 0)
			return err_set(err, -errno, "%s: %s", path,
				       strerror(errno));
		/* If the path is a file and not a folder, no library's file is
		 * found in it; that is no error. */
		if (length > 0)
			vec_push(&prototypes->folders, take(path));
		paths += length;
		paths += *paths == ':';
	}
	return 0;
}

static void
tell_complaint(struct prototypes *prototypes, const struct complaint *complaint)
{
	struct str line;

	str_init(&line);
	if (prototypes->out) {
		complaint_print_as_ltrace(complaint, &line);
		str_add_char(&line, '\n');
		out_write(prototypes->out, str_text(&line), line.length);
	} else {
		complaint_print(complaint, &line);
		say("%s", str_text(&line));
	}
	str_release(&line);
}

static void
say_complaints(struct prototypes *prototypes)
{
	const struct complaints *complaints =
		search_complaints(prototypes->search);
	size_t *said = &prototypes->complaints_said;

	if (prototypes->as_ltrace && !prototypes->out)
		return;
	for (; *said < complaints->list.count; ++*said)
		tell_complaint(prototypes, &complaints->list.at[*said]);
}

void
prototypes_complain_to(struct prototypes *prototypes, struct out *out)
{
	prototypes->out = out;
	prototypes->as_ltrace = out != NULL;
	say_complaints(prototypes);
}

static const struct proto *
find_in(struct prototypes *prototypes, const char *name, const char *library)
{
	return search_proto(prototypes->search, name, library, NULL);
}

static const struct proto *
find_fallback(struct prototypes *prototypes, const char *name)
{
	const struct proto *proto = NULL;

	for (size_t i = 0; i < array_size(fallbacks) && !proto; i++)
		proto = find_in(prototypes, name, fallbacks[i]);
	return proto;
}

/* Stores the folders in which a file has the name of a library. Takes over both
 * paths. */
static int
take_folders(struct prototypes *prototypes, char *user, char *installed,
	     struct err *err)
{
	int r = 0;

	for (size_t i = 0; i < prototypes->forced.list.count && r == 0; i++)
		r = take_forced(prototypes, prototypes->forced.list.at[i], err);
	if (user)
		vec_push(&prototypes->folders, user);
	if (installed)
		vec_push(&prototypes->folders, installed);
	return r;
}

static void
find_forced(struct prototypes *prototypes, const struct options *options)
{
	struct err refused;

	for (size_t i = 0; i < options->configs.count; i++)
		vec_push(&prototypes->forced.list,
			 xstrdup(options->configs.at[i]));
	if (options->as_ltrace &&
	    prototype_places_ltrace(&prototypes->forced,
				    options->configs.count == 0, &refused) < 0)
		say("%s", refused.text);
}

int
prototypes_new(const struct options *options, unsigned word,
	       struct prototypes **ret_prototypes, struct err *err)
{
	struct search_places places = {
		.system_file = SYSTEM_FILE,
		/* --show-prototype writes types as the whole file has them. */
		.parse_later = !options->prototype,
		.word = word,
		.complain_repeated = options->as_ltrace,
	};
	struct prototypes *prototypes = xcalloc(1, sizeof(*prototypes));
	char *user, *installed = prototype_places_installed();
	struct err refused;
	int of_another = prototype_places_user(&user, &refused);
	int r;

	prototypes->as_ltrace = options->as_ltrace;
	prototypes->word = word;
	strmap_init(&prototypes->modules);
	find_forced(prototypes, options);
	prototypes->installed = installed;
	places.forced = (const char *const *)prototypes->forced.list.at;
	places.forced_count = prototypes->forced.list.count;
	places.user_directory = user;
	places.installed_directory = installed;
	r = take_folders(prototypes, user, installed, err);
	if (r == 0) {
		prototypes->search = search_new(&places);
		r = search_check_forced(prototypes->search, err);
	}
	if (r < 0) {
		prototypes_free(prototypes);
		return r;
	}
	if (of_another < 0)
		say("%s", refused.text);
	/* The files that every library falls back on are read now, so that a
	 * running program does not stop and wait for them. A program that
	 * xtrace starts may need none of them. */
	if (!options->command || options->configs.count > 0)
		find_fallback(prototypes, "");
	say_complaints(prototypes);
	*ret_prototypes = prototypes;
	return 0;
}

void
prototypes_free(struct prototypes *prototypes)
{
	size_t cursor = 0;
	void *answers;

	if (!prototypes)
		return;
	while (strmap_next(&prototypes->modules, &cursor, NULL, &answers)) {
		strmap_release(&((struct answers *)answers)->by_name);
		free(answers);
	}
	strmap_release(&prototypes->modules);
	for (size_t i = 0; i < prototypes->forced.list.count; i++)
		free(prototypes->forced.list.at[i]);
	vec_release(&prototypes->forced.list);
	for (size_t i = 0; i < prototypes->folders.count; i++)
		free(prototypes->folders.at[i]);
	for (size_t i = 0; i < prototypes->libraries.count; i++)
		free(prototypes->libraries.at[i]);
	vec_release(&prototypes->folders);
	vec_release(&prototypes->libraries);
	search_free(prototypes->search);
	free(prototypes);
}

/* ---- which one applies ----------------------------------------------------
 */

/* Searches the libraries of a folder's files, ordered by name, then the
 * libraries of its aliases. */
static void
ask_folder(struct prototypes *prototypes, const char *folder)
{
	struct dirent **entries;
	const char *alias;
	int count = scandir(folder, &entries, files_is_conf, alphasort);

	for (int i = 0; i < count; i++) {
		const char *file = entries[i]->d_name;

		vec_push(&prototypes->libraries, files_stem(file));
		free(entries[i]);
	}
	if (count >= 0)
		free(entries);
	for (size_t i = 0;
	     (alias = search_alias(prototypes->search, folder, i)); i++)
		vec_push(&prototypes->libraries, xstrdup(alias));
}

static const struct proto *
find_everywhere(struct prototypes *prototypes, const char *name)
{
	const struct proto *proto = find_fallback(prototypes, name);

	for (size_t i = 0; i < prototypes->folders.count; i++) {
		if (!prototypes->all_asked)
			ask_folder(prototypes, prototypes->folders.at[i]);
	}
	prototypes->all_asked = true;
	for (size_t i = 0; i < prototypes->libraries.count && !proto; i++)
		proto = find_in(prototypes, name, prototypes->libraries.at[i]);
	return proto;
}

static struct answers *
answers_of(struct prototypes *prototypes, const char *module)
{
	struct answers *answers = strmap_get(&prototypes->modules, module);

	if (answers)
		return answers;
	answers = xcalloc(1, sizeof(*answers));
	strmap_init(&answers->by_name);
	strmap_put(&prototypes->modules, module, answers);
	return answers;
}

const struct proto *
prototypes_find(struct prototypes *prototypes, const char *name,
		const char *module)
{
	struct answers *answers = answers_of(prototypes, module ? module : "");
	void *known = strmap_get(&answers->by_name, name);
	const struct proto *proto = NULL;

	if (known)
		return known == &no_proto ? NULL : known;
	if (module)
		proto = find_in(prototypes, name, module);
	if (!proto)
		proto = module ? find_fallback(prototypes, name)
			       : find_everywhere(prototypes, name);
	strmap_put(&answers->by_name, name, proto ? (void *)proto : &no_proto);
	say_complaints(prototypes);
	return proto;
}

const struct proto *
prototypes_find_system_call(struct prototypes *prototypes, const char *name)
{
	const struct proto *proto =
		find_in(prototypes, name, SEARCH_SYSTEM_CALLS);

	say_complaints(prototypes);
	return proto;
}

/* Is the text a plain word? A provider may be any text from a foreign file, and
 * becomes a part of a path. */
static bool
is_word(const char *text)
{
	return text[strspn(text, "abcdefghijklmnopqrstuvwxyz"
				 "ABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789")] ==
	       '\0';
}

const struct proto *
prototypes_find_sdt(struct prototypes *prototypes, const char *provider,
		    const char *name)
{
	cleanup(freep) char *file =
		xasprintf(SEARCH_PROBES "%s",
			  is_word(provider) ? provider : "");
	const struct proto *proto = find_in(prototypes, name, file);
	cleanup(freep) char *other = NULL;

	/* A word of C++ cannot be the name of a declaration, so the probe
	 * `throw` is declared as throw_. */
	if (!proto) {
		other = xasprintf("%s_", name);
		proto = find_in(prototypes, other, file);
	}
	say_complaints(prototypes);
	return proto;
}

void
prototypes_expect_sdt(struct prototypes *prototypes, const char *provider)
{
	prototypes_find_sdt(prototypes, provider, "");
}

static bool
is_installed(const struct prototypes *prototypes, const char *file)
{
	const char *folder = prototypes->installed;
	size_t length = folder ? strlen(folder) : 0;

	return length && !strncmp(file, folder, length) && file[length] == '/';
}

bool
prototypes_installed(const struct prototypes *prototypes,
		     const struct proto *proto)
{
	return proto->file && is_installed(prototypes, proto->file);
}

const struct type *
prototypes_users_type(const struct prototypes *prototypes, const char *name)
{
	const struct library *library;
	size_t cursor = 0;

	while ((library = search_next_read(prototypes->search, &cursor))) {
		const struct type *type;

		if (is_installed(prototypes, library_file(library)))
			continue;
		type = library_type(library, name);
		if (type && type != type_builtin_of(prototypes->word, name))
			return type;
	}
	return NULL;
}

void
prototypes_expect(struct prototypes *prototypes, const char *name,
		  const char *module)
{
	bool found;

	if (module && module == prototypes->expected)
		return;
	found = name && module && search_has(prototypes->search, name, module);
	say_complaints(prototypes);
	if (found)
		return;
	prototypes->expected = module;
	/* No function has an empty name, so this reads all files. */
	prototypes_find(prototypes, "", module);
}

const struct library *
prototypes_next_read(const struct prototypes *prototypes, size_t *cursor)
{
	return search_next_read(prototypes->search, cursor);
}

int
prototypes_read(struct prototypes *prototypes, const char *path,
		enum trust trust, const struct library **ret_library,
		struct err *err)
{
	int r = search_file(prototypes->search, path, trust, ret_library, err);

	say_complaints(prototypes);
	return r;
}

int
prototypes_add_shown(struct prototypes *prototypes, const char *name,
		     struct str *to, struct err *err)
{
	int r = search_show(prototypes->search, name, to, err);
	int length = (int)strcspn(name, "@");
	struct err ignored;

	for (size_t i = 0; i < array_size(fallbacks) && r == -ENOENT; i++) {
		cleanup(freep) char *other =
			xasprintf("%.*s@%s", length, name, fallbacks[i]);

		if (!name[length])
			break;
		r = search_show(prototypes->search, other, to, &ignored);
	}
	say_complaints(prototypes);
	return r;
}

/* Imports are searched beside the file, and among the installed files. */
int
prototypes_check(const struct options *options)
{
	cleanup(freep) char *installed = prototype_places_installed();
	const struct search_places places = { .installed_directory =
						      installed };
	struct search *search = search_new(&places);
	size_t wrong = 0;
	struct str text;

	str_init(&text);
	for (char **file = options->files; *file; file++)
		wrong += search_check(search, *file, &text);
	fputs(str_text(&text), stderr);
	str_release(&text);
	search_free(search);
	return wrong ? EXIT_FAILURE : EXIT_SUCCESS;
}
