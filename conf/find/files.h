/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The prototype files that were read, by path. An imported file is looked for
 * in the folder of the file that imports it, then in the directories added
 * here. In each of them these are tried in order, NAME and NAME.conf:
 *
 *	DIRECTORY/NAME
 *	DIRECTORY/parts/NAME	for files that are only imported
 *	the file in the line NAME of DIRECTORY/aliases (aliases.h)
 *
 * Only regular files below 16 MiB are read, and only if conf/find/trust.h
 * allows it. An import has the trust of the file that imports it, or of the
 * directory in which it was found.
 */
#ifndef CONF_FIND_FILES_H
#define CONF_FIND_FILES_H

#include "base/map.h"
#include "base/vec.h"
#include "conf/find/trust.h"
#include "conf/find/aliases.h"
#include "conf/parse/parse.h"

#include <dirent.h>
#include <stdbool.h>

/* In a directory of prototype files: the folder for files that are only
 * imported. */
#define FILES_PARTS "parts"

/* One path, and the file at it. */
struct file {
	enum trust trust;
	struct library *library; /* NULL: not read, or being read */
	bool reading;
	int error; /* 0, or why the file was not read: a negative errno */
	char *why; /* the sentence that explains error */
	bool complained;
};

struct files_directory {
	char *path;
	enum trust trust;
};

struct files {
	struct importer importer;
	/* Installed files are parsed item by item, as names are looked up. */
	bool parse_later;
	vec_of(struct files_directory) directories;
	struct strmap by_path; /* struct file */
	struct strmap aliases; /* directory -> struct aliases */
	vec_of(struct file *) list;
	struct complaints complaints;
	struct trusted trusted;
	unsigned nested;
};

/* A filter for scandir(3): is the name of the entry NAME.conf? */
int files_is_conf(const struct dirent *entry);
/* NAME of NAME.conf. The caller frees it. */
char *files_stem(const char *file);

/* word: as in struct importer (conf/parse/parse.h). */
void files_init(struct files *files, unsigned word);
void files_release(struct files *files);
void files_add_directory(struct files *files, const char *path,
			 enum trust trust);

/* The file at path. Reads it if it is not read yet. */
struct file *files_try(struct files *files, const char *path, enum trust trust);
/* Like files_try(), but complains if the file cannot be read and, if
 * must_exist, if it does not exist. */
struct file *files_read(struct files *files, const char *path, enum trust trust,
			bool must_exist);

/*
 * Finds the file in directory for the library or program called name:
 * NAME.conf, or the file that the directory's aliases name. The aliases' file
 * is looked for as if the table of aliases imported it. NULL: there is none.
 */
struct file *files_find(struct files *files, const char *directory,
			enum trust trust, const char *name);

/* The aliases of directory, read once. There may be none. */
const struct aliases *files_aliases(struct files *files, const char *directory,
				    enum trust trust);
/* Reads the table of aliases at path and every file that it names. */
void files_check_aliases(struct files *files, const char *path);

bool files_is_directory(const char *path);

#endif
