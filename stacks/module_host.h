/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A module of a tracee as a host: all symbols of the program are searched, and
 * the exported symbols of other modules. */
#ifndef STACKS_MODULE_HOST_H
#define STACKS_MODULE_HOST_H

#include "stacks/host.h"
#include "symbols/modmap.h"

struct module_host {
	struct host host;
	const struct module *module;
};

/* Keeps the module, which the caller owns. */
void module_host_init(struct module_host *host, const struct module *module);

#endif
