/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Captured interpreters of many versions (capture/capture.py): the frames found
 * in an image are those of the interpreter itself. The images are also the
 * corpus of the fuzz target.
 */
#include "tests/unit/stacks/captured.h"
#include "tests/unit/stacks/suites.h"

#include "base/fd.h"

#include <glob.h>

#define IMAGES "tests/fuzz/corpus/stack/*"

static glob_t images;

static void
setup(void)
{
	ck_assert_int_eq(glob(IMAGES, 0, NULL, &images), 0);
}

static void
teardown(void)
{
	globfree(&images);
}

/*
 * Finds the interpreter in a captured image, or NULL. err tells what cannot be
 * read of it.
 */
static struct source *
find_source(struct captured *captured, const struct source_ops **ret_ops,
	    struct err *err)
{
	struct source *source;

	for (int i = FRAME_SCRIPT; i < FRAME_KINDS; i++) {
		if (source_languages[i]->find(&captured->binary,
					      &captured->reader, &source,
					      err) < 0)
			continue;
		*ret_ops = source_languages[i];
		return source;
	}
	return NULL;
}

static void
check_frames(const struct captured *captured, const struct stack *stack,
	     const char *path)
{
	for (size_t i = 0; i < stack->count; i++) {
		const struct frame *frame = &stack->at[i];
		const struct captured_frame *wanted = &captured->frames.at[i];

		ck_assert_msg(!strcmp(frame->function ? frame->function : "",
				      wanted->function) &&
				      !strcmp(frame->file ? frame->file : "",
					      wanted->file) &&
				      frame->line == wanted->line,
			      "%s, frame %zu: %s:%u in %s", path, i,
			      frame->file, frame->line, frame->function);
	}
}

static void
walk_image(const char *path, size_t most, bool damaged)
{
	struct captured captured;
	const struct source_ops *ops = NULL;
	struct err err = { "" };
	struct source *source;
	struct arena arena;
	struct stack stack;
	char *bytes;
	size_t length;

	ck_assert_int_eq(fd_read_file(path, &bytes, &length), 0);
	captured_init(&captured, (uint8_t *)bytes, length);
	source = find_source(&captured, &ops, &err);
	ck_assert_msg(source, "%s: %s", path, err.text);
	arena_init(&arena);
	stack_init(&stack, &arena, most);
	/* The last pieces of the captured memory are made unreadable. */
	for (size_t cut = captured.pieces.count; damaged && cut-- > 0;) {
		captured.pieces.count = cut;
		stack.count = 0;
		ops->walk(source, &captured.reader, &captured.regs, &stack,
			  &err);
	}
	if (!damaged) {
		ops->walk(source, &captured.reader, &captured.regs, &stack,
			  &err);
		ck_assert_str_eq(err.text, "");
		ck_assert(!stack.partial);
		ck_assert_uint_eq(stack.count, captured.frames.count < most
						       ? captured.frames.count
						       : most);
		check_frames(&captured, &stack, path);
	}
	arena_release(&arena);
	ops->free(source);
	captured_release(&captured);
	free(bytes);
}

START_TEST(frames_are_as_captured)
{
	ck_assert_uint_ge(images.gl_pathc, 7);
	for (size_t i = 0; i < images.gl_pathc; i++) {
		walk_image(images.gl_pathv[i], 100, false);
		walk_image(images.gl_pathv[i], 3, false);
		walk_image(images.gl_pathv[i], 1, false);
	}
}
END_TEST

START_TEST(what_cannot_be_read_is_left_out)
{
	for (size_t i = 0; i < images.gl_pathc; i++)
		walk_image(images.gl_pathv[i], 100, true);
}
END_TEST

START_TEST(another_thread_has_no_frames)
{
	for (size_t i = 0; i < images.gl_pathc; i++) {
		struct captured captured;
		const struct source_ops *ops = NULL;
		struct err err = { "" };
		struct source *source;
		struct arena arena;
		struct stack stack;
		char *bytes;
		size_t length;

		ck_assert_int_eq(fd_read_file(images.gl_pathv[i], &bytes,
					      &length),
				 0);
		captured_init(&captured, (uint8_t *)bytes, length);
		captured.regs.gpr.fs_base += 64;
		/*
		 * PHP finds its thread by the stack pointer, so an address
		 * outside of PHP's stack is used.
		 */
		captured.regs.gpr.rsp += UINT64_C(1) << 40;
		source = find_source(&captured, &ops, &err);
		ck_assert_ptr_nonnull(source);
		arena_init(&arena);
		stack_init(&stack, &arena, 10);
		ops->walk(source, &captured.reader, &captured.regs, &stack,
			  &err);
		ck_assert_uint_eq(stack.count, 0);
		arena_release(&arena);
		ops->free(source);
		captured_release(&captured);
		free(bytes);
	}
}
END_TEST

Suite *
captured_suite(void)
{
	Suite *suite = suite_create("stacks/captured");
	TCase *tests = tcase_create("captured");

	tcase_add_checked_fixture(tests, setup, teardown);
	tcase_set_timeout(tests, 60);
	tcase_add_test(tests, frames_are_as_captured);
	tcase_add_test(tests, what_cannot_be_read_is_left_out);
	tcase_add_test(tests, another_thread_has_no_frames);
	suite_add_tcase(suite, tests);
	return suite;
}
