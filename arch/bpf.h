/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Runs seccomp policies. A policy is a program for a small virtual machine in
 * the kernel; it reads one system call and decides about it (seccomp(2),
 * Documentation/userspace-api/seccomp_filter.rst).
 */
#ifndef ARCH_BPF_H
#define ARCH_BPF_H

#include "base/attr.h"

#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <stdint.h>

/*
 * The policy's result for this call: SECCOMP_RET_* with its data. 0, or
 * -ENOTSUP if it cannot be computed: the policy reads the address of the call,
 * which is unknown, or the kernel would refuse the policy.
 */
must_check int bpf_run(const struct sock_filter *program, size_t count,
		       const struct seccomp_data *call, uint32_t *ret_answer);

#endif
