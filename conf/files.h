/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The prototype files that were read, by path. They find each other's imports:
 * beside the file that imports, then in the directories added here, under the
 * name as it is and with ".conf" behind it.
 */
#ifndef CONF_FILES_H
#define CONF_FILES_H

#include "base/map.h"
#include "base/vec.h"
#include "conf/complaint.h"
#include "conf/library.h"

#include <stdbool.h>

/* One path, and what was there. */
struct file {
	struct library *library; /* NULL: nothing, or it is being read */
	bool reading;
};

struct files {
	struct importer importer;
	vec_of(char *) directories;
	struct strmap by_path; /* struct file */
	vec_of(struct file *) list;
	struct complaints complaints;
	unsigned nested;
};

void files_init(struct files *files);
void files_release(struct files *files);
void files_add_directory(struct files *files, const char *path);

/* What is at path; that there is nothing is a complaint if must_exist. */
struct file *files_read(struct files *files, const char *path, bool must_exist);

bool files_is_directory(const char *path);

#endif
