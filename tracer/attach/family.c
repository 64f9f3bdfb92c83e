/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * php-fpm's master process and other pre-forking servers already have their
 * workers when xtrace attaches. With -f these workers are traced, too.
 *
 * --attach-name and similar options choose processes that the user does not
 * know one by one. If one of these processes is traced already, belongs to
 * another user or has ended, xtrace says so and traces the rest.
 */
#include "tracer/attach/family.h"

#include "process/attach.h"
#include "tracer/model/say.h"

#include <errno.h>
#include <unistd.h>

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
family_named(const struct options *options, unsigned word,
	     struct family *ret_family, struct err *err)
{
	struct family family = { .word = word };

	for (size_t i = 0; i < options->pids.count; i++) {
		struct status status = { .pid = options->pids.at[i] };
		bool required = i < options->required_pids;

		if (status_read(status.pid, &status) < 0 && required) {
			family_release(&family);
			return err_set(err, -ESRCH, "no process %d",
				       options->pids.at[i]);
		}
		if (!listed(&family.pids, status.pid))
			vec_push(&family.pids.list, status.pid);
		if (required)
			family.required = family.pids.list.count;
	}
	family.named = family.pids.list.count;
	*ret_family = family;
	return 0;
}

void
family_grow(struct family *family)
{
	struct pids *pids = &family->pids;

	/* The list grows during this loop, so its count is read in each
	 * turn. */
	for (size_t i = 0; i < pids->list.count; i++) {
		struct pids children = { 0 };

		status_children(pids->list.at[i], &children);
		for (size_t c = 0; c < children.list.count; c++) {
			if (!listed(pids, children.list.at[c]))
				vec_push(&pids->list, children.list.at[c]);
		}
		vec_release(&children.list);
	}
}

static bool
announced(pid_t pid)
{
	struct status status;

	return status_read(pid, &status) < 0 || status.tracer == gettid();
}

int
family_check(struct family *family, size_t first, struct err *err)
{
	struct pids *pids = &family->pids;
	size_t kept = first, named = family->named;

	for (size_t i = first; i < pids->list.count; i++) {
		pid_t pid = pids->list.at[i];
		int r;

		if (i >= family->named && announced(pid))
			continue;
		r = attach_check(pid, family->word, err);
		if (r == 0) {
			pids->list.at[kept++] = pid;
			continue;
		}
		r = family_leave_out(family, i, r, err);
		if (r < 0)
			return r;
		named -= i < family->named;
	}
	pids->list.count = kept;
	family->named = named;
	return 0;
}

int
family_leave_out(struct family *family, size_t index, int r,
		 const struct err *err)
{
	if (index >= family->named && r == -ENOTSUP)
		say_error(err);
	if (index >= family->named)
		return r == -ESRCH || r == -ENOTSUP ? 0 : r;
	if (index < family->required)
		return r;
	say("left out: %s", err->text);
	family->left_out = true;
	return 0;
}

void
family_say_untraced(const struct family *family)
{
	for (size_t i = 0; i < family->named; i++) {
		pid_t pid = family->pids.list.at[i];
		size_t count = status_child_count(pid);

		if (count == 1)
			say("1 child of %d is not traced; -f follows it", pid);
		else if (count > 1)
			say("%zu children of %d are not traced; -f follows "
			    "them",
			    count, pid);
	}
}

int
family_none_left(struct err *err)
{
	return err_set(err, -ESRCH, "no process is left to trace");
}

void
family_release(struct family *family)
{
	vec_release(&family->pids.list);
}
