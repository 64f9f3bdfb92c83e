/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * One line is printed for each probe: its name as -x takes it, the types of its
 * arguments, its module, and the number of its places.
 *
 * Of a process only the mappings are read. It is not stopped.
 */
#include "tracer/run/list_probes.h"

#include "conf/model/type.h"
#include "base/escape.h"
#include "base/map.h"
#include "base/parse.h"
#include "base/str.h"
#include "conf/dump/dump.h"
#include "conf/model/proto.h"
#include "process/maps.h"
#include "symbols/modmap.h"
#include "symbols/sdt.h"
#include "tracer/model/say.h"
#include "tracer/options/options.h"
#include "tracer/plan/plan_sdt.h"
#include "tracer/plan/prototypes.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct listing {
	struct prototypes *prototypes;
	struct arena arena;
	struct str text;
	size_t count;
};

static bool
is_same(const struct sdt *a, const struct sdt *b)
{
	return !strcmp(a->provider, b->provider) && !strcmp(a->name, b->name);
}

/* "(string class, string method)" */
static void
add_parameters(const struct proto *proto, struct str *to)
{
	struct proto unnamed = *proto;
	struct str text;
	const char *from;

	unnamed.name = "";
	str_init(&text);
	dump_proto(NULL, &unnamed, &text);
	from = strchr(str_text(&text), '(');
	str_addf(to, "%.*s", (int)strcspn(from, ";"), from);
	str_release(&text);
}

static void
add_probe(struct listing *listing, const struct module *module,
	  const struct sdts *sdts, size_t first)
{
	const struct sdt *sdt = &sdts->list.at[first];
	const struct proto *proto =
		sdt_proto(listing->prototypes, &listing->arena, module, sdt,
			  NULL);
	size_t places = 0;

	for (size_t i = 0; i < sdts->list.count; i++) {
		if (!is_same(sdt, &sdts->list.at[i]))
			continue;
		if (i < first)
			return;
		places++;
	}
	str_add_char(&listing->text, '%');
	escape_name(&listing->text, proto->name);
	add_parameters(proto, &listing->text);
	str_add(&listing->text, "  ");
	escape_name(&listing->text, image_label(module->image));
	str_addf(&listing->text, ", %zu place%s%s\n", places,
		 places == 1 ? "" : "s", sdt->semaphore ? ", semaphore" : "");
	listing->count++;
}

static void
add_image(struct listing *listing, struct image *image)
{
	const struct module module = { .image = image };
	const struct sdts *sdts = image_sdts(image);

	for (size_t i = 0; i < sdts->list.count; i++)
		add_probe(listing, &module, sdts, i);
}

static int
add_file(struct listing *listing, const char *path, struct err *err)
{
	cleanup(image_unrefp) struct image *image = NULL;
	int r = image_open(path, path, &image, err);

	if (r < 0)
		return r;
	add_image(listing, image);
	return 0;
}

/* Lists the probes of a mapped file. A file that cannot be read is left out,
 * because -x could not find its probes either. */
static void
add_mapping(struct listing *listing, pid_t pid, const struct mapping *mapping)
{
	cleanup(image_unrefp) struct image *image = NULL;
	cleanup(freep) char *link = NULL;
	struct err ignored;

	link = xasprintf("/proc/%d/map_files/%" PRIx64 "-%" PRIx64, pid,
			 mapping->start, mapping->end);
	if (access(link, R_OK) < 0) {
		free(link);
		link = xasprintf("/proc/%d/root%s", pid, mapping->path);
	}
	if (image_open(link, mapping->path, &image, &ignored) == 0)
		add_image(listing, image);
}

static int
add_process(struct listing *listing, pid_t pid, struct err *err)
{
	struct strmap seen = { 0 };
	struct maps maps;
	int r;

	maps_init(&maps);
	r = maps_read(&maps, pid);
	if (r < 0)
		err_set(err, r, "process %d: %s", pid, strerror(-r));
	for (size_t i = 0; r == 0 && i < maps.mappings.count; i++) {
		const struct mapping *mapping = &maps.mappings.at[i];

		if (!mapping->executable || mapping->path[0] != '/' ||
		    strmap_get(&seen, mapping->path))
			continue;
		strmap_put(&seen, mapping->path, listing);
		add_mapping(listing, pid, mapping);
	}
	strmap_release(&seen);
	maps_release(&maps);
	return r;
}

static int
add_all(struct listing *listing, const char *subject, struct err *err)
{
	uint64_t pid;
	int r;

	if (parse_unsigned(subject, INT32_MAX, &pid) == 0)
		r = add_process(listing, (pid_t)pid, err);
	else
		r = add_file(listing, subject, err);
	if (r == 0 && listing->count == 0)
		r = err_set(err, -ENOENT, "%s: there are no SDT probes",
			    subject);
	return r;
}

int
list_probes(const struct options *options)
{
	struct listing listing = { 0 };
	struct err err;
	int r = prototypes_new(options, TYPE_WORD, &listing.prototypes, &err);

	if (r < 0) {
		say_error(&err);
		return EXIT_FAILURE;
	}
	r = add_all(&listing, options->probes_of, &err);
	if (r < 0)
		say_error(&err);
	fputs(str_text(&listing.text), stdout);
	str_release(&listing.text);
	arena_release(&listing.arena);
	prototypes_free(listing.prototypes);
	return r < 0 || fflush(stdout) != 0 ? EXIT_FAILURE : EXIT_SUCCESS;
}
