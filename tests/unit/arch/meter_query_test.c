/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Meters of queries are run from random states on this processor, as
 * meter_test.c runs the other meters. The area has a cell for one handle, which
 * is the first argument of the function, or is in an object.
 */
#include "tests/unit/arch/bytes.h"
#include "tests/unit/arch/meter_scenes.h"

#include "arch/x86_64/check.h"
#include "arch/x86_64/meter.h"

#include <string.h>

#define STATES 100
#define HANDLE UINT64_C(0x123456789a0)
#define RETURNS_TO UINT64_C(0x654321)
#define LEAST 1000000000000u

static struct query_area {
	struct meter_queries queries;
	struct meter_block block;
	struct meter_cell cell __attribute__((aligned(4096)));
} now, first;

enum outcome { PASSES, STOPS, JOINS, BEGINS };

/* ---- entries --------------------------------------------------------------*/

enum {
	NO_CELL = 1,
	FOLLOWS = 2,
	WITHIN = 4,
	RETURNS_ELSEWHERE = 8,
	LONG_TEXT = 16,
	FOLLOWED = 32,	   /* xtrace follows the handle's query itself */
	ANOTHER_CELL = 64, /* the cell has got another handle */
	/* as WITHIN, but an exception has left the outer call */
	LEFT = 128,
	/* xtrace follows the last call of a query itself; its return address is
	 * still there, or not */
	OUTER = 256,
	OUTER_LEFT = 512,
	LINKED = 1024,	       /* the argument leads to the handle */
	LINKED_NOWHERE = 2048, /* as LINKED, but there is none */
	NO_OBJECT = 4096,      /* as LINKED, but the argument is NULL */
	NO_HANDLE = 8192,      /* the handle is NULL */
	/* a handle has lost its cell, which is in a free place of the table */
	GONE = LINKED_NOWHERE | NO_HANDLE,
};

struct entry_row {
	const char *name;
	enum outcome outcome;
	enum meter_entry_act idle, pending;
	enum meter_cell_state state;
	unsigned flags;
};

#define FIRST METER_ACT_BEGIN, METER_ACT_BEGIN_NEXT
#define LATER METER_ACT_PASS, METER_ACT_JOIN
static const struct entry_row entries[] = {
	{ "begins", BEGINS, FIRST, METER_CELL_IDLE, 0 },
	{ "begins the next", BEGINS, FIRST, METER_CELL_ANSWERED, 0 },
	{ "an open one", STOPS, FIRST, METER_CELL_ASKED, 0 },
	{ "a followed one", STOPS, FIRST, METER_CELL_IDLE, FOLLOWED },
	{ "of a cell that was taken away", STOPS, FIRST, METER_CELL_ANSWERED,
	  ANOTHER_CELL },
	{ "of a new handle", STOPS, FIRST, METER_CELL_IDLE, NO_CELL },
	{ "begins beside", BEGINS, FIRST, METER_CELL_IDLE, FOLLOWS },
	{ "a long text", STOPS, FIRST, METER_CELL_IDLE, LONG_TEXT },
	{ "returns elsewhere", STOPS, FIRST, METER_CELL_IDLE,
	  RETURNS_ELSEWHERE },
	{ "begins, linked", BEGINS, FIRST, METER_CELL_IDLE, LINKED },
	{ "begins the next, linked", BEGINS, FIRST, METER_CELL_ANSWERED,
	  LINKED },
	{ "begins, linked with a new handle", STOPS, FIRST, METER_CELL_IDLE,
	  LINKED | NO_CELL },
	{ "linked with nothing", STOPS, LATER, METER_CELL_IDLE,
	  LINKED_NOWHERE },
	{ "no object", STOPS, LATER, METER_CELL_IDLE, NO_OBJECT },
	{ "no handle", STOPS, LATER, METER_CELL_IDLE, NO_HANDLE },
	{ "joins, linked", JOINS, LATER, METER_CELL_ANSWERED, LINKED },
	{ "joins none, linked", PASSES, LATER, METER_CELL_IDLE, LINKED },
	{ "joins a followed one, linked", STOPS, LATER, METER_CELL_ANSWERED,
	  LINKED | FOLLOWED },
	{ "within", PASSES, FIRST, METER_CELL_IDLE, WITHIN },
	{ "within a call that was left", STOPS, FIRST, METER_CELL_IDLE,
	  WITHIN | LEFT },
	{ "within a followed call", BEGINS, FIRST, METER_CELL_IDLE, OUTER },
	{ "within a followed call that was left", STOPS, FIRST, METER_CELL_IDLE,
	  OUTER_LEFT },
	{ "joins within a followed call that was left", STOPS, LATER,
	  METER_CELL_ANSWERED, OUTER_LEFT },
	{ "joins", JOINS, LATER, METER_CELL_ANSWERED, 0 },
	{ "joins, asked", JOINS, LATER, METER_CELL_ASKED, 0 },
	{ "joins none", PASSES, LATER, METER_CELL_IDLE, 0 },
	{ "joins none, followed", STOPS, LATER, METER_CELL_IDLE, FOLLOWS },
	{ "joins a followed one", STOPS, LATER, METER_CELL_ANSWERED, FOLLOWED },
	{ "joins none, of a followed one", STOPS, LATER, METER_CELL_IDLE,
	  FOLLOWED },
	{ "joins, of a cell that was taken away", STOPS, LATER, METER_CELL_IDLE,
	  ANOTHER_CELL },
	{ "joins, of a new handle", PASSES, LATER, METER_CELL_IDLE, NO_CELL },
	{ "joins, of a new handle, followed", STOPS, LATER, METER_CELL_IDLE,
	  NO_CELL | FOLLOWS },
	{ "joins, returns elsewhere", STOPS, LATER, METER_CELL_ASKED,
	  RETURNS_ELSEWHERE },
	{ "steps", JOINS, METER_ACT_BEGIN, METER_ACT_JOIN, METER_CELL_ANSWERED,
	  0 },
	{ "stops", STOPS, METER_ACT_STOP, METER_ACT_STOP, METER_CELL_IDLE, 0 },
};

static const char text[] = "SELECT 1, 'a text of some words'";

static void
know_text(void)
{
	uint64_t page = (uint64_t)text | (ADDR_PAGE - 1), next = page + 1;

	first.queries.pages[meter_bucket(page, METER_PAGE_BITS)][0] = page;
	next |= ADDR_PAGE - 1;
	first.queries.pages[meter_bucket(next, METER_PAGE_BITS)][1] = next;
}

static void
set_block(void)
{
	uint64_t pointer = thread_pointer();

	first.queries.tables
		.threads[meter_bucket(pointer, METER_THREAD_BITS)][1] =
		(struct meter_thread){ pointer, (uint64_t)&now.block };
	first.block.top = (uint64_t)&now.block.open[0];
	first.block.full = (uint64_t)&now.block.open[METER_DEPTH];
	first.block.open[0].sp = UINT64_MAX;
}

/* What the first argument is: the handle, or the address of an object with the
 * handle in its word LINK. */
#define LINK 3
static uint64_t object[LINK + 1];

static uint64_t
set_argument(const struct entry_row *row, struct meter_query *query)
{
	query->linked =
		(row->flags & (LINKED | LINKED_NOWHERE | NO_OBJECT)) != 0;
	query->link = LINK * sizeof(object[0]);
	object[LINK] = (row->flags & LINKED) ? HANDLE : 0;
	if (row->flags & (NO_OBJECT | NO_HANDLE))
		return 0;
	return query->linked ? (uint64_t)object : HANDLE;
}

static void
set_entry(const struct entry_row *row, struct machine_state *before)
{
	struct meter_query *query = &first.queries.functions[0];
	unsigned bucket = meter_bucket((row->flags & GONE) ? 0 : HANDLE,
				       METER_HANDLE_BITS);
	uint64_t sp = before->gregs[REG_RSP];

	memset(&first, 0, sizeof(first));
	set_block();
	*query = (struct meter_query){
		.handle =
			METER_KEPT + offsetof(struct meter_kept, arguments[0]),
		.idle = row->idle,
		.pending = row->pending,
	};
	query->texts[0] = (struct meter_text){
		.pointer =
			METER_KEPT + offsetof(struct meter_kept, arguments[1]),
		.length = METER_KEPT + offsetof(struct meter_kept, all),
		.mask = UINT64_MAX,
		.most = UINT64_MAX / 2,
		.ends = 1,
	};
	if (!(row->flags & LONG_TEXT))
		know_text();
	first.queries.followed = (row->flags & FOLLOWS) != 0;
	first.queries.handles[bucket][random_below(&seed, 2)] =
		(struct meter_handle){ (row->flags & NO_CELL) ? ~HANDLE
				       : (row->flags & GONE)  ? 0
							      : HANDLE,
				       (uint64_t)&now.cell };
	first.queries.tables
		.returns[meter_bucket(RETURNS_TO, METER_RETURN_BITS)][0] =
		(row->flags & RETURNS_ELSEWHERE) ? 0 : RETURNS_TO;
	first.cell.state = row->state;
	first.cell.handle = (row->flags & (FOLLOWED | GONE)) ? 0
			    : (row->flags & ANOTHER_CELL)    ? ~HANDLE
							     : HANDLE;
	first.cell.total = 17;
	first.cell.count = 3;
	if (row->flags & WITHIN) {
		first.block.top += sizeof(struct meter_open);
		first.block.open[1].sp = sp + 64;
		first.block.open[1].return_address = RETURNS_TO + 5;
		set_word(sp + 64, RETURNS_TO + 5 + (row->flags & LEFT));
	}
	if (row->flags & (OUTER | OUTER_LEFT)) {
		first.block.open[0].took = RETURNS_TO + 7;
		first.block.open[0].step = sp + 96;
		set_word(sp + 96,
			 RETURNS_TO + 7 + ((row->flags & OUTER_LEFT) != 0));
	}
	before->gregs[REG_RDI] = (greg_t)set_argument(row, query);
	before->gregs[REG_RSI] = (greg_t)text;
	set_word(sp, RETURNS_TO);
}

static void
make_query(enum check_kind kind, struct check *ret_check)
{
	static const uint8_t five_no_ops[] = { 0x0f, 0x1f, 0x44, 0x00, 0x00 };
	struct code from = { five_no_ops, sizeof(five_no_ops), site() };
	struct check_condition meter = {
		.kind = kind,
		.number = (uint64_t)&now,
		.size = offsetof(struct meter_queries, functions),
	};

	ck_assert_int_eq(x86_64_check(&from, &meter, 1, place(), ret_check), 0);
	ck_assert_uint_le(ret_check->length, CHECK_ROOM);
	ret_check->bytes[ret_check->slot] = INT3;
}

static void
run_query(const struct check *check, const struct machine_state *before,
	  struct machine_state *after)
{
	memcpy(&now, &first, sizeof(now));
	run_check(check, before, after);
}

/* Checks the open call of a query, and what the cell has of this call. */
static void
check_open(const struct entry_row *row, const struct machine_state *before)
{
	const struct meter_open *open = &now.block.open[1];
	const struct meter_kept *kept = &now.cell.kept;

	ck_assert_uint_eq(now.block.top, (uint64_t)open);
	ck_assert_uint_eq(now.block.added, 1);
	ck_assert_uint_eq(open->sp, (uint64_t)before->gregs[REG_RSP]);
	ck_assert_uint_eq(open->return_address, RETURNS_TO);
	ck_assert_uint_gt(open->began, 0);
	ck_assert_uint_eq(open->sums,
			  offsetof(struct meter_queries, functions));
	ck_assert_uint_eq(open->inner, (uint64_t)&now.cell);
	ck_assert_uint_eq(now.block.kept[1].arguments[0],
			  (uint64_t)before->gregs[REG_RDI]);
	if (row->outcome == JOINS) {
		ck_assert(!memcmp(&now.cell, &first.cell, sizeof(now.cell)));
		return;
	}
	ck_assert_uint_eq(now.cell.state, METER_CELL_IDLE);
	ck_assert_uint_eq(now.cell.total, 0);
	ck_assert_uint_eq(now.cell.count, 0);
	ck_assert_uint_eq(kept->arguments[0], (uint64_t)before->gregs[REG_RDI]);
	ck_assert_uint_eq(kept->arguments[5], (uint64_t)before->gregs[REG_R9]);
	ck_assert_str_eq((char *)now.cell.texts[0] + (uint64_t)text % 8, text);
}

START_TEST(entries_find_their_query)
{
	const struct entry_row *row = &entries[_i];
	struct check check;

	machine_init(&machine);
	make_query(CHECK_METER_QUERY, &check);
	for (unsigned i = 0; i < states(STATES); i++) {
		struct machine_state before, after;

		random_state(&before);
		set_entry(row, &before);
		run_query(&check, &before, &after);
		same_world(row->name, CHECK_METER_QUERY, &before, &after);
		ck_assert_msg(machine_end(&after) - place() ==
				      (row->outcome == STOPS ? check.trap
							     : check.slot),
			      "%s: ends at %#lx", row->name,
			      machine_end(&after) - place());
		if (row->outcome == JOINS || row->outcome == BEGINS) {
			check_open(row, &before);
			continue;
		}
		ck_assert_uint_eq(now.block.top, first.block.top);
		ck_assert_uint_eq(now.block.added, 0);
		ck_assert((row->flags & LONG_TEXT) ||
			  now.cell.state == first.cell.state);
	}
}
END_TEST

START_TEST(calls_within_pass)
{
	static const struct entry_row rows[] = {
		{ "not within", STOPS, FIRST, METER_CELL_IDLE, 0 },
		{ "within", PASSES, FIRST, METER_CELL_IDLE, WITHIN },
		{ "within a call that was left", STOPS, FIRST, METER_CELL_IDLE,
		  WITHIN | LEFT },
	};
	struct check check;

	machine_init(&machine);
	make_query(CHECK_METER_WITHIN, &check);
	for (unsigned i = 0; i < states(STATES); i++) {
		const struct entry_row *row = &rows[i % array_size(rows)];
		struct machine_state before, after;

		random_state(&before);
		set_entry(row, &before);
		run_query(&check, &before, &after);
		same_world(row->name, CHECK_METER_WITHIN, &before, &after);
		ck_assert_uint_eq(machine_end(&after) - place(),
				  row->outcome == STOPS ? check.trap
							: check.slot);
		ck_assert(!memcmp(&now, &first, sizeof(now)));
	}
}
END_TEST

/* ---- returns --------------------------------------------------------------*/

struct answer_row {
	const char *name;
	bool stops;
	enum meter_cell_state state, next, then;
	uint64_t low, shift, most;
	uint64_t result;
	uint64_t least;
	/* The function returns the address of an object that has `result`. */
	bool leads;
	bool followed; /* since the call began */
};

#define ANY 0, 0, UINT64_MAX
#define ROW 100, 32, 0 /* an int of 100 */
#define FAST LEAST
static const struct answer_row answers[] = {
	{ "begun", false, METER_CELL_IDLE, METER_CELL_ANSWERED,
	  METER_CELL_ANSWERED, ANY, 5, FAST, false, false },
	{ "asked", false, METER_CELL_IDLE, METER_CELL_ASKED, METER_CELL_ASKED,
	  ANY, 5, FAST, false, false },
	{ "one call", false, METER_CELL_IDLE, METER_CELL_IDLE, METER_CELL_IDLE,
	  ANY, 5, FAST, false, false },
	{ "slow", true, METER_CELL_IDLE, METER_CELL_ANSWERED, METER_CELL_IDLE,
	  ANY, 5, 1, false, false },
	{ "joined", false, METER_CELL_ANSWERED, METER_CELL_SAME,
	  METER_CELL_ANSWERED, ANY, 5, FAST, false, false },
	{ "joined, asked", false, METER_CELL_ASKED, METER_CELL_SAME,
	  METER_CELL_ASKED, ANY, 5, FAST, false, false },
	{ "answered", false, METER_CELL_ASKED, METER_CELL_ANSWERED,
	  METER_CELL_ANSWERED, ANY, 5, FAST, false, false },
	{ "a row", false, METER_CELL_ANSWERED, METER_CELL_ANSWERED,
	  METER_CELL_ANSWERED, ROW, 0x7700000064, FAST, false, false },
	{ "no row", false, METER_CELL_ANSWERED, METER_CELL_ANSWERED,
	  METER_CELL_IDLE, ROW, 0x7700000065, FAST, false, false },
	{ "slow rows", true, METER_CELL_ANSWERED, METER_CELL_ANSWERED,
	  METER_CELL_ANSWERED, ROW, 100, 1000, false, false },
	{ "long ago", true, METER_CELL_ASKED, METER_CELL_SAME, METER_CELL_ASKED,
	  ANY, 5, 1000, false, false },
	{ "leads to 100", false, METER_CELL_IDLE, METER_CELL_ANSWERED,
	  METER_CELL_ANSWERED, ROW, 100, FAST, true, false },
	{ "leads to 101", false, METER_CELL_IDLE, METER_CELL_ANSWERED,
	  METER_CELL_IDLE, ROW, 101, FAST, true, false },
	{ "leads nowhere", false, METER_CELL_IDLE, METER_CELL_ANSWERED,
	  METER_CELL_ANSWERED, ROW, 0, FAST, true, false },
	{ "followed meanwhile", true, METER_CELL_IDLE, METER_CELL_ANSWERED,
	  METER_CELL_IDLE, ANY, 5, FAST, false, true },
	{ "joined, followed meanwhile", true, METER_CELL_ASKED, METER_CELL_SAME,
	  METER_CELL_ASKED, ANY, 5, FAST, false, true },
	{ "joined, leads to 100", false, METER_CELL_ANSWERED,
	  METER_CELL_ANSWERED, METER_CELL_ANSWERED, ROW, 100, FAST, true,
	  false },
};

static void
set_answer(const struct answer_row *row, struct machine_state *before)
{
	static uint32_t result[4];
	struct meter_query *query = &first.queries.functions[0];

	memset(&first, 0, sizeof(first));
	set_block();
	*query = (struct meter_query){
		.least = row->least,
		.next = row->next,
		.low = row->low,
		.shift = row->shift,
		.most = row->most << row->shift,
		.leads = row->leads,
		.offset = row->leads ? sizeof(result[0]) : 0,
	};
	first.block.top += sizeof(struct meter_open);
	first.block.open[1] = (struct meter_open){
		.sp = (uint64_t)before->gregs[REG_RSP] - 8,
		.return_address = site(),
		.began = __builtin_ia32_rdtsc(),
		.sums = offsetof(struct meter_queries, functions),
		.inner = (uint64_t)&now.cell,
	};
	first.cell.state = row->state;
	first.cell.handle = row->followed ? 0 : HANDLE;
	first.cell.began = __builtin_ia32_rdtsc() - 5000;
	if (row->state != METER_CELL_IDLE) {
		first.cell.total = 5000;
		first.cell.count = 3;
	}
	result[1] = (uint32_t)row->result;
	before->gregs[REG_RAX] =
		(greg_t)(row->leads && row->result ? (uint64_t)result
						   : row->result);
}

static void
check_answer(const struct answer_row *row, const struct machine_state *before)
{
	const struct meter_cell *cell = &now.cell;
	bool begins = row->state == METER_CELL_IDLE;

	ck_assert_uint_eq(now.block.top, (uint64_t)&now.block.open[0]);
	ck_assert_uint_eq(now.block.added, 1);
	ck_assert_uint_eq(now.block.passed, 1);
	ck_assert_msg(cell->state == row->then, "%s: state %lu", row->name,
		      cell->state);
	ck_assert_uint_eq(cell->count, begins ? 1 : 4);
	ck_assert_uint_gt(cell->total, begins ? 0 : 5000);
	ck_assert_uint_lt(cell->total, LEAST);
	ck_assert_uint_eq(cell->last,
			  offsetof(struct meter_queries, functions));
	ck_assert_uint_eq(cell->last_result, (uint64_t)before->gregs[REG_RAX]);
	if (!begins) {
		ck_assert_uint_eq(cell->tested, first.cell.tested);
		return;
	}
	if (row->leads)
		ck_assert_uint_eq((uint32_t)cell->tested, row->result);
	ck_assert_uint_eq(cell->head, cell->total);
	ck_assert_uint_eq(cell->began, first.block.open[1].began);
	ck_assert_uint_eq(cell->function, cell->last);
	ck_assert_uint_eq(cell->sp, first.block.open[1].sp);
	ck_assert_uint_eq(cell->return_address, site());
	ck_assert_uint_eq(cell->kept.result, (uint64_t)before->gregs[REG_RAX]);
}

START_TEST(returns_add_to_their_query)
{
	const struct answer_row *row = &answers[_i];
	struct check check;

	machine_init(&machine);
	make_query(CHECK_METER_ANSWER, &check);
	for (unsigned i = 0; i < states(STATES); i++) {
		struct machine_state before, after;

		random_state(&before);
		set_answer(row, &before);
		run_query(&check, &before, &after);
		same_world(row->name, CHECK_METER_ANSWER, &before, &after);
		ck_assert_msg(machine_end(&after) - place() ==
				      (row->stops ? check.trap : check.slot),
			      "%s: ends at %#lx", row->name,
			      machine_end(&after) - place());
		if (!row->stops) {
			check_answer(row, &before);
			continue;
		}
		ck_assert_uint_eq(now.block.added, 0);
		ck_assert_uint_eq(now.block.top, first.block.top);
		ck_assert(!memcmp(&now.cell, &first.cell, sizeof(now.cell)));
	}
}
END_TEST

/* ---- back -----------------------------------------------------------------*/

/* Takes back what x86_64_meter_written() says, as area_take_back() does. */
static void
take_back(enum meter_written written)
{
	struct meter_block *block = &now.block;

	if (written == METER_IF_OPENED)
		written = block->added ? METER_OPENED : METER_NOTHING;
	if (written == METER_IF_ADDED)
		written = block->added ? METER_CLOSED : METER_NOTHING;
	if (written == METER_OPENED)
		block->top -= sizeof(struct meter_open);
	if (written == METER_CLOSED)
		block->top += sizeof(struct meter_open);
	if (written >= METER_CELL && written != METER_OPENED) {
		now.cell.state = block->open[1].took;
		now.cell.total = block->open[1].step;
		now.cell.count = block->open[1].most;
	}
	if (written >= METER_PASSED)
		block->passed--;
}

static bool
goes_back(const struct check *check, size_t offset,
	  const struct machine_state *before)
{
	struct reader memory = { .read = machine_memory_read };
	struct check stopped = *check;
	struct machine_state after;
	struct regs was, is;

	stopped.bytes[offset] = INT3;
	run_query(&stopped, before, &after);
	if (machine_end(&after) != place() + offset)
		return false;
	take_back(x86_64_meter_written(check, offset));
	ck_assert_msg(now.block.top == first.block.top, "at %zu", offset);
	ck_assert_uint_eq(now.block.passed, first.block.passed);
	if (check->kind == CHECK_METER_ANSWER) {
		ck_assert_uint_eq(now.cell.state, first.cell.state);
		ck_assert_uint_eq(now.cell.total, first.cell.total);
		ck_assert_uint_eq(now.cell.count, first.cell.count);
	}
	if (offset == check->slot)
		return true;
	machine_regs(before, &was);
	machine_regs(&after, &is);
	ck_assert(x86_64_check_undo(check, offset, &memory, &is));
	was.gpr.eflags &= FLAGS;
	is.gpr.eflags &= FLAGS;
	ck_assert_msg(!memcmp(&was.gpr, &is.gpr, sizeof(was.gpr)), "at %zu",
		      offset);
	return true;
}

START_TEST(threads_go_back_from_queries)
{
	static const enum check_kind kinds[] = { CHECK_METER_QUERY,
						 CHECK_METER_ANSWER,
						 CHECK_METER_WITHIN };
	size_t offsets[CHECK_ROOM], count, reached = 0;
	struct check check;

	machine_init(&machine);
	make_query(kinds[_i], &check);
	count = own_instructions(&check, offsets);
	for (size_t n = 0; n < count; n++) {
		bool any = false;

		for (unsigned i = 0; i < array_size(entries); i++) {
			struct machine_state before;

			random_state(&before);
			if (kinds[_i] == CHECK_METER_ANSWER)
				set_answer(&answers[i % array_size(answers)],
					   &before);
			else
				set_entry(&entries[i], &before);
			any |= goes_back(&check, offsets[n], &before);
		}
		reached += any;
	}
	/* The second text is not copied here, see meter_test.c. */
	ck_assert_msg(reached * 100 >= count * (_i == 0 ? 55 : 90),
		      "%zu of %zu", reached, count);
}
END_TEST

TCase *
meter_query_case(void)
{
	TCase *tests = tcase_create("queries");

	tcase_set_timeout(tests, 3600);
	tcase_add_loop_test(tests, entries_find_their_query, 0,
			    array_size(entries));
	tcase_add_test(tests, calls_within_pass);
	tcase_add_loop_test(tests, returns_add_to_their_query, 0,
			    array_size(answers));
	tcase_add_loop_test(tests, threads_go_back_from_queries, 0, 3);
	return tests;
}
