/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The content has the bytes of a file, and symbols/elf takes them apart. The
 * images of files are in one list, so that a library is read once however many
 * processes map it. Device, inode, size and time of change identify a file. Its
 * path does not, because it may be a /proc/PID/map_files entry or a path in
 * another root. Images without references are kept for a while, because a
 * shell, for example, runs the next process soon after the last one has ended.
 *
 * The other files of this room put what they make of an image (tables of
 * symbols, of imports) on its shelf, and the image frees it.
 */
#include "symbols/image_parts.h"

#include "base/fd.h"
#include "base/list.h"
#include "base/vec.h"
#include "base/xmalloc.h"
#include "symbols/dynamic.h"
#include "symbols/relocations.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>

struct identity {
	dev_t device;
	ino_t inode;
	off_t size;
	struct timespec modified;
};

struct kept_thing {
	void *thing;
	void (*free_thing)(void *thing);
};

struct image {
	struct content content;
	struct elf elf;
	struct list open; /* links it into open_images, or into no list */
	struct identity identity;
	unsigned references;
	char *name;
	char *root;
	bool initializers_read;
	vec_of(addr_t) initializers;
	struct kept_thing kept[SHELF_COUNT];
};

/*
 * A process maps tens of files. The limit is low because an open file keeps its
 * disk in use.
 */
#define IDLE_MAX 64

/*
 * open_images: the images with references. idle_images: the images that lost
 * their last reference, the oldest first.
 */
static struct list open_images = { &open_images, &open_images };
static struct list idle_images = { &idle_images, &idle_images };
static unsigned idle_count;

/* Takes over the content, even if the file is refused. */
static int
open_content(const struct content *content, const char *name,
	     struct image **ret_image, struct err *err)
{
	cleanup(image_unrefp) struct image *image = xcalloc(1, sizeof(*image));
	int error;

	list_init(&image->open);
	image->references = 1;
	image->content = *content;
	image->name = xstrdup(name);
	error = elf_init(&image->elf, &image->content, name, err);
	if (!error) {
		dynamic_read_hash(&image->elf);
	}
	if (image->content.cut)
		return err_set(err, -EIO,
			       "%s: shorter than its size, or it "
			       "cannot be read",
			       name);
	if (error)
		return error;
	*ret_image = take(image);
	return 0;
}

static bool
same_file(const struct identity *a, const struct identity *b)
{
	return a->device == b->device && a->inode == b->inode &&
	       a->size == b->size && a->modified.tv_sec == b->modified.tv_sec &&
	       a->modified.tv_nsec == b->modified.tv_nsec;
}

static struct image *
find_among(struct list *images, const struct identity *identity)
{
	list_each(link, after, images) {
		struct image *image = list_item(link, struct image, open);

		if (same_file(&image->identity, identity))
			return image;
	}
	return NULL;
}

static struct image *
find_open(const struct identity *identity)
{
	struct image *image = find_among(&open_images, identity);

	if (image)
		return image_ref(image);
	image = find_among(&idle_images, identity);
	if (!image)
		return NULL;
	idle_count--;
	list_remove(&image->open);
	list_append(&open_images, &image->open);
	return image_ref(image);
}

/* Takes over the descriptor: *fd becomes -1. */
static int
read_file(int *fd, const struct identity *identity, const char *name,
	  struct image **ret_image, struct err *err)
{
	struct content content;
	struct image *image;
	int error = content_open(&content, *fd, (size_t)identity->size);

	*fd = -1;
	if (error)
		return err_set(err, error, "%s: %s", name, strerror(-error));
	error = open_content(&content, name, &image, err);
	if (error)
		return error;
	image->identity = *identity;
	list_append(&open_images, &image->open);
	*ret_image = image;
	return 0;
}

int
image_open(const char *path, const char *name, struct image **ret_image,
	   struct err *err)
{
	/* O_NONBLOCK, because opening a FIFO would wait for its writer. */
	cleanup(fd_closep) int fd =
		open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
	struct identity identity;
	struct image *image;
	struct stat stat;

	if (fd < 0 || fstat(fd, &stat) < 0)
		return err_set(err, -errno, "%s: %s", name, strerror(errno));
	if (!S_ISREG(stat.st_mode))
		return err_set(err, -ENOEXEC, "%s: not a regular file", name);
	identity = (struct identity){ stat.st_dev, stat.st_ino, stat.st_size,
				      stat.st_mtim };
	image = find_open(&identity);
	if (image) {
		*ret_image = image;
		return 0;
	}
	if (identity.size == 0)
		return err_set(err, -ENOEXEC, "%s: empty", name);
	return read_file(&fd, &identity, name, ret_image, err);
}

int
image_open_memory(const void *bytes, size_t length, const char *name,
		  struct image **ret_image, struct err *err)
{
	struct content content;

	content_copy(&content, bytes, length);
	return open_content(&content, name, ret_image, err);
}

struct image *
image_ref(struct image *image)
{
	image->references++;
	return image;
}

static void
free_image(struct image *image)
{
	list_remove(&image->open);
	for (size_t i = 0; i < SHELF_COUNT; i++)
		if (image->kept[i].thing)
			image->kept[i].free_thing(image->kept[i].thing);
	vec_release(&image->initializers);
	elf_release(&image->elf);
	content_release(&image->content);
	free(image->root);
	free(image->name);
	free(image);
}

static void
keep_idle(struct image *image)
{
	list_remove(&image->open);
	list_append(&idle_images, &image->open);
	if (++idle_count <= IDLE_MAX)
		return;
	idle_count--;
	free_image(list_item(idle_images.next, struct image, open));
}

void
image_unref(struct image *image)
{
	if (!image)
		return;
	assert(image->references > 0);
	if (--image->references)
		return;
	if (list_empty(&image->open))
		free_image(image);
	else
		keep_idle(image);
}

void
image_unrefp(struct image **image)
{
	image_unref(*image);
}

const char *
image_name(const struct image *image)
{
	return image->name;
}

const char *
image_soname(const struct image *image)
{
	uint64_t offset;

	if (!dynamic_value(&image->elf, DT_SONAME, &offset))
		return NULL;
	return dynamic_string(&image->elf, offset);
}

const char *
image_label(const struct image *image)
{
	const char *soname = image_soname(image);
	const char *slash = strrchr(image->name, '/');

	if (soname && *soname)
		return soname;
	return slash ? slash + 1 : image->name;
}

enum image_type
image_type(const struct image *image)
{
	return image->elf.type;
}

const struct arch *
image_arch(const struct image *image)
{
	return image->elf.arch;
}

unsigned
image_word(const struct image *image)
{
	return image_arch(image)->word;
}

int
image_expect(const struct image *image, const struct arch *arch,
	     struct err *err)
{
	if (image->elf.arch == arch)
		return 0;
	return err_set(err, -ENOEXEC, "%s: for %s, not for %s", image->name,
		       image->elf.arch->name, arch->name);
}

addr_t
image_entry(const struct image *image)
{
	return image->elf.entry;
}

const char *
image_interpreter(const struct image *image)
{
	return image->elf.interpreter;
}

addr_t
image_dynamic(const struct image *image)
{
	return image->elf.dynamic;
}

const char *
image_build_id(const struct image *image)
{
	return image->elf.build_id;
}

bool
image_go(const struct image *image)
{
	return image->elf.go;
}

const struct segment *
image_segments(const struct image *image, size_t *ret_count)
{
	*ret_count = image->elf.segments.count;
	return image->elf.segments.at;
}

const struct elf *
image_elf(const struct image *image)
{
	return &image->elf;
}

const void *
image_bytes(struct image *image, size_t *ret_length)
{
	*ret_length = image->content.length;
	return content_at(&image->content, 0, image->content.length);
}

int
image_read_file(struct image *image, uint64_t offset, void *to, size_t length)
{
	const uint8_t *bytes = content_at(&image->content, offset, length);

	if (!bytes)
		return -EFAULT;
	memcpy(to, bytes, length);
	return 0;
}

int
image_descriptor(const struct image *image)
{
	return image->content.fd;
}

int
image_read(struct image *image, addr_t from, void *to, size_t length)
{
	return elf_read(&image->elf, from, to, length);
}

void
image_seen_from(struct image *image, const char *root)
{
	free(image->root);
	image->root = xstrdup(root);
}

const char *
image_root(const struct image *image)
{
	return image->root ? image->root : "";
}

void *
image_kept(const struct image *image, enum image_shelf shelf)
{
	return image->kept[shelf].thing;
}

void
image_keep(struct image *image, enum image_shelf shelf, void *thing,
	   void (*free_thing)(void *thing))
{
	image->kept[shelf] = (struct kept_thing){ thing, free_thing };
}

static void
add_initializer(struct image *image, addr_t address)
{
	if (elf_text(&image->elf, address))
		vec_push(&image->initializers, address);
}

static void
read_initializers(struct image *image)
{
	uint64_t init, array, size;
	addr_t *pointers;

	image->initializers_read = true;
	if (dynamic_value(&image->elf, DT_INIT, &init))
		add_initializer(image, init);
	if (!dynamic_value(&image->elf, DT_INIT_ARRAY, &array) ||
	    !dynamic_value(&image->elf, DT_INIT_ARRAYSZ, &size) ||
	    !elf_span(&image->elf, array, size))
		return;
	size /= image->elf.arch->word;
	pointers = xcalloc(size + 1, sizeof(addr_t));
	if (relocations_pointers(&image->elf, array, size, pointers))
		for (size_t i = 0; i < size; i++)
			add_initializer(image, pointers[i]);
	free(pointers);
}

const addr_t *
image_initializers(struct image *image, size_t *ret_count)
{
	if (!image->initializers_read)
		read_initializers(image);
	*ret_count = image->initializers.count;
	return image->initializers.at;
}

bool
image_tls(const struct image *image, uint64_t *ret_size, uint64_t *ret_align)
{
	if (!image->elf.tls_size)
		return false;
	*ret_size = image->elf.tls_size;
	*ret_align = image->elf.tls_align;
	return true;
}

bool
image_relocated_word(struct image *image, addr_t *ret_at, addr_t *ret_value)
{
	uint64_t array, size, value;

	if (!dynamic_value(&image->elf, DT_INIT_ARRAY, &array) ||
	    !dynamic_value(&image->elf, DT_INIT_ARRAYSZ, &size) ||
	    size < image->elf.arch->word ||
	    !relocations_pointers(&image->elf, array, 1, &value) ||
	    !elf_text(&image->elf, value))
		return false;
	*ret_at = array;
	*ret_value = value;
	return true;
}
