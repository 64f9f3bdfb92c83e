/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Files are read with pread(2) and not mapped. If another process truncates a
 * mapped file, reading the missing bytes raises SIGBUS; pread() returns fewer
 * bytes, which is an error of that file only. Bytes that were checked once stay
 * as they were, whatever is written to the file.
 *
 * Files may be large, and few of their bytes are needed. So the copy is a
 * reserved region: the kernel gives it memory where it is written. It is
 * written by blocks of a page, when they are first asked for:
 *
 *	bytes   |#####|     |     |#####|     |
 *	have       1     0     0     1     0
 *
 * The descriptor stays open for the blocks that are not read yet. If
 * descriptors are scarce, all blocks are read at once instead.
 */
#include "symbols/content.h"

#include "base/xmalloc.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#define BLOCK UINT64_C(4096)

void
content_copy(struct content *content, const void *bytes, size_t length)
{
	*content = (struct content){ .length = length, .fd = -1 };
	content->bytes = xmalloc(length);
	memcpy(content->bytes, bytes, length);
}

static bool
read_range(struct content *content, uint64_t from, uint64_t end)
{
	while (from < end) {
		ssize_t n = pread(content->fd, content->bytes + from,
				  end - from, (off_t)from);

		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			return false;
		from += (uint64_t)n;
	}
	return true;
}

static bool
read_blocks(struct content *content, uint64_t first, uint64_t end)
{
	const uint64_t stop =
		end * BLOCK < content->length ? end * BLOCK : content->length;

	if (!read_range(content, first * BLOCK, stop)) {
		content->cut = true;
		return false;
	}
	memset(content->have + first, 1, end - first);
	return true;
}

const uint8_t *
content_at(struct content *content, uint64_t offset, uint64_t length)
{
	uint64_t end, stop;

	if (offset > content->length || length > content->length - offset)
		return NULL;
	if (!content->have || !length)
		return content->bytes + offset;
	stop = (offset + length - 1) / BLOCK + 1;
	for (uint64_t block = offset / BLOCK; block < stop; block = end) {
		end = block + 1;
		if (content->have[block])
			continue;
		while (end < stop && !content->have[end])
			end++;
		if (!read_blocks(content, block, end))
			return NULL;
	}
	return content->bytes + offset;
}

/*
 * The kernel gives out the lowest free descriptor. From half of the limit on,
 * descriptors count as scarce, because xtrace needs the other half.
 */
static bool
is_scarce(int fd)
{
	struct rlimit limit;

	return getrlimit(RLIMIT_NOFILE, &limit) == 0 &&
	       (rlim_t)fd >= limit.rlim_cur / 2;
}

int
content_open(struct content *content, int fd, size_t length)
{
	/*
	 * The length comes from the file, and a wrong length must not end
	 * xtrace. So the memory comes from calls that may fail.
	 */
	uint8_t *have = calloc(length / BLOCK + 1, 1);
	uint8_t *bytes =
		mmap(NULL, length, PROT_READ | PROT_WRITE,
		     MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

	if (!have || bytes == MAP_FAILED) {
		if (bytes != MAP_FAILED)
			munmap(bytes, length);
		free(have);
		close(fd);
		return -ENOMEM;
	}
	*content = (struct content){
		.bytes = bytes,
		.length = length,
		.have = have,
		.fd = fd,
		.mapped = true,
	};
	if (is_scarce(fd) && content_at(content, 0, length)) {
		close(fd);
		free(content->have);
		content->have = NULL;
		content->fd = -1;
	}
	return 0;
}

void
content_release(struct content *content)
{
	if (content->mapped)
		munmap(content->bytes, content->length);
	else
		free(content->bytes);
	if (content->fd >= 0)
		close(content->fd);
	free(content->have);
}
