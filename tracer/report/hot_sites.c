/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A site knows its number in the list. The list outlives the sites: it is
 * printed when the programs have ended or are left.
 */
#include "tracer/report/hot_sites.h"

#include "base/str.h"
#include "base/vec.h"
#include "base/xmalloc.h"
#include "breakpoints/jumps.h"
#include "symbols/image.h"
#include "tracer/model/say.h"
#include "tracer/report/report.h"

#include <inttypes.h>
#include <stdlib.h>

/* How many sites are printed. */
#define SAID_MOST 20u

struct hot_site {
	char *name; /* a function, or "return to MODULE+0x1234" */
	bool jump;  /* the site has a jump, as far as its last stop tells */
	/* why the site has no jump: a static string; else NULL */
	const char *why;
	uint64_t stops;
};

struct hot_sites {
	vec_of(struct hot_site) list;
};

struct hot_sites *
hot_sites_new(void)
{
	return xcalloc(1, sizeof(struct hot_sites));
}

void
hot_sites_free(struct hot_sites *sites)
{
	for (size_t i = 0; i < sites->list.count; i++)
		free(sites->list.at[i].name);
	vec_release(&sites->list);
	free(sites);
}

static char *
name_of(const struct hit *hit)
{
	const struct site *site = hit->site;
	const struct tracepoint *tracepoint = site->user;
	const struct module *module =
		modmap_covering(&hit->program->modules, site->address);
	struct str name;

	if (tracepoint)
		return xstrdup(tracepoint->shown);
	str_init(&name);
	str_add(&name, "return to ");
	if (module)
		str_addf(&name, "%s+%#" PRIx64, image_label(module->image),
			 site->address - module->bias);
	else
		str_addf(&name, "%#" PRIx64, site->address);
	return str_take(&name);
}

static struct hot_site *
hot_site_of(struct session *session, const struct site *site)
{
	if (!site->hot || site->hot > session->hot_sites->list.count)
		return NULL;
	return &session->hot_sites->list.at[site->hot - 1];
}

static void
change(struct hot_site *hot, const char *why)
{
	hot->jump = !why;
	hot->why = why;
}

void
hot_sites_note(struct hit *hit, const char *why)
{
	struct session *session = hit->session;
	struct hot_site new_one = { .name = NULL };

	if (!session->options->stats)
		return;
	if (!hot_site_of(session, hit->site)) {
		new_one.name = name_of(hit);
		vec_push(&session->hot_sites->list, new_one);
		hit->site->hot = (uint32_t)session->hot_sites->list.count;
	}
	change(hot_site_of(session, hit->site), why);
}

void
hot_sites_given_up(struct session *session, const struct site *site)
{
	struct hot_site *hot = hot_site_of(session, site);

	if (hot)
		change(hot, "threads have trapped in the middle of its jump");
}

void
hot_sites_stopped(struct session *session, const struct site *site)
{
	struct hot_site *hot = hot_site_of(session, site);

	if (!hot)
		return;
	hot->stops++;
	if (hot->jump && !jumps_begun(site))
		change(hot, "its jump was taken back");
}

static int
compare_stops(const void *left, const void *right)
{
	const struct hot_site *a = left, *b = right;

	if (a->stops != b->stops)
		return a->stops < b->stops ? 1 : -1;
	return a < b ? -1 : a > b;
}

void
hot_sites_say(const struct session *session)
{
	struct hot_sites *sites = session->hot_sites;

	vec_sort(&sites->list, compare_stops);
	for (size_t i = 0; i < sites->list.count && i < SAID_MOST; i++) {
		const struct hot_site *hot = &sites->list.at[i];

		say("hot site %s: %s%s; stops since then: %" PRIu64, hot->name,
		    hot->jump ? "a jump" : "a trap, ",
		    hot->jump ? "" : hot->why, hot->stops);
	}
	if (sites->list.count > SAID_MOST)
		say("hot sites: %zu more, with fewer stops",
		    sites->list.count - SAID_MOST);
}
