/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Distributions strip their files and keep the symbols in separate files. We
 * look in gdb's order ("Debugging Information in Separate Files"):
 *
 * - /usr/lib/debug/.build-id/ab/cdef.debug, for the build-id abcdef; the file
 *   must have the same build-id;
 * - the name in .gnu_debuglink, in the file's own directory, in .debug there,
 *   and under /usr/lib/debug; the CRC of the whole file follows the name;
 * - .gnu_debugdata, an xz-compressed ELF file with a .symtab in the file
 *   itself, for functions only ("MiniDebugInfo").
 *
 * For a file in a tracee's own root we look there first, then in our root.
 *
 * Why not libdwfl's finder? The maker of the traced program has made the files
 * beside it, and what elfutils 0.188 does with such files is not bounded:
 *
 * - It inflates .gnu_debugdata, and each file that is found and compressed,
 *   without limit: 104 KiB of xz took 523 MiB of memory.
 * - It maps the file that a link names. If this file is truncated while it is
 *   read, SIGBUS ends xtrace.
 * - It asks the servers in DEBUGINFOD_URLS, and waits up to 90 s for each file
 *   (debuginfod-client-config(7)). A server that needed 8 s made one module
 *   last 8.1 s. Traced threads that stop meanwhile would wait as long.
 * - It closes descriptor 0 if it is called other than by libdwfl's own search.
 *
 * libdwfl needs a descriptor to read native frames, and maps the file. So files
 * of our own /usr/lib/debug are given to it as they are, all others as a copy.
 */
#include "symbols/debugfile.h"

#include "base/fd.h"
#include "base/xmalloc.h"
#include "symbols/image_parts.h"

#include <fcntl.h>
#include <lzma.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

/* A larger .gnu_debugdata is rejected as a decompression bomb. */
#define INFLATED_MOST (256u << 20)
#define LZMA_MEMORY_MOST (256u << 20)

#define DEBUG_TREE "/usr/lib/debug"

/* Opens the image at path; NULL if it has no symbols. Frees path. */
static struct image *
open_debug(char *path)
{
	struct image *image = NULL;

	if (image_open(path, path, &image, NULL) == 0 &&
	    !elf_section_of(image_elf(image), SHT_SYMTAB)) {
		image_unref(image);
		image = NULL;
	}
	free(path);
	return image;
}

static struct image *
find_by_id(const char *id, const char *root)
{
	struct image *image;
	const char *found;

	if (!id || strlen(id) < 4)
		return NULL;
	image = open_debug(xasprintf("%s" DEBUG_TREE "/.build-id/%.2s/%s.debug",
				     root, id, id + 2));
	found = image ? image_build_id(image) : NULL;
	if (image && (!found || strcmp(found, id) != 0)) {
		image_unref(image);
		return NULL;
	}
	return image;
}

/* ---- .gnu_debuglink ----------------------------------------------------- */

/*
 * Reads .gnu_debuglink: a file name, and the CRC at the next multiple of 4
 * after it.
 */
static const char *
link_in(const struct elf *elf, uint32_t *ret_crc)
{
	const struct section *section = elf_section(elf, ".gnu_debuglink");
	struct strings text;
	struct bytes bytes;
	uint64_t at;

	if (!section)
		return NULL;
	bytes = elf_section_bytes(elf, section);
	text = strings_of(bytes.at, bytes.count);
	if (!text.size || strchr(text.at, '/'))
		return NULL;
	at = (strlen(text.at) + 1 + 3) & ~UINT64_C(3);
	if (at > bytes.count || bytes.count - at < sizeof(*ret_crc))
		return NULL;
	memcpy(ret_crc, bytes.at + at, sizeof(*ret_crc));
	return text.at;
}

static struct image *
open_checked(char *path, uint32_t crc)
{
	struct image *image = open_debug(path);
	const uint8_t *bytes;
	size_t length;

	if (!image)
		return NULL;
	bytes = image_bytes(image, &length);
	if (bytes && lzma_crc32(bytes, length, 0) == crc)
		return image;
	image_unref(image);
	return NULL;
}

static struct image *
find_by_link(const struct image *image, const char *root)
{
	const char *name = image_name(image);
	const char *slash = strrchr(name, '/');
	const int length = slash ? (int)(slash - name) : 0;
	struct image *found;
	uint32_t crc;
	const char *link = link_in(image_elf(image), &crc);

	if (!link || !slash)
		return NULL;
	found = open_checked(xasprintf("%s%.*s/%s", root, length, name, link),
			     crc);
	if (!found)
		found = open_checked(xasprintf("%s%.*s/.debug/%s", root, length,
					       name, link),
				     crc);
	if (!found)
		found = open_checked(xasprintf("%s" DEBUG_TREE "%.*s/%s", root,
					       length, name, link),
				     crc);
	return found;
}

/* ---- .gnu_debugdata ----------------------------------------------------- */

/* Inflates the xz file; NULL if that fails. */
static uint8_t *
inflate(const struct bytes *from, size_t *ret_length)
{
	lzma_stream stream = LZMA_STREAM_INIT;
	lzma_ret result = lzma_stream_decoder(&stream, LZMA_MEMORY_MOST, 0);
	uint8_t *bytes = NULL;
	size_t room = 0;

	stream.next_in = from->at;
	stream.avail_in = from->count;
	while (result == LZMA_OK && room < INFLATED_MOST) {
		room = room ? 2 * room : 1u << 16;
		bytes = xrealloc(bytes, room);
		stream.next_out = bytes + stream.total_out;
		stream.avail_out = room - stream.total_out;
		result = lzma_code(&stream, LZMA_FINISH);
	}
	*ret_length = stream.total_out;
	lzma_end(&stream);
	if (result == LZMA_STREAM_END && *ret_length)
		return bytes;
	free(bytes);
	return NULL;
}

static struct image *
find_inside(const struct image *image)
{
	const struct elf *elf = image_elf(image);
	const struct section *section = elf_section(elf, ".gnu_debugdata");
	struct image *found = NULL;
	struct bytes packed;
	uint8_t *bytes;
	size_t length;

	if (!section)
		return NULL;
	packed = elf_section_bytes(elf, section);
	bytes = inflate(&packed, &length);
	if (bytes &&
	    image_open_memory(bytes, length, image_name(image), &found, NULL))
		found = NULL;
	free(bytes);
	return found;
}

struct image *
debugfile_find(struct image *image, const char *root)
{
	struct image *found = NULL;

	if (*root)
		found = find_by_id(image_build_id(image), root);
	if (!found)
		found = find_by_id(image_build_id(image), "");
	if (!found && *root)
		found = find_by_link(image, root);
	if (!found)
		found = find_by_link(image, "");
	if (!found)
		found = find_inside(image);
	return found;
}

struct statics {
	/* Returns NULL if the image's own file has the symbols, or if there are
	 * none. */
	struct image *debug;
	const struct elf *from;
};

static void
free_statics(void *thing)
{
	struct statics *statics = thing;

	image_unref(statics->debug);
	free(statics);
}

const struct elf *
debugfile_statics(struct image *image)
{
	struct statics *statics = image_kept(image, SHELF_STATIC_SYMBOLS);
	const struct elf *elf = image_elf(image);

	if (statics)
		return statics->from;
	statics = xcalloc(1, sizeof(*statics));
	image_keep(image, SHELF_STATIC_SYMBOLS, statics, free_statics);
	if (elf_section_of(elf, SHT_SYMTAB)) {
		statics->from = elf;
		return elf;
	}
	statics->debug = debugfile_find(image, image_root(image));
	if (statics->debug)
		statics->from = image_elf(statics->debug);
	return statics->from;
}

/* The file that debugfile_find() finds, or NULL if it is within the image. */
static struct image *
find_file(struct image *image)
{
	struct image *found = debugfile_find(image, image_root(image));

	/* An inflated image has the name of its outer image. */
	if (!found || strcmp(image_name(found), image_name(image)) != 0)
		return found;
	image_unref(found);
	return NULL;
}

char *
debugfile_path(struct image *image)
{
	struct image *found = find_file(image);
	char *path = found ? xstrdup(image_name(found)) : NULL;

	image_unref(found);
	return path;
}

/* Returns a descriptor of memory with the same bytes, or -1. */
static int
copy_of(struct image *image)
{
	size_t length;
	const uint8_t *bytes = image_bytes(image, &length);
	int fd = bytes ? memfd_create("debug file", MFD_CLOEXEC) : -1;

	if (fd < 0 || fd_write_all(fd, bytes, length) == 0)
		return fd;
	fd_closep(&fd);
	return -1;
}

int
debugfile_open(struct image *image, char **ret_path)
{
	struct image *found = find_file(image);
	const char *path = found ? image_name(found) : "";
	bool ours = strncmp(path, DEBUG_TREE "/", strlen(DEBUG_TREE) + 1) == 0;
	int fd = -1;

	if (found)
		fd = ours ? open(path, O_RDONLY | O_CLOEXEC) : copy_of(found);
	if (fd >= 0)
		*ret_path = xstrdup(path);
	image_unref(found);
	return fd;
}
