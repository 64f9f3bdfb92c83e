/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Trees of stacks: reading, drawing, and the two encodings that their formats
 * need. */
#include "suites.h"

#include "base/xmalloc.h"
#include "output/stacks/flame.h"
#include "output/stacks/flame_layout.h"
#include "output/stacks/folded_read.h"
#include "output/formats/protobuf.h"
#include "output/stacks/tree.h"
#include "output/stacks/xml.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct tree tree;

static struct tree_node *
within(struct tree_node *outer, const char *name)
{
	return tree_within(&tree, outer, &(struct tree_label){ .name = name });
}

START_TEST(nodes_are_found_again)
{
	struct tree_node *a, *b;

	tree_init(&tree);
	a = within(&tree.root, "a;x\ny");
	b = within(a, "b");
	ck_assert_str_eq(a->label->name, "a,x y");
	ck_assert_ptr_eq(within(&tree.root, "a,x y"), a);
	ck_assert_ptr_eq(within(a, "b"), b);
	ck_assert_ptr_ne(within(&tree.root, "b"), b);
	ck_assert_ptr_eq(within(&tree.root, "b")->label, b->label);
	ck_assert(tree_is_called(a, "a;x\ny"));
	ck_assert(tree_is_called(a, "a,x y"));
	ck_assert(!tree_is_called(a, "a,x"));
	ck_assert(!tree_is_called(a, "a,x yz"));
	ck_assert(tree_is_called(&tree.root, ""));
	tree_release(&tree);
}
END_TEST

/*
 * A file's weights are in microseconds. A call that took less than one still
 * has a weight.
 */
START_TEST(weights)
{
	struct tree_node *node;

	tree_init(&tree);
	node = within(&tree.root, "a");
	ck_assert_uint_eq(tree_weight(node, LOOK_WEIGHT_TIME), 0);
	node->self[LOOK_WEIGHT_TIME] = 499;
	ck_assert_uint_eq(tree_weight(node, LOOK_WEIGHT_TIME), 0);
	node->self[LOOK_WEIGHT_CALLS] = 1;
	ck_assert_uint_eq(tree_weight(node, LOOK_WEIGHT_TIME), 1);
	node->self[LOOK_WEIGHT_TIME] = -3000;
	ck_assert_uint_eq(tree_weight(node, LOOK_WEIGHT_TIME), 1);
	node->self[LOOK_WEIGHT_TIME] = 1500;
	ck_assert_uint_eq(tree_weight(node, LOOK_WEIGHT_TIME), 2);
	ck_assert_uint_eq(tree_weight(node, LOOK_WEIGHT_CALLS), 1);
	tree_release(&tree);
}
END_TEST

START_TEST(names_are_escaped)
{
	struct tree_node *a, *b;

	tree_init(&tree);
	a = within(&tree.root, "a\033;\n\\\xff");
	ck_assert_str_eq(a->label->name, "a\\033, \\\\377");
	ck_assert_ptr_eq(within(&tree.root, "a\\033, \\\\377"), a);
	ck_assert(tree_is_called(a, "a\033;\n\\\xff"));
	ck_assert(tree_is_called(a, "a\\033, \\\\377"));
	ck_assert(!tree_is_called(a, "a\033;\n\\\xfe"));
	b = within(a, "\xc3\xa4");
	ck_assert_str_eq(b->label->name, "\xc3\xa4");
	ck_assert(tree_is_called(b, "\xc3\xa4"));
	tree_release(&tree);
}
END_TEST

START_TEST(nodes_are_bounded)
{
	struct tree_node *node;
	size_t count = 0;
	char name[16];

	tree_init(&tree);
	tree.node_most = 100;
	for (unsigned i = 0; i < 1000; i++) {
		snprintf(name, sizeof(name), "n%u", i);
		within(&tree.root, name)->self[LOOK_WEIGHT_CALLS]++;
	}
	for (const struct tree_node *at = &tree.root; at; at = tree_next(at))
		count += at->self[LOOK_WEIGHT_CALLS];
	ck_assert_uint_eq(count, 1000);
	ck_assert_uint_eq(tree.node_count, 100);
	ck_assert_uint_eq(tree.labels.count, 99);
	tree_release(&tree);
	tree_init(&tree);
	node = &tree.root;
	for (unsigned i = 0; i < 2 * TREE_DEPTH_MOST; i++)
		node = within(node, "r");
	ck_assert_uint_eq(node->depth, TREE_DEPTH_MOST);
	tree_release(&tree);
}
END_TEST

static int
read_line(const char *text)
{
	cleanup(freep) char *line = xstrdup(text);
	struct err err;

	return folded_read(&tree, line, LOOK_WEIGHT_CALLS, false, false, &err);
}

START_TEST(recursion_in_lines)
{
	char line[] = "a;b;b;c;b 3\n";
	struct err err;
	size_t count = _i ? 5 : 6;

	tree_init(&tree);
	ck_assert_int_eq(folded_read(&tree, line, LOOK_WEIGHT_CALLS, _i, false,
				     &err),
			 0);
	ck_assert_uint_eq(tree.node_count, count);
	tree_release(&tree);
}
END_TEST

START_TEST(lines_are_read)
{
	const struct tree_node *node;

	tree_init(&tree);
	ck_assert_int_eq(read_line("php 7;thread 9;f x (a b.php:12);g 5\n"), 0);
	ck_assert_int_eq(read_line("# php 5\n"), 0);
	ck_assert_int_eq(read_line("\r\n"), 0);
	ck_assert_int_eq(read_line("nothing\n"), -EINVAL);
	ck_assert_int_eq(read_line("f 3.x\n"), -EINVAL);
	ck_assert_uint_eq(tree.node_count, 5);
	node = tree.root.inner;
	ck_assert_int_eq(node->label->kind, TREE_PROCESS);
	node = node->inner;
	ck_assert_int_eq(node->label->kind, TREE_THREAD);
	node = node->inner;
	ck_assert_int_eq(node->label->kind, TREE_FRAME);
	ck_assert_str_eq(node->label->function, "f x");
	ck_assert_str_eq(node->label->file, "a b.php");
	ck_assert_uint_eq(node->label->line, 12);
	node = node->inner;
	ck_assert_int_eq(node->label->kind, TREE_OTHER);
	ck_assert_uint_eq(node->self[LOOK_WEIGHT_CALLS], 5);
	tree_release(&tree);
}
END_TEST

/* Frames are placed within their outer frames, the widest first. */
START_TEST(frames_are_laid_out)
{
	struct flame_layout layout;
	const struct flame_frame *at;

	tree_init(&tree);
	ck_assert_int_eq(read_line("a;x 10"), 0);
	ck_assert_int_eq(read_line("b;y 30"), 0);
	ck_assert_int_eq(read_line("b;z 59"), 0);
	ck_assert_int_eq(read_line("b 1"), 0);
	ck_assert_int_eq(read_line("none 0"), 0);
	flame_layout_init(&layout, &tree, LOOK_WEIGHT_CALLS, NULL);
	ck_assert_uint_eq(layout.weight, 100);
	ck_assert_uint_eq(layout.drawn.count, 6);
	ck_assert_uint_eq(layout.omitted, 0);
	ck_assert_uint_eq(layout.stacks, 4);
	ck_assert_uint_eq(layout.depth, 2);
	at = layout.drawn.at;
	ck_assert_str_eq(at[1].node->label->name, "b");
	ck_assert_uint_eq(at[1].weight, 90);
	ck_assert_str_eq(at[2].node->label->name, "z");
	ck_assert_str_eq(at[3].node->label->name, "y");
	ck_assert_uint_eq(at[3].from, 59);
	ck_assert_str_eq(at[4].node->label->name, "a");
	ck_assert_uint_eq(at[4].from, 90);
	ck_assert_uint_eq(at[5].from, 90);
	flame_layout_release(&layout);
	tree_release(&tree);
}
END_TEST

START_TEST(xml_is_escaped)
{
	struct str text;

	str_init(&text);
	xml_add(&text, "");
	xml_add(&text, "<a b=\"c\" d='e'>&\\x\a\xff \xc3\xa4 ]]>");
	ck_assert_str_eq(text.text,
			 "&lt;a b=&quot;c&quot; d=&#39;e&#39;&gt;&amp;\\x\\a"
			 "\\377 \xc3\xa4 ]]&gt;");
	str_clear(&text);
	xml_add(&text, "\xef\xbf\xbe\xef\xbf\xbf\xef\xbf\xbd");
	ck_assert_str_eq(text.text, "\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd");
	str_release(&text);
}
END_TEST

/* The examples of protobuf.dev's guide to the encoding. */
START_TEST(protobuf_is_encoded)
{
	struct str text, inner;

	str_init(&text);
	str_init(&inner);
	protobuf_add_number(&inner, 1, 150);
	ck_assert_mem_eq(inner.text, "\x08\x96\x01", 3);
	protobuf_add_bytes(&text, 2, "testing", 7);
	ck_assert_mem_eq(text.text, "\x12\x07testing", 9);
	str_clear(&text);
	protobuf_add_str(&text, 3, &inner);
	ck_assert_mem_eq(text.text, "\x1a\x03\x08\x96\x01", 5);
	str_clear(&text);
	protobuf_add_number(&text, 4, 0);
	ck_assert_uint_eq(text.length, 0);
	protobuf_add_packed(&text, UINT64_MAX);
	ck_assert_uint_eq(text.length, 10);
	ck_assert_mem_eq(text.text, "\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01",
			 10);
	str_release(&text);
	str_release(&inner);
}
END_TEST

Suite *
tree_suite(void)
{
	Suite *suite = suite_create("tree");
	TCase *tests = tcase_create("tree");

	tcase_add_test(tests, nodes_are_found_again);
	tcase_add_test(tests, weights);
	tcase_add_test(tests, names_are_escaped);
	tcase_add_test(tests, nodes_are_bounded);
	tcase_add_test(tests, lines_are_read);
	tcase_add_loop_test(tests, recursion_in_lines, 0, 2);
	tcase_add_test(tests, frames_are_laid_out);
	tcase_add_test(tests, xml_is_escaped);
	tcase_add_test(tests, protobuf_is_encoded);
	suite_add_tcase(suite, tests);
	return suite;
}
