/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reads /proc/PID/auxv whole and picks the entries that xtrace uses. */
#include "process/auxv.h"

#include "base/fd.h"
#include "base/xmalloc.h"
#include "process/status.h"

#include <elf.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>

static void
take_entry(struct auxv *auxv, uint64_t type, uint64_t value)
{
	switch (type) {
	case AT_BASE:
		auxv->base = value;
		break;
	case AT_ENTRY:
		auxv->entry = value;
		break;
	case AT_PHDR:
		auxv->phdr = value;
		break;
	case AT_PHNUM:
		auxv->phnum = value;
		break;
	case AT_SYSINFO_EHDR:
		auxv->vdso = value;
		break;
	default:
		break;
	}
}

static int
read_of(pid_t pid, unsigned word, struct auxv *ret_auxv)
{
	cleanup(freep) char *bytes = NULL;
	struct auxv auxv = { 0 };
	char path[64];
	size_t length;
	int r;

	snprintf(path, sizeof(path), "/proc/%d/auxv", pid);
	r = fd_read_file(path, &bytes, &length);
	if (r < 0)
		return r;
	if (length == 0)
		return -ESRCH;
	for (size_t at = 0; at + 2 * word <= length; at += 2 * word) {
		uint64_t type = 0, value = 0;

		memcpy(&type, bytes + at, word);
		memcpy(&value, bytes + at + word, word);
		take_entry(&auxv, type, value);
	}
	*ret_auxv = auxv;
	return 0;
}

int
auxv_read(pid_t pid, unsigned word, struct auxv *ret_auxv)
{
	int r = read_of(pid, word, ret_auxv);
	pid_t living = r == -ESRCH ? status_living(pid) : pid;

	return living == pid ? r : read_of(living, word, ret_auxv);
}
