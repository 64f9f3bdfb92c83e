/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The machine that seccomp policies are written for: a small processor of the
 * kernel's whose programs look at one system call and say what becomes of it
 * (seccomp(2), Documentation/userspace-api/seccomp_filter.rst).
 */
#ifndef ARCH_BPF_H
#define ARCH_BPF_H

#include "base/attr.h"

#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <stdint.h>

/*
 * What the program answers for this call: SECCOMP_RET_* with its data. 0; or
 * -ENOTSUP where that cannot be said: it asks where the call is made from,
 * which is not known, or is no program that the kernel would take.
 */
must_check int bpf_run(const struct sock_filter *program, size_t count,
		       const struct seccomp_data *call, uint32_t *ret_answer);

#endif
