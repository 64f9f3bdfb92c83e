/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Distributions strip their files and keep the symbols in separate files. We
 * look in gdb's order ("Debugging Information in Separate Files"):
 *
 * - /usr/lib/debug/.build-id/ab/cdef.debug, for the build-id abcdef; the file
 *   must have the same build-id;
 * - the servers in DEBUGINFOD_URLS, asked for the build-id;
 * - the name in .gnu_debuglink, in the file's own directory, in .debug there,
 *   and under /usr/lib/debug; the CRC of the whole file follows the name;
 * - .gnu_debugdata, an xz-compressed ELF file with a .symtab in the file
 *   itself, for functions only ("MiniDebugInfo").
 *
 * libdwfl finds the first two. For a file in a tracee's own root we look there
 * first, because libdwfl does not know that root, then in our root. Servers are
 * not asked for symbols: a name in a filter is looked up in every module, and a
 * process that is stopped for that would wait for hundreds of answers.
 *
 * Links and .gnu_debugdata are not left to libdwfl (elfutils 0.188), because
 * their content comes from the maker of the traced program: libdwfl inflates
 * .gnu_debugdata without limit, and also each file that a link names, or that
 * is called NAME.debug, if it is compressed. 76 KiB of xz took 586 MiB of
 * memory. It also maps these files, so that truncating them is a SIGBUS.
 */
#include "symbols/debugfile.h"

#include "base/fd.h"
#include "base/xmalloc.h"
#include "symbols/image_parts.h"

#include <elfutils/libdwfl.h>
#include <fcntl.h>
#include <lzma.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

/* A larger .gnu_debugdata is rejected as a decompression bomb. */
#define INFLATED_MOST (256u << 20)
#define LZMA_MEMORY_MOST (256u << 20)

#define DEBUG_TREE "/usr/lib/debug"
/* Build-ids are SHA-1 in general: 20 bytes, 40 digits. */
#define ID_LEAST 4 /* digits */
#define ID_MOST 64 /* bytes */

/* Opens the image at path; NULL if it has no symbols. */
static struct image *
open_debug(const char *path, const char *name)
{
	struct image *image = NULL;

	if (image_open(path, name, &image, NULL) == 0 &&
	    !elf_section_of(image_elf(image), SHT_SYMTAB)) {
		image_unref(image);
		image = NULL;
	}
	return image;
}

/* ---- build-ids -----------------------------------------------------------*/

static struct image *
check_id(struct image *image, const char *id)
{
	const char *found = image ? image_build_id(image) : NULL;

	if (found && strcmp(found, id) == 0)
		return image;
	image_unref(image);
	return NULL;
}

static struct image *
find_in_root(const char *id, const char *root)
{
	cleanup(freep) char *path =
		xasprintf("%s" DEBUG_TREE "/.build-id/%.2s/%s.debug", root, id,
			  id + 2);

	return check_id(open_debug(path, path), id);
}

static size_t
read_id(const char *id, unsigned char *bytes)
{
	size_t count = strlen(id) / 2;

	if (count > ID_MOST)
		return 0;
	for (size_t i = 0; i < count; i++)
		sscanf(id + 2 * i, "%2hhx", &bytes[i]);
	return count;
}

/* What libdwfl finds: a descriptor or -1. */
static int
find_with(Dwfl *dwfl, const char *id, bool servers, char **ret_name)
{
	unsigned char bytes[ID_MOST];
	const size_t count = read_id(id, bytes);
	Dwfl_Module *module = dwfl_report_module(dwfl, "", 0, 1);

	if (!module || !count ||
	    dwfl_module_report_build_id(module, bytes, count, 0))
		return -1;
	return servers ? dwfl_standard_find_debuginfo(module, NULL, NULL, 0,
						      NULL, NULL, 0, ret_name)
		       : dwfl_build_id_find_debuginfo(module, NULL, NULL, 0,
						      NULL, NULL, 0, ret_name);
}

/* The client of servers takes 10 ms to begin. */
static bool
has_servers(void)
{
	const char *servers = getenv("DEBUGINFOD_URLS");

	return servers && *servers;
}

static struct image *
find_by_id(const char *id, bool servers)
{
	static const Dwfl_Callbacks callbacks = {
		.find_elf = dwfl_build_id_find_elf,
		.find_debuginfo = dwfl_standard_find_debuginfo,
	};
	cleanup(freep) char *name = NULL;
	cleanup(fd_closep) int fd = -1;
	Dwfl *dwfl = dwfl_begin(&callbacks);
	struct image *image;
	char path[64];

	if (!dwfl)
		return NULL;
	fd = find_with(dwfl, id, servers && has_servers(), &name);
	dwfl_end(dwfl);
	if (fd < 0)
		return NULL;
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	image = open_debug(path, name ? name : "from debuginfod");
	return check_id(image, id);
}

/* ---- .gnu_debuglink ----------------------------------------------------- */

/* Reads the name, and the CRC at the next multiple of 4 after it. */
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

/* Frees path. */
static struct image *
open_checked(char *path, uint32_t crc)
{
	struct image *image = open_debug(path, path);
	const uint8_t *bytes;
	size_t length;

	free(path);
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

/* ---- all places ----------------------------------------------------------*/

/* *ret_trusted: root of this machine, or a server, has given the file. Others
 * are from the maker of the program. */
static struct image *
find_file(struct image *image, const char *root, bool servers,
	  bool *ret_trusted)
{
	const char *id = image_build_id(image);
	struct image *found = NULL;

	*ret_trusted = false;
	if (id && strlen(id) >= ID_LEAST) {
		if (*root)
			found = find_in_root(id, root);
		if (found)
			return found;
		found = find_by_id(id, servers);
		*ret_trusted = found != NULL;
	}
	if (!found && *root)
		found = find_by_link(image, root);
	if (!found)
		found = find_by_link(image, "");
	return found;
}

struct image *
debugfile_find(struct image *image, const char *root)
{
	bool trusted;
	struct image *found = find_file(image, root, false, &trusted);

	return found ? found : find_inside(image);
}

/* A file of our own with the same bytes, or -1. */
static int
copy_file(struct image *image)
{
	size_t length;
	const void *bytes = image_bytes(image, &length);
	cleanup(fd_closep) int fd =
		bytes ? memfd_create("debug file", MFD_CLOEXEC) : -1;
	int copy = fd;

	if (fd < 0 || fd_write_all(fd, bytes, length) < 0)
		return -1;
	fd = -1;
	return copy;
}

int
debugfile_open(struct image *image, char **ret_name)
{
	bool trusted;
	cleanup(image_unrefp) struct image *found =
		find_file(image, image_root(image), true, &trusted);
	int fd;

	if (!found)
		return -1;
	if (trusted && image_descriptor(found) >= 0)
		fd = fcntl(image_descriptor(found), F_DUPFD_CLOEXEC, 0);
	else
		fd = copy_file(found);
	if (fd >= 0)
		*ret_name = xstrdup(image_name(found));
	return fd;
}
