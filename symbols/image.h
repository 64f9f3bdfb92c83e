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

/* A loadable segment (PT_LOAD). */
struct segment {
	addr_t address;
	uint64_t size; /* size in memory */
	uint64_t file_size;
	uint64_t offset;    /* offset in the file */
	uint64_t alignment; /* p_align */
	bool executable;
	bool writable;
};

enum image_type { IMAGE_FIXED, IMAGE_RELOCATABLE }; /* ET_EXEC, ET_DYN */

/*
 * Opens the file at path (which may be a /proc/PID/map_files entry). Messages
 * and image_name() call it name. If the same file (device, inode, size, mtime)
 * is already open, this returns its image with one reference more. Returns a
 * sentence and -ENOEXEC if the file is not an ELF program or library of this
 * machine, or -EIO if the file ends too early.
 */
must_check int image_open(const char *path, const char *name,
			  struct image **ret_image, struct err *err);
/*
 * Makes an image of a copy of the bytes, for the vdso and for tests. It is
 * never shared.
 */
must_check int image_open_memory(const void *bytes, size_t length,
				 const char *name, struct image **ret_image,
				 struct err *err);
struct image *image_ref(struct image *image);
/*
 * Removes a reference. Without references the image is kept for a while,
 * because the same file may be opened again soon. If too many such images are
 * kept, the oldest one is freed. NULL is allowed.
 */
void image_unref(struct image *image);
void image_unrefp(struct image **image);

const char *image_name(const struct image *image);
/* DT_SONAME, or NULL. */
const char *image_soname(const struct image *image);
/* The soname, or the last part of the file's name. */
const char *image_label(const struct image *image);
enum image_type image_type(const struct image *image);
/* The kind of program that the file's code is made for. */
const struct arch *image_arch(const struct image *image);
/* The size of an address in this kind of program, in bytes. */
unsigned image_word(const struct image *image);
/* 0 if the file is for programs of this kind; else -ENOEXEC and a sentence. */
must_check int image_expect(const struct image *image, const struct arch *arch,
			    struct err *err);
addr_t image_entry(const struct image *image);
/* The path in PT_INTERP, or NULL. */
const char *image_interpreter(const struct image *image);
/* The address of PT_DYNAMIC, or 0 if there is none (a static program). */
addr_t image_dynamic(const struct image *image);
/* The GNU build-id in lower-case hexadecimal, or NULL. */
const char *image_build_id(const struct image *image);
/* True if Go's linker made the file. */
bool image_go(const struct image *image);
const struct segment *image_segments(const struct image *image,
				     size_t *ret_count);

/*
 * The debug file is also searched in this root, such as "/proc/PID/root",
 * besides our own /usr/lib/debug. Call this before the first image_symtab().
 */
void image_seen_from(struct image *image, const char *root);

/*
 * Reads the file's bytes at a virtual address, as they are before relocation;
 * beyond file_size they are 0. Returns 0 or -EFAULT.
 */
must_check int image_read(struct image *image, addr_t from, void *to,
			  size_t length);

/* The whole file, valid as long as the image; NULL if it cannot be read. */
const void *image_bytes(struct image *image, size_t *ret_length);
/* Reads bytes at an offset of the file. Returns 0 or -EFAULT. */
must_check int image_read_file(struct image *image, uint64_t offset, void *to,
			       size_t length);
/* The descriptor of the file, valid as long as the image; or -1. */
int image_descriptor(const struct image *image);

/*
 * The addresses of the initializers, in the order in which the loader runs
 * them: DT_INIT, then the entries of DT_INIT_ARRAY with their RELATIVE addends.
 * They are addresses of the file. The image owns the result.
 */
const addr_t *image_initializers(struct image *image, size_t *ret_count);

/* The size in memory and the alignment of PT_TLS. False if there is none. */
bool image_tls(const struct image *image, uint64_t *ret_size,
	       uint64_t *ret_align);

/*
 * A word that relocation fills: the first entry of DT_INIT_ARRAY. *ret_at is
 * its address, *ret_value its content once the module is relocated, both before
 * the load bias is added. False if there is no such word.
 */
must_check bool image_relocated_word(struct image *image, addr_t *ret_at,
				     addr_t *ret_value);

#endif
