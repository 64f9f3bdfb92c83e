/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reads /proc/PID/maps. One line is
 *
 *	55d0c0a00000-55d0c0a21000 r-xp 00002000 fe:00 1234   /usr/bin/python3
 *
 * The kernel escapes a newline in a path as \012; this is undone here. A single
 * mapping is read with PROCMAP_QUERY if the kernel has it. This makes a dlopen
 * cheap in a process with thousands of mappings.
 */
#include "process/maps.h"

#include "base/fd.h"
#include "base/xmalloc.h"
#include "process/status.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/sysmacros.h>
#include <unistd.h>

/* The first 64 KiB are never mapped (vm.mmap_min_addr). */
#define LOWEST UINT64_C(0x10000)
/* Distance that we keep from a stack, which grows down, and from guard
 * pages. */
#define DISTANCE UINT64_C(0x10000)

void
maps_init(struct maps *maps)
{
	*maps = (struct maps){ 0 };
}

void
maps_release(struct maps *maps)
{
	for (size_t i = 0; i < maps->mappings.count; i++)
		free(maps->mappings.at[i].path);
	vec_release(&maps->mappings);
}

static char *
unescape(const char *path)
{
	char *copy = xstrdup(path), *to = copy;

	for (const char *from = copy; *from; from++) {
		if (!strncmp(from, "\\012", 4)) {
			*to++ = '\n';
			from += 3;
		} else {
			*to++ = *from;
		}
	}
	*to = '\0';
	return copy;
}

static bool
parse_line(const char *line, struct mapping *mapping)
{
	unsigned long start, end, offset, inode;
	unsigned major, minor;
	char mode[5];
	int path = 0;

	if (sscanf(line, "%lx-%lx %4s %lx %x:%x %lu %n", &start, &end, mode,
		   &offset, &major, &minor, &inode, &path) < 7)
		return false;
	*mapping = (struct mapping){
		.start = start,
		.end = end,
		.offset = offset,
		.device = makedev(major, minor),
		.inode = inode,
		.readable = mode[0] == 'r',
		.writable = mode[1] == 'w',
		.executable = mode[2] == 'x',
		.shared = mode[3] == 's',
		.path = unescape(line + path),
	};
	return true;
}

static int
read_of(struct maps *maps, pid_t pid)
{
	cleanup(freep) char *text = NULL;
	char path[64], *line, *rest;
	size_t length;
	int r;

	snprintf(path, sizeof(path), "/proc/%d/maps", pid);
	r = fd_read_file(path, &text, &length);
	if (r < 0)
		return r == -ENOENT ? -ESRCH : r;
	if (length == 0)
		return -ESRCH;
	rest = text;
	while ((line = strsep(&rest, "\n")) && *line) {
		struct mapping mapping;

		if (parse_line(line, &mapping))
			vec_push(&maps->mappings, mapping);
	}
	return 0;
}

int
maps_read(struct maps *maps, pid_t pid)
{
	int r = read_of(maps, pid);
	pid_t living = r == -ESRCH ? status_living(pid) : pid;

	return living == pid ? r : read_of(maps, living);
}

void
maps_add(struct maps *maps, addr_t start, addr_t end)
{
	struct mapping mapping = { .start = start,
				   .end = end,
				   .path = xstrdup("") };
	size_t at = maps->mappings.count;

	vec_push(&maps->mappings, mapping);
	for (; at > 0 && maps->mappings.at[at - 1].start > start; at--)
		maps->mappings.at[at] = maps->mappings.at[at - 1];
	maps->mappings.at[at] = mapping;
}

const struct mapping *
maps_covering(const struct maps *maps, addr_t address)
{
	size_t low = 0, high = maps->mappings.count;

	while (low < high) {
		size_t middle = (low + high) / 2;
		const struct mapping *m = &maps->mappings.at[middle];

		if (address < m->start)
			high = middle;
		else if (address >= m->end)
			low = middle + 1;
		else
			return m;
	}
	return NULL;
}

/* The highest free space of size bytes in [from, to), or 0. */
static addr_t
highest_gap(const struct maps *maps, addr_t from, addr_t to, uint64_t size)
{
	addr_t end = to;

	for (size_t i = maps->mappings.count; i-- > 0;) {
		const struct mapping *m = &maps->mappings.at[i];

		if (m->start >= end)
			continue;
		if (m->end + DISTANCE + size <= end)
			break;
		end = m->start > DISTANCE ? m->start - DISTANCE : 0;
	}
	return end >= from + size && end <= to ? addr_page(end - size) : 0;
}

addr_t
maps_gap(const struct maps *maps, addr_t low, addr_t high, uint64_t size,
	 uint64_t reach)
{
	addr_t floor = high > reach + LOWEST ? high - reach : LOWEST;
	addr_t ceiling = low + reach, gap = 0;

	if (low > DISTANCE)
		gap = highest_gap(maps, floor, low - DISTANCE, size);
	if (!gap && ceiling > high)
		gap = highest_gap(maps, high, ceiling, size);
	return gap >= LOWEST ? gap : 0;
}

/*
 * PROCMAP_QUERY of Linux 6.11 (include/uapi/linux/fs.h), which Debian 12's
 * headers do not have.
 */
struct map_query {
	uint64_t size, flags, address;
	uint64_t start, end, vm_flags, page_size, offset, inode;
	uint32_t major, minor;
	uint32_t path_size, build_id_size;
	uint64_t path, build_id;
};

#define QUERY _IOWR('f', 17, struct map_query)
#define QUERY_READABLE 1u
#define QUERY_WRITABLE 2u
#define QUERY_EXECUTABLE 4u
#define QUERY_SHARED 8u

static int
ask_file(int fd, addr_t address, struct mapping *ret_mapping)
{
	char path[PATH_MAX];
	struct map_query query = { .size = sizeof(query),
				   .address = address,
				   .path = (uint64_t)(uintptr_t)path,
				   .path_size = sizeof(path) };

	path[0] = '\0';
	if (ioctl(fd, QUERY, &query) < 0)
		return -errno;
	*ret_mapping = (struct mapping){
		.start = query.start,
		.end = query.end,
		.offset = query.offset,
		.device = makedev(query.major, query.minor),
		.inode = query.inode,
		.readable = query.vm_flags & QUERY_READABLE,
		.writable = query.vm_flags & QUERY_WRITABLE,
		.executable = query.vm_flags & QUERY_EXECUTABLE,
		.shared = query.vm_flags & QUERY_SHARED,
		.path = xstrdup(path),
	};
	return 0;
}

static int
open_maps(pid_t pid)
{
	char file[64];

	snprintf(file, sizeof(file), "/proc/%d/maps", pid);
	return open(file, O_RDONLY | O_CLOEXEC);
}

static int
ask_kernel(pid_t pid, addr_t address, struct mapping *ret_mapping)
{
	cleanup(fd_closep) int fd = open_maps(pid);

	return fd < 0 ? -ESRCH : ask_file(fd, address, ret_mapping);
}

int
maps_query_open(int *fd, pid_t pid, addr_t address, struct mapping *ret_mapping)
{
	int r;

	if (*fd < 0)
		*fd = open_maps(pid);
	r = *fd < 0 ? -ESRCH : ask_file(*fd, address, ret_mapping);
	return r == 0 || r == -ENOENT ? r
				      : maps_query(pid, address, ret_mapping);
}

int
maps_query(pid_t pid, addr_t address, struct mapping *ret_mapping)
{
	const struct mapping *found;
	struct maps maps;
	int r = ask_kernel(pid, address, ret_mapping);
	pid_t living = r == -ESRCH ? status_living(pid) : pid;

	if (living != pid)
		r = ask_kernel(living, address, ret_mapping);
	if (r != -ENOTTY && r != -EINVAL)
		return r;
	maps_init(&maps);
	r = maps_read(&maps, pid);
	found = r < 0 ? NULL : maps_covering(&maps, address);
	if (r == 0 && !found)
		r = -ENOENT;
	if (r == 0) {
		*ret_mapping = *found;
		ret_mapping->path = xstrdup(found->path);
	}
	maps_release(&maps);
	return r;
}
