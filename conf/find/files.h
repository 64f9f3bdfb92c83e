/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The prototype files that were read, by path. The file that an import names
 * is looked for beside the file that imports, then in the directories added
 * here. In each of them these are tried in order, NAME and NAME.conf:
 *
 *	DIRECTORY/NAME
 *	DIRECTORY/parts/NAME	what is only imported
 *	the file that the line NAME in DIRECTORY/aliases names (aliases.h)
 *
 * Only regular files below 16 MiB are read, and only those that
 * conf/find/trust.h allows; an import is trusted as the file that imports it,
 * or as the directory that it was found in.
 */
#ifndef CONF_FIND_FILES_H
#define CONF_FIND_FILES_H

#include "base/map.h"
#include "base/vec.h"
#include "conf/find/trust.h"
#include "conf/find/aliases.h"
#include "conf/parse/parse.h"

#include <stdbool.h>

/* The folder, in a directory of prototype files, of what is only imported. */
#define FILES_PARTS "parts"

/* One path, and what was there. */
struct file {
	enum trust trust;
	struct library *library; /* NULL: not read, or it is being read */
	bool reading;
	int error; /* why it was not read, a negative errno, */
	char *why; /* and a sentence */
	bool complained;
};

struct files_directory {
	char *path;
	enum trust trust;
};

struct files {
	struct importer importer;
	vec_of(struct files_directory) directories;
	struct strmap by_path; /* struct file */
	struct strmap aliases; /* by directory, struct aliases */
	vec_of(struct file *) list;
	struct complaints complaints;
	unsigned nested;
};

void files_init(struct files *files);
void files_release(struct files *files);
void files_add_directory(struct files *files, const char *path,
			 enum trust trust);

/* What is at path, read now if it was not yet. */
struct file *files_try(struct files *files, const char *path, enum trust trust);
/* The same; that the file cannot be read is a complaint, and also that there
 * is none if must_exist. */
struct file *files_read(struct files *files, const char *path, enum trust trust,
			bool must_exist);

/*
 * What directory has for the library or program called name: NAME.conf, or
 * the file that its aliases name; that one is looked for as an import of the
 * aliases is. NULL: nothing.
 */
struct file *files_find(struct files *files, const char *directory,
			enum trust trust, const char *name);

/* The aliases of directory, read once; there may be none of them. */
const struct aliases *files_aliases(struct files *files, const char *directory,
				    enum trust trust);
/* Reads the table of aliases at path, and every file that it names. */
void files_check_aliases(struct files *files, const char *path);

bool files_is_directory(const char *path);

#endif
