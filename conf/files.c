/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reading prototype files, each once. A path where nothing was found is
 * remembered too, so that the disk is asked once about that as well. A file
 * is marked while it is being read, so that one that imports itself, perhaps
 * by way of others, is found out.
 */
#include "conf/files.h"

#include "base/fd.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>

#define IMPORTS_NESTED 20

bool
files_is_directory(const char *path)
{
	struct stat status;

	return stat(path, &status) == 0 && S_ISDIR(status.st_mode);
}

static struct file *
add_file(struct files *files, const char *path)
{
	struct file *file = xcalloc(1, sizeof(*file));

	strmap_put(&files->by_path, path, file);
	vec_push(&files->list, file);
	return file;
}

/* What is at path, read if it was not yet; must_exist says so if nothing. */
struct file *
files_read(struct files *files, const char *path, bool must_exist)
{
	struct file *file = strmap_get(&files->by_path, path);
	cleanup(freep) char *text = NULL;
	size_t length;
	int r;

	if (file)
		return file;
	file = add_file(files, path);
	r = fd_read_file(path, &text, &length);
	if (r < 0) {
		if (must_exist || (r != -ENOENT && r != -ENOTDIR))
			complaints_add(&files->complaints, path, 0, 0, "%s",
				       strerror(-r));
		return file;
	}
	file->reading = true;
	files->nested++;
	file->library = library_parse(path, text, length, &files->importer,
				      &files->complaints);
	files->nested--;
	file->reading = false;
	return file;
}

/* The file that an import means, which is somewhere; NULL: nowhere. */
static struct file *
find_import(struct files *files, const char *directory, const char *name)
{
	static const char *const endings[] = { "", ".conf" };

	for (size_t i = 0; i < array_size(endings); i++) {
		cleanup(freep) char *path =
			xasprintf("%s%s%s", directory, name, endings[i]);
		struct file *file;

		if (files_is_directory(path))
			continue;
		file = files_read(files, path, false);
		if (file->library || file->reading)
			return file;
	}
	return NULL;
}

/* Beside the file that imports, then in every directory of the search. */
static struct file *
find_import_anywhere(struct files *files, const char *name, const char *from)
{
	const char *slash = strrchr(from, '/');
	cleanup(freep) char *beside =
		xstrndup(from, slash ? (size_t)(slash - from) + 1 : 0);
	struct file *file;

	if (name[0] == '/')
		return find_import(files, "", name);
	file = find_import(files, beside, name);
	for (size_t i = 0; !file && i < files->directories.count; i++) {
		cleanup(freep) char *directory =
			xasprintf("%s/", files->directories.at[i]);

		file = find_import(files, directory, name);
	}
	return file;
}

static int
import(struct importer *importer, const char *name, const char *from,
       const struct library **ret_library, struct err *err)
{
	struct files *files = container_of(importer, struct files, importer);
	struct file *file;

	if (files->nested > IMPORTS_NESTED)
		return err_set(err, -ELOOP, "imports are nested too deep");
	file = find_import_anywhere(files, name, from);
	if (!file)
		return err_set(err, -ENOENT, "there is no '%s' to import",
			       name);
	if (file->reading)
		return err_set(err, -ELOOP, "'%s' imports this file", name);
	*ret_library = file->library;
	return 0;
}

void
files_init(struct files *files)
{
	*files = (struct files){ .importer.import = import };
}

void
files_release(struct files *files)
{
	for (size_t i = 0; i < files->list.count; i++) {
		library_free(files->list.at[i]->library);
		free(files->list.at[i]);
	}
	vec_release(&files->list);
	for (size_t i = 0; i < files->directories.count; i++)
		free(files->directories.at[i]);
	vec_release(&files->directories);
	strmap_release(&files->by_path);
	complaints_release(&files->complaints);
}

void
files_add_directory(struct files *files, const char *path)
{
	vec_push(&files->directories, xstrdup(path));
}
