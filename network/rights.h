/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The rights that a process of xtrace gives up before it speaks to the
 * network. */
#ifndef NETWORK_RIGHTS_H
#define NETWORK_RIGHTS_H

#include "base/attr.h"

/*
 * From now on this process, which must have one thread, cannot trace, signal or
 * read another process, run a program, or write or create a file. Root becomes
 * the user nobody. It cannot get the rights again. Returns 0, or -errno if the
 * process could still trace.
 */
must_check int rights_drop(void);

#endif
