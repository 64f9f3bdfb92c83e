/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * An image is an ELF file, opened once per run however many processes map it.
 * Addresses are the file's own (virtual addresses before the load bias is
 * added).
 *
 * PT_DYNAMIC is enough: everything here works without section headers.
 */
#ifndef SYMBOLS_IMAGE_H
#define SYMBOLS_IMAGE_H

#include "arch/arch.h"
#include "base/addr.h"
#include "base/attr.h"
#include "base/err.h"
#include "base/reader.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

struct image;

/* One PT_LOAD. */
struct segment {
	addr_t address;
	uint64_t size; /* in memory */
	uint64_t file_size;
	uint64_t offset;    /* in the file */
	uint64_t alignment; /* p_align */
	bool executable;
	bool writable;
};

enum image_type { IMAGE_FIXED, IMAGE_RELOCATABLE }; /* ET_EXEC, ET_DYN */

/*
 * Opens the file at path (which may be a /proc/PID/map_files entry); name is
 * what messages and image_name() call it. A file seen before (device, inode,
 * size, mtime) gives the same image again, with one reference more.
 * -ENOEXEC for what is not an ELF program or library of this machine, -EIO if
 * the file ends before its size, with a sentence.
 */
must_check int image_open(const char *path, const char *name,
			  struct image **ret_image, struct err *err);
/* The same from bytes, which it copies: the vdso, a test. Not cached. */
must_check int image_open_memory(const void *bytes, size_t length,
				 const char *name, struct image **ret_image,
				 struct err *err);
struct image *image_ref(struct image *image);
/* The last user's call frees the image, or keeps it idle, because the same file
 * may be opened again soon. If too many images are idle, the oldest one is
 * freed. NULL is allowed. */
void image_unref(struct image *image);
void image_unrefp(struct image **image);

const char *image_name(const struct image *image);
/* DT_SONAME, or NULL. */
const char *image_soname(const struct image *image);
/* soname, or the last part of the name. */
const char *image_label(const struct image *image);
enum image_type image_type(const struct image *image);
/* What its code is made for. */
const struct arch *image_arch(const struct image *image);
addr_t image_entry(const struct image *image);
/* PT_INTERP's text, or NULL. */
const char *image_interpreter(const struct image *image);
/* Address of PT_DYNAMIC, 0 where there is none (a static program). */
addr_t image_dynamic(const struct image *image);
/* The GNU build-id in lower-case hexadecimal, or NULL. */
const char *image_build_id(const struct image *image);
/* Was it linked by Go? */
bool image_go(const struct image *image);
const struct segment *image_segments(const struct image *image,
				     size_t *ret_count);

/* Where this file's debug file is looked for besides our own /usr/lib/debug:
 * before its paths goes root, such as "/proc/PID/root". Say so before the
 * first image_symtab(). */
void image_seen_from(struct image *image, const char *root);

/* The file's bytes at a virtual address (zero beyond file_size), as before
 * any relocation: 0 or -EFAULT. */
must_check int image_read(struct image *image, addr_t from, void *to,
			  size_t length);

/* The whole file, for as long as the image; NULL if it cannot be read. */
const void *image_bytes(struct image *image, size_t *ret_length);
/* The bytes at an offset of the file: 0 or -EFAULT. */
must_check int image_read_file(struct image *image, uint64_t offset, void *to,
			       size_t length);
/* The open file, for as long as the image, or -1. */
int image_descriptor(const struct image *image);

/*
 * Initializers in the order in which the loader runs them: DT_INIT, then
 * DT_INIT_ARRAY's entries (their RELATIVE addends applied), in the file's
 * addresses. Owned by the image.
 */
const addr_t *image_initializers(struct image *image, size_t *ret_count);

/* PT_TLS: its size in memory and its alignment. False without one. */
bool image_tls(const struct image *image, uint64_t *ret_size,
	       uint64_t *ret_align);

/*
 * A word that relocation fills: the first entry of DT_INIT_ARRAY. Where it
 * is and what it holds once the module is relocated, both before the bias is
 * added. False where there is none.
 */
must_check bool image_relocated_word(struct image *image, addr_t *ret_at,
				     addr_t *ret_value);

#endif
