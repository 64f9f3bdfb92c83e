/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which fiber has resumed another one, from fibers as Ruby 3.1 has them, and
 * from damaged ones. */
#include "stacks/ruby_fiber.h"

#include "tests/unit/stacks/image.h"
#include "tests/unit/stacks/suites.h"

#define CONTEXT 80
#define THREAD 0x5000

static const struct ruby_layout layout = { .version = RUBY_FIBER_VERSION,
					   .ec_thread = 48 };

static struct {
	struct image_memory memory;
	addr_t inner, outer; /* execution contexts */
} image;

static addr_t
make_fiber(addr_t prev)
{
	addr_t fiber = image_room(&image.memory, CONTEXT + 448);

	image_put(fiber + CONTEXT + 40, fiber);
	image_put(fiber + CONTEXT + 48, THREAD);
	image_put(fiber + CONTEXT + 432, prev);
	return fiber;
}

static addr_t
resumer_of(addr_t thread, addr_t context)
{
	struct peek peek = { .memory = &image.memory.reader };
	addr_t found = ruby_resumer(&peek, &layout, thread, context);

	ck_assert(!peek.fault);
	return found;
}

static void
check(bool strict)
{
	addr_t found = resumer_of(THREAD, image.inner);

	ck_assert(!strict || found == 0 || found == image.outer);
}

START_TEST(resumer_or_none)
{
	addr_t outer, inner;

	memset(&image, 0, sizeof(image));
	image_begin(&image.memory);
	outer = make_fiber(0);
	inner = make_fiber(outer);
	image.outer = outer + CONTEXT;
	image.inner = inner + CONTEXT;
	ck_assert_uint_eq(resumer_of(THREAD, image.inner), image.outer);
	ck_assert_uint_eq(resumer_of(THREAD, image.outer), 0);
	ck_assert_uint_eq(resumer_of(THREAD + 8, image.inner), 0);
	ck_assert_uint_eq(resumer_of(THREAD, 8), 0);
	image_damage(&image.memory, 0, 0, check);
}
END_TEST

Suite *
fiber_ruby_suite(void)
{
	Suite *suite = suite_create("stacks/fiber_ruby");
	TCase *tests = tcase_create("fibers");

	tcase_add_test(tests, resumer_or_none);
	suite_add_tcase(suite, tests);
	return suite;
}
