/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The windows of jumps, where the jumps lead, and the steps in which they are
 * written. The bytes of the windows are written by hand. The steps are proved
 * by walking through each state of the bytes, also those in the middle of a
 * step: in each of them, an instruction begins at the first byte and at each
 * boundary that is the original one, the jump, or a trap.
 */
#include "tests/unit/arch/suites.h"

#include "arch/arch.h"
#include "arch/jump.h"
#include "arch/x86_64/insn.h"
#include "arch/x86_64/pun.h"
#include "arch/x86_64/window.h"
#include "base/attr.h"
#include "tests/unit/arch/bytes.h"
#include "tests/unit/arch/machine.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

#define AT UINT64_C(0x7f1234567010)
#define GIB (INT64_C(1) << 30)

static const struct arch_trap *
trap(void)
{
	return &arch_of_host()->trap;
}

/* ---- windows --------------------------------------------------------------*/

static const struct {
	const char *code;
	unsigned length;
	unsigned boundaries; /* a bit for each boundary */
	bool calls;
} windows[] = {
	/* one instruction: no byte of the jump is given */
	{ "48 8b 05 10 00 00 00", 7, 0, false },
	{ "e9 10 00 00 00", 5, 0, false },
	{ "ff 25 10 00 00 00", 6, 0, false },
	{ "b8 01 00 00 00", 5, 0, false },
	/* several instructions */
	{ "55 48 89 e5 53", 5, 1 << 1 | 1 << 4, false },
	{ "55 48 89 e5 48 83 ec 10", 8, 1 << 1 | 1 << 4, false },
	{ "41 57 41 56 41 55", 6, 1 << 2 | 1 << 4, false },
	{ "50 51 52 53 54", 5, 0x1e, false },
	{ "f3 0f 1e fa 55", 5, 1 << 4, false },
	{ "0f 1f 00 74 10", 5, 1 << 3, false },
	/* a call that ends with the window */
	{ "e8 10 00 00 00", 5, 0, true },
	{ "55 e8 10 00 00 00", 6, 1 << 1, true },
	{ "48 89 c7 ff d0", 5, 1 << 3, true },
	/* the end of the flow, and no-ops behind it */
	{ "31 c0 c3 66 90", 5, 1 << 2 | 1 << 3, false },
	{ "c3 0f 1f 44 00 00", 6, 1 << 1, false },
	{ "eb 10 0f 1f 00", 5, 1 << 2, false },
	{ "c3 90 90 90 90", 5, 0x1e, false },
	{ "48 83 c4 08 c3", 5, 1 << 4, false },
	/* a branch to the window's first byte, or behind it */
	{ "eb fe 0f 1f 00", 5, 1 << 2, false },
	{ "85 c0 74 01 c3", 5, 1 << 2 | 1 << 4, false },
};

static int
window_hex(const char *hex, const struct relocate_limits *limits,
	   struct window *ret_window, const char **ret_why)
{
	uint8_t bytes[RELOCATE_WINDOW];
	size_t length = bytes_of(hex, bytes, sizeof(bytes));

	return x86_64_window(&(struct code){ bytes, length, AT }, limits,
			     ret_window, ret_why);
}

START_TEST(one_window)
{
	struct window window;
	const char *why = "";
	int r = window_hex(windows[_i].code, NULL, &window, &why);

	ck_assert_msg(r == 0, "%s: %s", windows[_i].code, why);
	ck_assert_uint_eq(window.length, windows[_i].length);
	ck_assert_uint_eq(window.boundaries, windows[_i].boundaries);
	ck_assert(window.calls == windows[_i].calls);
}
END_TEST

static const struct {
	const char *code;
	const char *why;
	int code_of_error;
} refused[] = {
	{ "0f 05 48 89 c7", "a system call", -ENOTSUP },
	{ "48 89 c7 0f 05", "a system call", -ENOTSUP },
	{ "cc 90 90 90 90", "a trap", -ENOTSUP },
	{ "06 90 90 90 90", "not an instruction", -EINVAL },
	{ "55 48 89", "not an instruction", -EINVAL },
	{ "ff d0 48 89 c7", "a call returns into it", -ENOTSUP },
	{ "41 ff d4 90 90", "a call returns into it", -ENOTSUP },
	{ "31 c0 c3 55 48 89 e5", "it is too short", -ENOTSUP },
	{ "31 c0 c3", "it is too short", -ENOTSUP },
	{ "c3 cc cc cc cc", "it is too short", -ENOTSUP },
	{ "85 c0 75 fe 90", "a branch leads into it", -ENOTSUP },
	{ "55 50 eb fd 90", "a branch leads into it", -ENOTSUP },
};

START_TEST(one_refused_window)
{
	struct window window;
	const char *why = "";
	int r = window_hex(refused[_i].code, NULL, &window, &why);

	ck_assert_msg(r == refused[_i].code_of_error, "%s", refused[_i].code);
	ck_assert_str_eq(why, refused[_i].why);
}
END_TEST

START_TEST(calls_under_a_shadow_stack)
{
	const struct relocate_limits limits = { .shadow_stack = true };
	struct window window;
	const char *why;

	ck_assert_int_eq(window_hex("e8 10 00 00 00", &limits, &window, &why),
			 -ENOTSUP);
	ck_assert_str_eq(why, "a call under a shadow stack");
}
END_TEST

/* ---- where a jump may lead ------------------------------------------------*/

static bool
place(const char *hex, struct jump_room room, struct jump *ret_jump)
{
	struct window window;

	ck_assert_int_eq(window_hex(hex, NULL, &window, NULL), 0);
	return x86_64_pun(&window, AT, &room, 1, ret_jump);
}

static const struct {
	const char *code;
	int64_t start, end; /* the room, from the end of the jump on */
	const char *jump;   /* NULL: no address is possible */
} placed[] = {
	{ "48 8b 05 10 00 00 00", 0x1000, 0x2000, "e9 00 10 00 00" },
	{ "48 8b 05 10 00 00 00", -0x2000, -0x1000, "e9 00 e0 ff ff" },
	{ "48 8b 05 10 00 00 00", 0x1000, 0x1005, "e9 00 10 00 00" },
	{ "48 8b 05 10 00 00 00", 0x1000, 0x1004, NULL },
	{ "48 8b 05 10 00 00 00", 3 * GIB, 4 * GIB, NULL },
	{ "48 8b 05 10 00 00 00", -4 * GIB, 4 * GIB, "e9 00 00 00 80" },
	/* push; mov: bytes 1 and 4 are traps; push has no second byte */
	{ "55 48 89 e5 53", 0, GIB, NULL },
	{ "55 48 89 e5 53", -GIB, 0, "e9 cc 00 00 cc" },
	{ "55 48 89 e5 53", -0x33fffe80, 0, "e9 cc 01 00 cc" },
	/* sub has a second byte: byte 4 is a prefix, byte 5 the trap */
	{ "55 48 89 e5 48 83 ec 10", 0, GIB, "e9 cc 00 00 26 cc" },
	{ "55 48 89 e5 48 83 ec 10", 0x2e000000, GIB, "e9 cc 00 00 2e cc" },
	{ "55 48 89 e5 48 83 ec 10", -0xe000000, 0, "e9 cc 00 00 f2 cc" },
	/* each byte of the distance is a trap, so one target is possible */
	{ "50 51 52 53 54", -0x33333334, -0x33333334 + 5, "e9 cc cc cc cc" },
	{ "50 51 52 53 54", -0x33333333, 0, NULL },
	{ "50 51 52 53 54", -GIB, -0x33333334 + 4, NULL },
};

START_TEST(one_place)
{
	struct jump jump;
	addr_t end = AT + JUMP_LENGTH;
	struct jump_room room = { end + (addr_t)placed[_i].start,
				  end + (addr_t)placed[_i].end };
	bool possible = place(placed[_i].code, room, &jump);
	char text[3 * JUMP_MOST];
	int32_t distance;

	ck_assert_msg(possible == !!placed[_i].jump, "row %d", _i);
	if (!possible)
		return;
	ck_assert_str_eq(hex_of(jump.planted, jump.length, text),
			 placed[_i].jump);
	memcpy(&distance, jump.planted + 1, sizeof(distance));
	ck_assert_uint_eq(jump.board, end + (addr_t)(int64_t)distance);
}
END_TEST

START_TEST(rooms_are_taken_in_order)
{
	struct jump_room rooms[] = { { AT + 0x4000, AT + 0x4002 },
				     { AT + 0x3000, AT + 0x4000 },
				     { AT + 0x1000, AT + 0x2000 } };
	struct window window;
	struct jump jump;

	ck_assert_int_eq(window_hex("b8 01 00 00 00", NULL, &window, NULL), 0);
	ck_assert(x86_64_pun(&window, AT, rooms, 3, &jump));
	ck_assert_uint_eq(jump.board, AT + 0x3000);
	ck_assert(!x86_64_pun(&window, AT, rooms, 0, &jump));
}
END_TEST

/* Finds the least distance without any calculation: tries each distance from
 * low to high. */
static bool
least_by_trying(uint8_t boundaries, int64_t low, int64_t high,
		int32_t *ret_distance)
{
	for (int64_t distance = low; distance <= high; distance++) {
		int32_t four = (int32_t)distance;
		bool fits = true;

		for (unsigned i = 1; i < JUMP_LENGTH; i++)
			if (boundaries & 1u << i &&
			    (uint8_t)((uint32_t)four >> 8 * (i - 1)) != 0xcc)
				fits = false;
		if (!fits)
			continue;
		*ret_distance = four;
		return true;
	}
	return false;
}

START_TEST(places_equal_those_found_by_trying)
{
	uint64_t seed = UINT64_C(0x9e3779b97f4a7c15);
	unsigned found = 0;

	for (unsigned i = 0; i < 3000; i++) {
		uint8_t boundaries = (uint8_t)(random_below(&seed, 16) << 1);
		int64_t low = (int32_t)random_u64(&seed);
		int64_t high = low + random_below(&seed, 0x3000);
		struct window window = { .length = JUMP_LENGTH,
					 .boundaries = boundaries };
		addr_t end = AT + JUMP_LENGTH;
		struct jump_room room = { end + (addr_t)low,
					  end + (addr_t)high + JUMP_LENGTH };
		struct jump jump;
		int32_t distance = 0;
		bool possible;

		if (high > INT32_MAX)
			continue;
		if (boundaries & 1u << 4) {
			low = (low & 0xffffff) | (int32_t)0xcc000000;
			high = low + (high & 0xfff);
			room = (struct jump_room){ end + (addr_t)low,
						   end + (addr_t)high +
							   JUMP_LENGTH };
		}
		possible = x86_64_pun(&window, AT, &room, 1, &jump);
		ck_assert(possible ==
			  least_by_trying(boundaries, low, high, &distance));
		if (possible)
			ck_assert_uint_eq(jump.board,
					  end + (addr_t)(int64_t)distance);
		found += possible;
	}
	ck_assert_uint_gt(found, 500);
}
END_TEST

START_TEST(springboards)
{
	uint8_t bytes[JUMP_LENGTH];
	char text[3 * JUMP_LENGTH];

	ck_assert(x86_64_board(AT, AT + 5, bytes));
	ck_assert_str_eq(hex_of(bytes, sizeof(bytes), text), "e9 00 00 00 00");
	ck_assert(x86_64_board(AT, AT, bytes));
	ck_assert_str_eq(hex_of(bytes, sizeof(bytes), text), "e9 fb ff ff ff");
	ck_assert(!x86_64_board(AT, AT + 3 * GIB, bytes));
	ck_assert(!x86_64_board(AT, AT - 3 * GIB, bytes));
}
END_TEST

/* ---- the steps ------------------------------------------------------------*/

static const struct {
	const char *code;
	int64_t low, high; /* the room in GiB */
} walked[] = {
	{ "48 8b 05 10 00 00 00", 0, 1 },    { "55 48 89 e5 53", -1, 0 },
	{ "55 48 89 e5 48 83 ec 10", 0, 1 }, { "41 57 41 56 41 55", 0, 1 },
	{ "41 57 41 56 41 55", -1, 0 },	     { "50 51 52 53 54", -1, 0 },
	{ "31 c0 c3 66 90", 0, 1 },
};

/* Checks what a thread executes if it arrives at byte `from` of the window: the
 * trap, the jump, or the original instruction. */
static void
check_arrival(const struct jump *jump, const uint8_t *bytes, unsigned from)
{
	static const uint8_t int3 = 0xcc;
	const uint8_t *at = bytes + from;
	addr_t traps[2];
	unsigned count = from ? jump_traps(jump, from, traps) : 1;
	struct insn insn;

	if (at[0] == int3)
		return;
	if (count == 2 && at[0] == jump->planted[from] && at[1] == int3) {
		ck_assert_uint_eq(traps[1], jump->at + from + 1);
		return;
	}
	if (from == 0 && at[0] == JUMP_OPCODE) {
		ck_assert(!memcmp(bytes, jump->planted, jump->length));
		return;
	}
	ck_assert_int_eq(insn_decode(jump->original + from, jump->length - from,
				     AT + from, &insn) < 0
				 ? 0
				 : memcmp(at, jump->original + from,
					  insn.length),
			 0);
	ck_assert_uint_eq(at[0], jump->original[from]);
}

static void
check_state(const struct jump *jump, const uint8_t *bytes)
{
	ck_assert(jump_is_ours(jump, trap(), bytes));
	for (unsigned i = 0; i < jump->length; i++) {
		if (i == 0 || jump->boundaries & 1u << i)
			check_arrival(jump, bytes, i);
	}
}

/*
 * In the course of a step, a CPU may see any part of its bytes written. Calls
 * act() with each of these states, and leaves the last one in bytes.
 */
static void
walk_step(const struct jump *jump, struct jump_step step, uint8_t *bytes,
	  void (*act)(const struct jump *jump, const uint8_t *bytes))
{
	uint8_t form[JUMP_MOST];

	jump_bytes(jump, step.stage, trap(), form);
	for (unsigned part = 0; part < 1u << jump->length; part++) {
		uint8_t state[JUMP_MOST];

		if (part & ~(unsigned)step.bytes)
			continue;
		memcpy(state, bytes, jump->length);
		for (unsigned i = 0; i < jump->length; i++)
			state[i] = part & 1u << i ? form[i] : state[i];
		check_state(jump, state);
		if (act)
			act(jump, state);
	}
	for (unsigned i = 0; i < jump->length; i++)
		bytes[i] = step.bytes & 1u << i ? form[i] : bytes[i];
}

static void
turn_back(const struct jump *jump, const uint8_t *from)
{
	for (int trapped = 0; trapped < 2; trapped++) {
		uint8_t bytes[JUMP_MOST], expected[JUMP_MOST];

		memcpy(bytes, from, jump->length);
		for (unsigned i = 0; i < JUMP_STEPS; i++)
			walk_step(jump, jump_step_back(jump, i, trapped), bytes,
				  NULL);
		jump_bytes(jump,
			   trapped ? JUMP_STAGE_TRAP : JUMP_STAGE_ORIGINAL,
			   trap(), expected);
		ck_assert(!memcmp(bytes, expected, jump->length));
	}
}

/* Takes some steps that remove the jump, gives up, and begins to remove it
 * again. */
static void
turn_back_twice(const struct jump *jump, const uint8_t *from)
{
	uint8_t bytes[JUMP_MOST];

	memcpy(bytes, from, jump->length);
	for (unsigned i = 0; i < JUMP_STEPS; i++)
		walk_step(jump, jump_step_back(jump, i, false), bytes,
			  turn_back);
}

START_TEST(every_state_of_a_way)
{
	struct jump_room room = { AT + (addr_t)(walked[_i].low * GIB),
				  AT + (addr_t)(walked[_i].high * GIB) };
	uint8_t bytes[JUMP_MOST];
	struct jump jump;

	ck_assert(place(walked[_i].code, room, &jump));
	jump_bytes(&jump, JUMP_STAGE_TRAP, trap(), bytes);
	ck_assert_uint_eq(bytes[0], 0xcc);
	check_state(&jump, bytes);
	turn_back_twice(&jump, bytes);
	for (unsigned i = 0; i < JUMP_STEPS; i++) {
		walk_step(&jump, jump_step_up(&jump, i), bytes, turn_back);
		turn_back_twice(&jump, bytes);
	}
	ck_assert(!memcmp(bytes, jump.planted, jump.length));
}
END_TEST

START_TEST(bytes_of_somebody_else)
{
	struct jump_room room = { AT + 0x1000, AT + GIB };
	struct jump jump;
	uint8_t bytes[JUMP_MOST];

	ck_assert(place("41 57 41 56 41 55", room, &jump));
	for (unsigned i = 0; i < jump.length; i++) {
		jump_bytes(&jump, JUMP_STAGE_PLANTED, trap(), bytes);
		ck_assert(jump_is_ours(&jump, trap(), bytes));
		bytes[i] = 0x77;
		ck_assert(!jump_is_ours(&jump, trap(), bytes));
	}
}
END_TEST

/* ---- this processor -------------------------------------------------------*/

/* The last byte of a jump may be a prefix of the int3 behind it. The int3 traps
 * with each prefix that is used. */
START_TEST(prefixes_trap)
{
	uint8_t seen[256] = { 0 };
	unsigned count = 0;
	struct machine machine;

	machine_init(&machine);
	for (int64_t slice = -128; slice < 128; slice++) {
		struct machine_state before = { 0 }, after;
		addr_t code = machine.code[MACHINE_HOME] + 0x800;
		int64_t start = slice * (1 << 24);
		struct jump_room room = { AT + 5 + (addr_t)start,
					  AT + 5 + (addr_t)start + (1 << 24) };
		struct jump jump;

		if (!place("0f 1f 40 00 48 89 e5", room, &jump))
			continue;
		if (jump.length == JUMP_LENGTH || seen[jump.planted[4]]++)
			continue;
		count++;
		memcpy(machine.write[MACHINE_HOME] + 0x800, jump.planted + 4,
		       2);
		before.gregs[REG_RIP] = code;
		before.gregs[REG_RSP] = (uint64_t)machine.data + 0x1000;
		before.gregs[REG_EFL] = 0x202;
		machine_run(&before, &after);
		ck_assert_int_eq(after.signal, SIGTRAP);
		ck_assert_uint_eq(after.gregs[REG_RIP], code + 2);
	}
	ck_assert_uint_eq(count, 26);
}
END_TEST

Suite *
window_suite(void)
{
	Suite *suite = suite_create("window");
	TCase *tests = tcase_create("window");

	tcase_add_loop_test(tests, one_window, 0, array_size(windows));
	tcase_add_loop_test(tests, one_refused_window, 0, array_size(refused));
	tcase_add_test(tests, calls_under_a_shadow_stack);
	tcase_add_loop_test(tests, one_place, 0, array_size(placed));
	tcase_add_test(tests, rooms_are_taken_in_order);
	tcase_add_test(tests, places_equal_those_found_by_trying);
	tcase_add_test(tests, springboards);
	tcase_add_loop_test(tests, every_state_of_a_way, 0, array_size(walked));
	tcase_add_test(tests, bytes_of_somebody_else);
	tcase_add_test(tests, prefixes_trap);
	suite_add_tcase(suite, tests);
	return suite;
}
