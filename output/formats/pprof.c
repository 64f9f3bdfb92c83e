/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * pprof's profile.proto (github.com/google/pprof, proto/profile.proto),
 * compressed by gzip, as its readers expect. A node of the tree with its own
 * weight is a sample. A label is a location and a function; both have the
 * label's number, from 1. A module is a mapping; the first mapping is the
 * program.
 *
 * pprof shortens a function's name if system_name is the same: it takes
 * "<module>" for the arguments of a template and shows <unknown>, and adds up
 * the instances of a template. Therefore system_name is the mangled name and
 * the name the demangled one. system_name is absent if nothing is mangled.
 *
 * A sample has two values, calls and microseconds, and with --weight bytes a
 * third, bytes. The weight that --weight selects is the default in pprof. Each
 * field of the file is written as soon as it is complete.
 */
#include "base/escape.h"
#include "base/gzip.h"
#include "base/map.h"
#include "base/str.h"
#include "base/xmalloc.h"
#include "output/formats/protobuf.h"
#include "output/out.h"
#include "output/stacks/tree.h"
#include "output/stacks/treesink.h"
#include "symbols/demangle.h"

#include <stdlib.h>
#include <string.h>

/* The numbers of the fields in the messages of profile.proto. */
enum {
	PROFILE_SAMPLE_TYPE = 1,
	PROFILE_SAMPLE = 2,
	PROFILE_MAPPING = 3,
	PROFILE_LOCATION = 4,
	PROFILE_FUNCTION = 5,
	PROFILE_STRINGS = 6,
	PROFILE_TIME = 9,
	PROFILE_DURATION = 10,
	PROFILE_DEFAULT_TYPE = 14,
	TYPE_KIND = 1,
	TYPE_UNIT = 2,
	SAMPLE_LOCATIONS = 1,
	SAMPLE_VALUES = 2,
	MAPPING_ID = 1,
	MAPPING_FILE = 5,
	MAPPING_HAS_FUNCTIONS = 7,
	MAPPING_HAS_FILES = 8,
	MAPPING_HAS_LINES = 9,
	LOCATION_ID = 1,
	LOCATION_MAPPING = 2,
	LOCATION_LINE = 4,
	LINE_FUNCTION = 1,
	LINE_NUMBER = 2,
	FUNCTION_ID = 1,
	FUNCTION_NAME = 2,
	FUNCTION_SYSTEM_NAME = 3,
	FUNCTION_FILE = 4
};

/* The first strings of the table. After them, each label has three: name, file
 * and symbol. The names of the modules follow. */
static const char *const words[] = { "",     "calls",	     "count",
				     "time", "microseconds", "bytes",
				     "other" };
enum {
	WORD_CALLS = 1,
	WORD_COUNT,
	WORD_TIME,
	WORD_MICROSECONDS,
	WORD_BYTES,
	WORD_OTHER
};

struct pprof {
	const struct tree *tree;
	struct out *out;
	struct gzip *gzip;
	struct str message, part, inner, compressed;
	/* name of a module -> the number of its mapping */
	struct strmap by_module;
	vec_of(const char *) modules;
	bool bytes;
};

static void
write_compressed(struct pprof *pprof)
{
	out_write(pprof->out, str_text(&pprof->compressed),
		  pprof->compressed.length);
	out_flush(pprof->out, true);
	str_clear(&pprof->compressed);
}

static void
write_message(struct pprof *pprof, const struct str *message)
{
	gzip_add(pprof->gzip, message, &pprof->compressed);
	write_compressed(pprof);
}

static void
put(struct pprof *pprof, unsigned field)
{
	struct str whole;

	str_init(&whole);
	protobuf_add_str(&whole, field, &pprof->message);
	write_message(pprof, &whole);
	str_release(&whole);
	str_clear(&pprof->message);
}

static void
put_type(struct pprof *pprof, unsigned kind, unsigned unit)
{
	protobuf_add_number(&pprof->message, TYPE_KIND, kind);
	protobuf_add_number(&pprof->message, TYPE_UNIT, unit);
	put(pprof, PROFILE_SAMPLE_TYPE);
}

/* Writes the sample of a node. Only the root has no label. The root's own
 * weight is that of stacks for which the tree had no more nodes. */
static void
put_sample(struct pprof *pprof, const struct tree_node *node)
{
	str_clear(&pprof->part);
	for (const struct tree_node *at = node; at->label; at = at->outer)
		protobuf_add_packed(&pprof->part, at->label->number + 2);
	if (!node->label)
		protobuf_add_packed(&pprof->part, 1);
	protobuf_add_str(&pprof->message, SAMPLE_LOCATIONS, &pprof->part);
	str_clear(&pprof->part);
	protobuf_add_packed(&pprof->part, tree_weight(node, LOOK_WEIGHT_CALLS));
	protobuf_add_packed(&pprof->part, tree_weight(node, LOOK_WEIGHT_TIME));
	if (pprof->bytes)
		protobuf_add_packed(&pprof->part,
				    tree_weight(node, LOOK_WEIGHT_BYTES));
	protobuf_add_str(&pprof->message, SAMPLE_VALUES, &pprof->part);
	put(pprof, PROFILE_SAMPLE);
}

/* ---- modules ------------------------------------------------------------- */

static uint64_t
mapping_of(struct pprof *pprof, const char *module)
{
	uintptr_t number = (uintptr_t)strmap_get(&pprof->by_module, module);

	if (number)
		return number;
	vec_push(&pprof->modules, module);
	strmap_put(&pprof->by_module, module, (void *)pprof->modules.count);
	return pprof->modules.count;
}

/* The first process's program: "python3" of "python3 1234". If processes were
 * put together, there is no number. */
static char *
program_of(const struct tree *tree)
{
	for (size_t i = 0; i < tree->labels.count; i++) {
		const struct tree_label *label = tree->labels.at[i];
		const char *space = strrchr(label->name, ' ');
		size_t length = strlen(label->name);

		if (label->kind != TREE_PROCESS)
			continue;
		if (space && !space[1 + strspn(space + 1, "0123456789")])
			length = (size_t)(space - label->name);
		return xstrndup(label->name, length);
	}
	return NULL;
}

static void
put_mapping(struct pprof *pprof, uint64_t id, uint64_t name)
{
	protobuf_add_number(&pprof->message, MAPPING_ID, id);
	protobuf_add_number(&pprof->message, MAPPING_FILE, name);
	/* Says that names, files and lines are complete. Otherwise pprof would
	 * look for the module's file to find them. */
	protobuf_add_number(&pprof->message, MAPPING_HAS_FUNCTIONS, true);
	protobuf_add_number(&pprof->message, MAPPING_HAS_FILES, true);
	protobuf_add_number(&pprof->message, MAPPING_HAS_LINES, true);
	put(pprof, PROFILE_MAPPING);
}

/* ---- labels -------------------------------------------------------------- */

static void
put_location(struct pprof *pprof, uint64_t id, const struct tree_label *label)
{
	str_clear(&pprof->part);
	protobuf_add_number(&pprof->part, LINE_FUNCTION, id);
	protobuf_add_number(&pprof->part, LINE_NUMBER, label ? label->line : 0);
	protobuf_add_number(&pprof->message, LOCATION_ID, id);
	if (label && label->module)
		protobuf_add_number(&pprof->message, LOCATION_MAPPING,
				    mapping_of(pprof, label->module));
	protobuf_add_str(&pprof->message, LOCATION_LINE, &pprof->part);
	put(pprof, PROFILE_LOCATION);
}

static void
put_function(struct pprof *pprof, uint64_t id, uint64_t name, uint64_t file,
	     uint64_t symbol)
{
	protobuf_add_number(&pprof->message, FUNCTION_ID, id);
	protobuf_add_number(&pprof->message, FUNCTION_NAME, name);
	protobuf_add_number(&pprof->message, FUNCTION_SYSTEM_NAME, symbol);
	protobuf_add_number(&pprof->message, FUNCTION_FILE, file);
	put(pprof, PROFILE_FUNCTION);
}

static void
put_string(struct pprof *pprof, const char *text)
{
	escape_name(&pprof->message, text);
	put(pprof, PROFILE_STRINGS);
}

/* Writes three strings for a label: the name, the file, and the symbol if it is
 * mangled. A name that the trace prints mangled is demangled with its
 * parameters. */
static void
put_strings(struct pprof *pprof, const struct tree_label *label)
{
	cleanup(freep) char *plain =
		label->symbol ? demangle(label->symbol) : NULL;
	const char *name = label->function ? label->function : label->name;

	if (plain && strcmp(name, label->symbol) == 0)
		name = plain;
	put_string(pprof, name);
	put_string(pprof, label->file ? label->file : "");
	put_string(pprof, plain ? label->symbol : "");
}

static void
put_labels(struct pprof *pprof)
{
	const struct tree *tree = pprof->tree;
	cleanup(freep) char *program = program_of(tree);
	uint64_t first = array_size(words);
	uint64_t modules = first + 3 * tree->labels.count;

	if (program)
		mapping_of(pprof, program);
	put_location(pprof, 1, NULL);
	put_function(pprof, 1, WORD_OTHER, 0, 0);
	for (size_t i = 0; i < tree->labels.count; i++) {
		const struct tree_label *label = tree->labels.at[i];
		uint64_t strings = first + 3 * i;

		put_location(pprof, i + 2, label);
		put_function(pprof, i + 2, strings,
			     label->file ? strings + 1 : 0,
			     label->symbol ? strings + 2 : 0);
	}
	for (size_t i = 0; i < pprof->modules.count; i++)
		put_mapping(pprof, i + 1, modules + i);
	for (size_t i = 0; i < array_size(words); i++)
		put_string(pprof, words[i]);
	for (size_t i = 0; i < tree->labels.count; i++)
		put_strings(pprof, tree->labels.at[i]);
	for (size_t i = 0; i < pprof->modules.count; i++)
		put_string(pprof, pprof->modules.at[i]);
}

static bool
weighs(const struct tree_node *node)
{
	return node->self[LOOK_WEIGHT_CALLS] || node->self[LOOK_WEIGHT_TIME];
}

/*
 * Writes when the run began, how long it took, and which value to show first.
 */
static void
put_run(struct pprof *pprof, const struct look *look)
{
	static const unsigned shown[] = { [LOOK_WEIGHT_TIME] = WORD_TIME,
					  [LOOK_WEIGHT_CALLS] = WORD_CALLS,
					  [LOOK_WEIGHT_BYTES] = WORD_BYTES };
	const struct tree *tree = pprof->tree;

	if (tree->began)
		protobuf_add_number(&pprof->inner, PROFILE_TIME,
				    tree->began + look->epoch_offset);
	protobuf_add_number(&pprof->inner, PROFILE_DURATION,
			    tree->ended - tree->began);
	protobuf_add_number(&pprof->inner, PROFILE_DEFAULT_TYPE,
			    shown[look->weight]);
	write_message(pprof, &pprof->inner);
}

static void
pprof_write(const struct tree *tree, const struct look *look, struct out *out)
{
	struct pprof pprof = { .tree = tree,
			       .out = out,
			       .gzip = gzip_new(false),
			       .bytes = look->weight == LOOK_WEIGHT_BYTES };

	strmap_init(&pprof.by_module);
	put_type(&pprof, WORD_CALLS, WORD_COUNT);
	put_type(&pprof, WORD_TIME, WORD_MICROSECONDS);
	if (pprof.bytes)
		put_type(&pprof, WORD_BYTES, WORD_BYTES);
	for (const struct tree_node *node = &tree->root; node;
	     node = tree_next(node)) {
		if (weighs(node))
			put_sample(&pprof, node);
	}
	put_labels(&pprof);
	put_run(&pprof, look);
	gzip_end(pprof.gzip, &pprof.compressed);
	write_compressed(&pprof);
	str_release(&pprof.message);
	str_release(&pprof.part);
	str_release(&pprof.inner);
	str_release(&pprof.compressed);
	strmap_release(&pprof.by_module);
	vec_release(&pprof.modules);
}

static const struct tree_form form = { "pprof", pprof_write };

struct sink *
pprof_sink_new(const struct look *look, struct out *out)
{
	return tree_sink_new(look, out, &form);
}
