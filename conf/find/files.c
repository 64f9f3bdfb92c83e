/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reads prototype files, each of them once. A path without a file is remembered
 * too, so that the disk is searched only once. A file is marked while it is
 * read, so that a file that imports itself, directly or through others, is
 * detected.
 *
 * The file at a path may be replaced at any time. Therefore the file is opened
 * first, and its type, owner and size are read from the descriptor. A FIFO is
 * opened without waiting for a writer.
 */
#include "conf/find/files.h"

#include "base/fd.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>

#define SUFFIX ".conf"
#define IMPORTS_NESTED 20
/* No prototype file is this large; our largest has some 100 KiB. */
#define FILE_MOST (16 << 20)

bool
files_is_directory(const char *path)
{
	struct stat status;

	return stat(path, &status) == 0 && S_ISDIR(status.st_mode);
}

/* The length of NAME in NAME.conf; 0 if the file is called otherwise. */
static size_t
stem_length(const char *file)
{
	size_t length = strlen(file), end = strlen(SUFFIX);

	return length > end && !strcmp(file + length - end, SUFFIX)
		       ? length - end
		       : 0;
}

int
files_is_conf(const struct dirent *entry)
{
	return stem_length(entry->d_name) > 0;
}

char *
files_stem(const char *file)
{
	return xstrndup(file, stem_length(file));
}

static struct file *
add_file(struct files *files, const char *path, enum trust trust)
{
	struct file *file = xcalloc(1, sizeof(*file));

	file->trust = trust;
	strmap_put(&files->by_path, path, file);
	vec_push(&files->list, file);
	return file;
}

/* Expects a regular file that may be read; fd is what open(2) returned just
 * now. */
static int
check_file(struct trusted *trusted, int fd, const char *path, enum trust trust,
	   struct stat *ret_status, struct err *err)
{
	int r;

	/* open(2) gives ENXIO for a socket, and for a device without a driver.
	 * These files exist, and are no regular files. */
	if (fd < 0 && errno != ENXIO && errno != ENODEV)
		return err_set(err, -errno, "%s", strerror(errno));
	if (fd >= 0 && fstat(fd, ret_status) < 0)
		return err_set(err, -errno, "%s", strerror(errno));
	if (fd < 0 || !S_ISREG(ret_status->st_mode))
		return err_set(err, -ENXIO, "not a regular file");
	r = trust_file(trusted, trust, path, err);
	if (r == 0)
		r = trust_owner(trust, ret_status->st_uid, "it", err);
	return r;
}

/* The text of a file. */
struct file_text {
	char *bytes;
	size_t length;
	uid_t owner;
};

/* Reads a file. The file may grow while it is read. */
static int
read_text(struct files *files, const char *path, enum trust trust,
	  struct file_text *ret_text, struct err *err)
{
	struct stat status;
	cleanup(fd_closep) int fd =
		open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
	int r = check_file(&files->trusted, fd, path, trust, &status, err);

	if (r < 0)
		return r;
	r = -EFBIG;
	if (status.st_size < FILE_MOST)
		r = fd_read(fd, FILE_MOST, &ret_text->bytes, &ret_text->length);
	if (r == -EFBIG)
		return err_set(err, r, "too large: %d MiB or more",
			       FILE_MOST >> 20);
	if (r < 0)
		return err_set(err, r, "%s", strerror(-r));
	ret_text->owner = status.st_uid;
	return 0;
}

/* Removes the file's text from the complaints from number `first` on. */
static void
hush(struct complaints *complaints, size_t first)
{
	for (size_t i = first; i < complaints->list.count; i++)
		complaint_hush(&complaints->list.at[i]);
}

struct file *
files_try(struct files *files, const char *path, enum trust trust)
{
	struct file *file = strmap_get(&files->by_path, path);
	size_t first = files->complaints.list.count;
	struct file_text text;
	struct err err;
	bool shown;

	if (file)
		return file;
	file = add_file(files, path, trust);
	file->error = read_text(files, path, trust, &text, &err);
	if (file->error < 0) {
		file->why = xstrdup(err.text);
		return file;
	}
	shown = trust_shows(&files->trusted, path, text.owner);
	file->reading = true;
	files->nested++;
	if (files->parse_later && trust == TRUST_INSTALLED)
		file->library =
			library_parse_later(path, text.bytes, text.length,
					    &files->importer,
					    &files->complaints, !shown);
	else
		file->library =
			library_parse(path, text.bytes, text.length,
				      &files->importer, &files->complaints);
	free(text.bytes);
	files->nested--;
	file->reading = false;
	if (!shown)
		hush(&files->complaints, first);
	return file;
}

struct file *
files_read(struct files *files, const char *path, enum trust trust,
	   bool must_exist)
{
	struct file *file = files_try(files, path, trust);
	bool absent = file->error == -ENOENT || file->error == -ENOTDIR;

	if (file->error < 0 && !file->complained && (must_exist || !absent)) {
		file->complained = true;
		complaints_add(&files->complaints, path, 0, 0, "%s", file->why);
	}
	return file;
}

/* ---- finding ---------------------------------------------------------------
 */

/* A folder with prototype files. Its path is "" or ends with a '/'. */
struct folder {
	const char *path;
	enum trust trust;
};

/* A search for one file, and what it has found so far. */
struct wanted {
	struct file *found;
	char *refused; /* the path of a file that cannot be read */
	const char *why;
};

typedef bool lookup(struct files *files, const struct folder *folder,
		    const char *name, struct wanted *wanted);

static void
refuse(struct wanted *wanted, const char *path, const char *why)
{
	if (wanted->refused)
		return;
	wanted->refused = xstrdup(path);
	wanted->why = why;
}

/* Takes the file at path, if there is one. */
static bool
take_file(struct files *files, const char *path, enum trust trust,
	  struct wanted *wanted)
{
	struct file *file;

	if (files_is_directory(path)) {
		refuse(wanted, path, "a directory");
		return false;
	}
	file = files_try(files, path, trust);
	if (file->library || file->reading) {
		wanted->found = file;
	} else if (file->error != -ENOENT && file->error != -ENOTDIR) {
		refuse(wanted, path, file->why);
	}
	return wanted->found != NULL;
}

/* Looks for NAME or NAME.conf in a folder, or in its parts folder. */
static bool
find_in_folder(struct files *files, const struct folder *folder,
	       const char *part, const char *name, struct wanted *wanted)
{
	static const char *const endings[] = { "", SUFFIX };

	for (size_t i = 0; i < array_size(endings) && !wanted->found; i++) {
		cleanup(freep) char *path = xasprintf("%s%s%s%s", folder->path,
						      part, name, endings[i]);

		take_file(files, path, folder->trust, wanted);
	}
	return wanted->found != NULL;
}

/* Looks in a folder with prototype files, without its aliases. */
static bool
find_file(struct files *files, const struct folder *folder, const char *name,
	  struct wanted *wanted)
{
	return find_in_folder(files, folder, "", name, wanted) ||
	       find_in_folder(files, folder, FILES_PARTS "/", name, wanted);
}

/* Looks for FOLDER/NAME in the folder that contains this one. */
static bool
find_below(struct files *files, const struct folder *folder, const char *name,
	   lookup *look_up, struct wanted *wanted)
{
	cleanup(freep) char *path = xasprintf("%s%s", folder->path, name);
	char *slash = strrchr(path, '/');
	cleanup(freep) char *base = xstrdup(slash ? slash + 1 : path);
	const struct folder below = { path, folder->trust };

	path[slash ? slash + 1 - path : 0] = '\0';
	return look_up(files, &below, base, wanted);
}

/* Looks in the folder of the file that uses the name, then in all
 * directories. */
static void
find_anywhere(struct files *files, const char *name, const char *from,
	      enum trust trust, lookup *look_up, struct wanted *wanted)
{
	const char *slash = strrchr(from, '/');
	cleanup(freep) char *beside =
		xstrndup(from, slash ? (size_t)(slash - from) + 1 : 0);
	bool absolute = name[0] == '/';
	const struct folder first = { absolute ? "" : beside, trust };

	if (find_below(files, &first, name, look_up, wanted) || absolute)
		return;
	for (size_t i = 0; i < files->directories.count; i++) {
		const struct files_directory *directory =
			&files->directories.at[i];
		cleanup(freep) char *path = xasprintf("%s/", directory->path);
		const struct folder folder = { path, directory->trust };

		if (find_below(files, &folder, name, look_up, wanted))
			return;
	}
}

/* ---- aliases ---------------------------------------------------------------
 */

static void
read_aliases(struct files *files, struct aliases *aliases, const char *path,
	     enum trust trust, bool must_exist)
{
	size_t first = files->complaints.list.count;
	struct file_text text = { .bytes = NULL };
	struct err err;
	int r = read_text(files, path, trust, &text, &err);

	if (r == 0)
		aliases_parse(aliases, path, text.bytes, text.length,
			      &files->complaints);
	else if (must_exist || (r != -ENOENT && r != -ENOTDIR))
		complaints_add(&files->complaints, path, 0, 0, "%s", err.text);
	aliases->hushed =
		r == 0 && !trust_shows(&files->trusted, path, text.owner);
	if (aliases->hushed)
		hush(&files->complaints, first);
	free(text.bytes);
}

/* The aliases of a folder. Reads them if they are not read yet. */
static struct aliases *
aliases_in(struct files *files, const struct folder *folder, bool must_exist)
{
	struct aliases *aliases = strmap_get(&files->aliases, folder->path);
	cleanup(freep) char *path =
		xasprintf("%s%s", folder->path, ALIASES_FILE);

	if (aliases)
		return aliases;
	aliases = xcalloc(1, sizeof(*aliases));
	aliases_init(aliases);
	strmap_put(&files->aliases, folder->path, aliases);
	read_aliases(files, aliases, path, folder->trust, must_exist);
	return aliases;
}

/* Finds the file that an alias names. It must not be another alias. */
static void
follow_alias(struct files *files, const struct folder *folder,
	     const struct aliases *aliases, struct alias *alias,
	     struct wanted *wanted)
{
	cleanup(freep) char *path =
		xasprintf("%s%s", folder->path, ALIASES_FILE);
	size_t first = files->complaints.list.count;

	find_anywhere(files, alias->file, path, folder->trust, find_file,
		      wanted);
	if (!wanted->found)
		alias_misses(alias, path, &files->complaints);
	if (!wanted->found && aliases->hushed)
		hush(&files->complaints, first);
}

static bool
find_alias(struct files *files, const struct folder *folder, const char *name,
	   struct wanted *wanted)
{
	struct aliases *aliases = aliases_in(files, folder, false);
	struct alias *alias = aliases_find(aliases, name);

	if (alias)
		follow_alias(files, folder, aliases, alias, wanted);
	return wanted->found != NULL;
}

struct file *
files_find(struct files *files, const char *directory, enum trust trust,
	   const char *name)
{
	cleanup(freep) char *path = xasprintf("%s/", directory);
	cleanup(freep) char *own = xasprintf("%s%s.conf", path, name);
	const struct folder folder = { path, trust };
	struct file *file = files_read(files, own, trust, false);
	struct wanted wanted = { 0 };

	if (file->library)
		return file;
	find_alias(files, &folder, name, &wanted);
	free(wanted.refused);
	return wanted.found;
}

const struct aliases *
files_aliases(struct files *files, const char *directory, enum trust trust)
{
	cleanup(freep) char *path = xasprintf("%s/", directory);
	const struct folder folder = { path, trust };

	return aliases_in(files, &folder, false);
}

void
files_check_aliases(struct files *files, const char *path)
{
	const char *slash = strrchr(path, '/');
	cleanup(freep) char *place =
		xstrndup(path, slash ? (size_t)(slash - path) + 1 : 0);
	const struct folder folder = { place, TRUST_NAMED };
	struct aliases *aliases = aliases_in(files, &folder, true);

	for (size_t i = 0; i < aliases->list.count; i++) {
		struct wanted wanted = { 0 };

		follow_alias(files, &folder, aliases, aliases->list.at[i],
			     &wanted);
		free(wanted.refused);
	}
}

/* ---- imports ---------------------------------------------------------------
 */

/* Finds the file of an import. The alias "libdl.so" also serves
 * "libdl.so.conf". */
static bool
find_import(struct files *files, const struct folder *folder, const char *name,
	    struct wanted *wanted)
{
	size_t stem = stem_length(name);
	cleanup(freep) char *bare = xstrdup(name);

	if (find_file(files, folder, name, wanted))
		return true;
	if (stem)
		bare[stem] = '\0';
	return find_alias(files, folder, bare, wanted);
}

static int
import(struct importer *importer, const char *name, const char *from,
       const struct library **ret_library, struct err *err)
{
	struct files *files = container_of(importer, struct files, importer);
	const struct file *importing = strmap_get(&files->by_path, from);
	struct wanted wanted = { 0 };
	int r = 0;

	if (files->nested > IMPORTS_NESTED)
		return err_set(err, -ELOOP, "imports are nested too deep");
	find_anywhere(files, name, from, importing->trust, find_import,
		      &wanted);
	if (!wanted.found && wanted.refused)
		r = err_set(err, -EACCES, "'%s' cannot be imported: %s: %s",
			    name, wanted.refused, wanted.why);
	else if (!wanted.found)
		r = err_set(err, -ENOENT, "there is no '%s' to import", name);
	else if (wanted.found->reading)
		r = err_set(err, -ELOOP, "'%s' imports this file", name);
	else
		*ret_library = wanted.found->library;
	free(wanted.refused);
	return r;
}

void
files_init(struct files *files, unsigned word)
{
	*files = (struct files){ .importer = { word, import } };
}

static void
release_aliases(struct files *files)
{
	size_t cursor = 0;
	void *aliases;

	while (strmap_next(&files->aliases, &cursor, NULL, &aliases)) {
		aliases_release(aliases);
		free(aliases);
	}
	strmap_release(&files->aliases);
}

void
files_release(struct files *files)
{
	for (size_t i = 0; i < files->list.count; i++) {
		library_free(files->list.at[i]->library);
		free(files->list.at[i]->why);
		free(files->list.at[i]);
	}
	vec_release(&files->list);
	for (size_t i = 0; i < files->directories.count; i++)
		free(files->directories.at[i].path);
	vec_release(&files->directories);
	strmap_release(&files->by_path);
	release_aliases(files);
	complaints_release(&files->complaints);
	trusted_release(&files->trusted);
}

void
files_add_directory(struct files *files, const char *path, enum trust trust)
{
	struct files_directory directory = { xstrdup(path), trust };

	vec_push(&files->directories, directory);
}
