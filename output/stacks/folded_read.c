/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The format has only names of frames. For files that xtrace wrote, the name
 * tells the kind (output/stacks/grow.c, output/frames.c): "python3 1234" is
 * first, "thread 1240" second, "find (user.py:42)" is a frame. Other programs
 * write other names, and some write a fraction, which is rounded.
 */
#include "output/stacks/folded_read.h"

#include "base/parse.h"
#include "output/stacks/tree.h"

#include <errno.h>
#include <limits.h>
#include <string.h>

/* The weight of a stack is limited so that a million of them can be added. */
#define WEIGHT_MOST (UINT64_MAX / 1000 / 1000000)

static bool
all_digits(const char *text)
{
	return *text && !text[strspn(text, "0123456789")];
}

/* Reads a decimal number, which may have leading zeros. */
static int
read_decimal(const char *text, uint64_t most, uint64_t *ret_number)
{
	const char *digits = text + strspn(text, "0");

	if (!all_digits(text))
		return -EINVAL;
	if (!*digits)
		digits = "0";
	return parse_unsigned(digits, most, ret_number);
}

/* Splits "find (user.py:42)" in place. */
static bool
take_place(struct tree_label *label, char *name)
{
	size_t length = strlen(name);
	char *open, *colon;
	uint64_t line;

	if (length == 0 || name[length - 1] != ')')
		return false;
	name[length - 1] = '\0';
	colon = strrchr(name, ':');
	open = strstr(name, " (");
	if (!colon || !open || colon < open + 3 ||
	    read_decimal(colon + 1, UINT_MAX, &line) < 0)
		return false;
	*open = *colon = '\0';
	label->kind = TREE_FRAME;
	label->function = name;
	label->file = open + 2;
	label->line = (unsigned)line;
	return true;
}

/* Removes the number of a process or a thread: "python3 1234" becomes
 * "python3", "thread 1240" becomes "thread". */
static void
cut_number(char *name, unsigned outer)
{
	char *space = strrchr(name, ' ');

	if (space && all_digits(space + 1) &&
	    (outer == 0 || (outer == 1 && !strncmp(name, "thread ", 7))))
		*space = '\0';
}

/* last: the name is the called function, not a caller. */
static struct tree_node *
within(struct tree *tree, struct tree_node *outer, const char *name, bool last,
       bool collapse)
{
	struct tree_label label = { .name = *name ? name : "?" };
	const char *space = strrchr(name, ' ');
	cleanup(freep) char *copy = xstrdup(name);

	if (collapse && tree_is_called(outer, label.name))
		return outer;
	if (outer->depth == 1 &&
	    (!strcmp(name, "thread") ||
	     (!strncmp(name, "thread ", 7) && all_digits(name + 7))))
		label.kind = TREE_THREAD;
	else if (outer->depth == 0 && space && all_digits(space + 1))
		label.kind = TREE_PROCESS;
	else if (!take_place(&label, copy) && !last && strchr(name, '@'))
		label.kind = TREE_FRAME;
	return tree_within(tree, outer, &label);
}

/* "12", "12.5" */
static int
read_number(char *text, uint64_t *ret_number)
{
	char *point = strchr(text, '.');
	uint64_t number;

	if (point) {
		*point = '\0';
		if (!all_digits(point + 1))
			return -EINVAL;
	}
	if (read_decimal(text, WEIGHT_MOST, &number) < 0)
		return -EINVAL;
	*ret_number = number + (point && point[1] >= '5');
	return 0;
}

int
folded_read(struct tree *tree, char *line, enum look_weight weight,
	    bool collapse, bool nameless, struct err *err)
{
	struct tree_node *node = &tree->root;
	char *space, *name;
	uint64_t number;

	line[strcspn(line, "\r\n")] = '\0';
	if (!*line || *line == '#')
		return 0;
	space = strrchr(line, ' ');
	if (!space || space == line || read_number(space + 1, &number) < 0)
		return err_set(err, -EINVAL,
			       "a stack and a number were expected");
	*space = '\0';
	while ((name = strsep(&line, ";"))) {
		if (nameless)
			cut_number(name, node->depth);
		node = within(tree, node, name, line == NULL, collapse);
	}
	node->self[weight] +=
		(int64_t)(weight == LOOK_WEIGHT_TIME ? number * 1000 : number);
	return 0;
}
