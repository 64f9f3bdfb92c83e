/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The sites at return addresses. If calls return to the same address again and
 * again (a loop that calls), the address keeps its site. If no call waits to
 * return to a site, the site is removed after it has been hit often enough for
 * nothing (tracer/run/trap.c). If threads often come to a site that are in no
 * traced call, the site is removed at each return of a traced call, and planted
 * again for the next one.
 */
#include "tracer/report/return_site.h"

#include "base/log.h"
#include "process/maps.h"
#include "tracer/plan/plan.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static bool
executable(const struct program *program, addr_t address)
{
	const struct module *module =
		modmap_covering(&program->modules, address);
	struct mapping mapping;
	size_t count;

	if (module) {
		const struct segment *segments =
			image_segments(module->image, &count);

		for (size_t i = 0; i < count; i++) {
			addr_t at =
				address - module->bias - segments[i].address;

			if (at < segments[i].size)
				return segments[i].executable;
		}
		return false;
	}
	if (maps_query(program->space->pid, address, &mapping) < 0)
		return false;
	free(mapping.path);
	return mapping.executable;
}

int
return_site_await(struct hit *hit, addr_t address)
{
	struct sites *sites = &hit->program->sites;
	struct site *site = sites_find(sites, address);
	struct thread *stopped = hit->before ? NULL : hit->record->thread;
	const char *why = NULL;
	int r;

	if (site && site_owned(site, SITE_OWNER_RETURN) && site->planted) {
		site->awaited++;
		return 0;
	}
	if (site) {
		site->idle = 0;
		r = sites_own(sites, site, SITE_OWNER_RETURN);
	} else if (!executable(hit->program, address)) {
		return -ENOTSUP;
	} else {
		r = sites_plant_one(sites, address, SITE_OWNER_RETURN, stopped,
				    &site, &why);
	}
	if (r == 0) {
		site->awaited++;
		site->reached_by =
			plan_reached_by(hit->program, address, stopped);
	}
	if (r < 0 && r != -ESRCH) {
		debug("no return site at %#" PRIxADDR ": %s", address,
		      why ? why : strerror(-r));
		return -ENOTSUP;
	}
	return r;
}

bool
return_site_shared(struct program *program, addr_t address)
{
	struct site *site = sites_find(&program->sites, address);

	if (!site || !site_owned(site, SITE_OWNER_RETURN) || !site->planted)
		return false;
	site->awaited++;
	return true;
}

void
return_site_no_more(struct program *program, addr_t address)
{
	struct site *site = sites_find(&program->sites, address);

	if (site && site->awaited > 0)
		site->awaited--;
}
