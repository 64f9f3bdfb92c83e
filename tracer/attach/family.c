/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * php-fpm's master process and other pre-forking servers already have their
 * workers when xtrace attaches. With -f these workers are traced, too.
 */
#include "tracer/attach/family.h"

#include <errno.h>

static bool
listed(const struct pids *pids, pid_t pid)
{
	for (size_t i = 0; i < pids->list.count; i++) {
		if (pids->list.at[i] == pid)
			return true;
	}
	return false;
}

int
family_named(const struct options *options, struct pids *ret_pids,
	     struct err *err)
{
	for (size_t i = 0; i < options->pids.count; i++) {
		struct status status;
		pid_t pid = options->pids.at[i];

		if (status_read(pid, &status) < 0)
			return err_set(err, -ESRCH, "no process %d", pid);
		if (!listed(ret_pids, status.pid))
			vec_push(&ret_pids->list, status.pid);
	}
	return 0;
}

size_t
family_grow(struct pids *pids)
{
	size_t before = pids->list.count;

	/* The list grows during this loop. */
	for (size_t i = 0; i < pids->list.count; i++) {
		struct pids children = { 0 };

		status_children(pids->list.at[i], &children);
		for (size_t c = 0; c < children.list.count; c++) {
			if (!listed(pids, children.list.at[c]))
				vec_push(&pids->list, children.list.at[c]);
		}
		vec_release(&children.list);
	}
	return pids->list.count - before;
}
