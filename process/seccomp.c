/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The kernel runs all filters of a thread for each call, and the strictest
 * result counts (seccomp(2)). We accept only "allow" and "log".
 */
#include "process/seccomp.h"

#include "arch/bpf.h"
#include "base/log.h"
#include "base/xmalloc.h"

#include <errno.h>
#include <string.h>
#include <sys/ptrace.h>

static bool
filter_allows(const struct sock_filter *filter, size_t length,
	      const struct arch *arch, const struct stub_call *call)
{
	struct seccomp_data data = { .arch = arch->audit };
	struct stub_call own = *call;
	uint32_t answer;

	arch->system_call->own(&own);
	data.nr = (int)own.number;
	_Static_assert(sizeof(data.args) == sizeof(call->arguments),
		       "a system call has six arguments");
	memcpy(data.args, own.arguments, sizeof(data.args));
	if (bpf_run(filter, length, &data, &answer) < 0)
		return false;
	answer &= SECCOMP_RET_ACTION_FULL;
	return answer == SECCOMP_RET_ALLOW || answer == SECCOMP_RET_LOG;
}

/* Runs the thread's number-th filter: 1 if it allows all calls, 0 if not,
 * -ENOENT if there is no such filter. */
static int
ask_filter(pid_t tid, long number, const struct arch *arch,
	   const struct stub_call *calls, size_t count)
{
	cleanup(freep) struct sock_filter *filter = NULL;
	long length =
		ptrace(PTRACE_SECCOMP_GET_FILTER, tid, (void *)number, NULL);

	if (length <= 0)
		return length < 0 ? -errno : 0;
	filter = xcalloc((size_t)length, sizeof(*filter));
	if (ptrace(PTRACE_SECCOMP_GET_FILTER, tid, (void *)number, filter) !=
	    length)
		return 0;
	for (size_t i = 0; i < count; i++) {
		if (filter_allows(filter, (size_t)length, arch, &calls[i]))
			continue;
		debug("%d: its policy does not allow system call %ld", tid,
		      calls[i].number);
		return 0;
	}
	return 1;
}

bool
seccomp_allows(pid_t tid, int mode, const struct arch *arch,
	       const struct stub_call *calls, size_t count)
{
	long number = 0;
	int r = 1;

	if (mode == SECCOMP_MODE_DISABLED)
		return true;
	if (mode != SECCOMP_MODE_FILTER)
		return false;
	while (r > 0)
		r = ask_filter(tid, number++, arch, calls, count);
	/* -ENOENT: there are no further filters, so all filters allow the
	 * calls. number > 1: there is at least one filter. */
	return r == -ENOENT && number > 1;
}
