/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Makes the states and areas in which meters are run. The area has a block for
 * the thread pointer of the test's own thread. */
#include "tests/unit/arch/meter_scenes.h"

#include "arch/x86_64/check.h"
#include "arch/x86_64/insn.h"
#include "arch/x86_64/meter.h"
#include "tests/unit/arch/bytes.h"
#include "tests/unit/checks.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#define PLACE 0x800u
#define RED_ZONE 128u

struct machine machine;
uint64_t seed = UINT64_C(0x9d39247e33776d41);
uint8_t memory_before[MACHINE_DATA_SIZE];
struct area_of_test area, area_before;
static const uint8_t five_no_ops[] = { 0x0f, 0x1f, 0x44, 0x00, 0x00 };

const struct scene_row scenes[SCENES] = {
	[CERTAIN] = { "certain", true, true, true, false },
	[SECOND_WAY] = { "second way", true, true, true, false },
	[IDLE] = { "idle", true, false, true, false },
	[SHARED] = { "shared", false, false, false, false },
	[UNWOUND] = { "unwound", false, false, false, false },
	[ELSEWHERE] = { "elsewhere", false, false, false, false },
	[UNKNOWN_THREAD] = { "unknown thread", false, false, false, false },
	[CLOSED] = { "closed", false, false, false, false },
	[OTHER_STACK] = { "other stack", false, false, false, false },
	[FULL] = { "full", false, true, true, false },
	[NO_ADDRESS] = { "no address", false, true, true, false },
	[LONG] = { "long", true, true, true, true },
};

const struct text_row text_places[TEXT_PLACES] = {
	[TEXT_KNOWN] = { "known page", true },
	[TEXT_EMPTY] = { "no text", true },
	[TEXT_LONG] = { "too long", false },
	[TEXT_ELSEWHERE] = { "elsewhere", false },
	[TEXT_TORN] = { "continues elsewhere", false },
};

uint64_t
thread_pointer(void)
{
	uint64_t pointer;

	__asm__("mov %%fs:0, %0" : "=r"(pointer));
	return pointer;
}

addr_t
site(void)
{
	return machine.code[MACHINE_NEAR];
}

addr_t
place(void)
{
	return machine.code[MACHINE_HOME] + PLACE;
}

void
make(enum check_kind kind, struct check *ret_check)
{
	struct code from = { five_no_ops, sizeof(five_no_ops), site() };
	struct check_condition meter = {
		.kind = kind,
		.number = (uint64_t)&area,
		.size = kind == CHECK_METER_WHOLE
				? METER_TICKS_MOST
				: offsetof(struct meter_block, sums[SUM]),
	};

	if (kind == CHECK_METER_KEEP || kind == CHECK_METER_TEXTS)
		meter.size = offsetof(struct area_of_test, select);

	ck_assert_int_eq(x86_64_check(&from, &meter, 1, place(), ret_check), 0);
	ck_assert_uint_le(ret_check->length, CHECK_ROOM);
}

void
random_state(struct machine_state *state)
{
	*state = (struct machine_state){ 0 };
	for (int i = 0; i < MACHINE_GREGS; i++)
		state->gregs[i] = random_u64(&seed);
	for (size_t i = 160; i < 416; i++) /* xmm0 to xmm15 */
		state->fx[i] = (uint8_t)random_u64(&seed);
	for (size_t i = 0; i < MACHINE_YMMH; i++)
		state->ymmh[i] = (uint8_t)random_u64(&seed);
	/* The machine runs with this x87 control word and MXCSR. */
	state->fx[0] = 0x7f;
	state->fx[1] = 0x03;
	state->fx[24] = 0x80;
	state->fx[25] = 0x1f;
	state->gregs[REG_RSP] = (uint64_t)machine.data + MACHINE_DATA_SIZE / 2 +
				8 * random_below(&seed, 64);
	state->gregs[REG_EFL] = (random_u64(&seed) & FLAGS) | 0x202;
	for (size_t i = 0; i < sizeof(memory_before); i++)
		memory_before[i] = (uint8_t)random_u64(&seed);
}

void
set_word(addr_t at, uint64_t word)
{
	memcpy(memory_before + (at - (addr_t)machine.data), &word,
	       sizeof(word));
}

/* The newest open call of the thread, whose return address is on the stack, at
 * the address `at`. */
static struct meter_open
last_open(enum scene scene, enum check_kind kind, addr_t at)
{
	struct meter_open last = { .sp = at,
				   .return_address = site(),
				   .began = 1,
				   .sums = offsetof(struct meter_block,
						    sums[SUM]) };

	if (kind == CHECK_METER_WHOLE) {
		uint64_t age =
			random_u64(&seed) >> (32 + random_below(&seed, 32));

		last.sums = offsetof(struct meter_block, wholes[WHOLE]);
		last.inner = random_below(&seed, 1000);
		if (scene != LONG)
			last.began = x86_64_ticks() - age;
	}

	if (kind == CHECK_METER_SELECT)
		last.sums = offsetof(struct area_of_test, select);
	if (check_is_meter_entry(kind) || scene == IDLE)
		last.sp += 8 + 8 * random_below(&seed, 8);
	if (scene == SHARED)
		last = (struct meter_open){ .sp = at };
	else if (scene == UNWOUND)
		last.sp = at - 8 - 8 * random_below(&seed, 8);
	else if (scene == ELSEWHERE)
		last.return_address++;
	return last;
}

/* Makes a random test. If `holds`, it holds for the value, otherwise it does
 * not. */
static struct meter_test
random_test(uint64_t offset, uint64_t value, bool holds)
{
	struct meter_test test = { .offset = offset,
				   .shift = 64 - (8 << random_below(&seed, 4)),
				   .low = random_u64(&seed) };

	do {
		test.most = random_u64(&seed) >> random_below(&seed, 64);
		if (random_below(&seed, 2))
			test.low = value - random_below(&seed, 1000);
	} while (((value - test.low) << test.shift <= test.most) != holds);
	return test;
}

/* Sets the tests for the last open call, and its arguments. If `all`, all tests
 * hold when the call returns `result`. Otherwise one test does not hold, or the
 * call does not take long enough. */
static void
set_select(unsigned depth, bool all, uint64_t result)
{
	struct meter_block *block = &area_before.block;
	struct meter_select *select = &area_before.select;
	uint64_t *arguments = block->kept[depth].arguments;
	unsigned fails =
		all ? METER_TESTS + 1 : random_below(&seed, METER_TESTS + 1);

	select->least = fails == METER_TESTS ? UINT64_MAX : 0;
	for (unsigned i = 0; i < 6; i++)
		arguments[i] = random_u64(&seed);
	for (unsigned i = 0; i < METER_TESTS; i++) {
		unsigned of = random_below(&seed, 7);

		select->tests[i] = random_test(METER_KEPT + 8 * of,
					       of ? arguments[of - 1] : result,
					       i != fails);
	}
}

void
set_area(enum scene scene, enum check_kind kind,
	 const struct machine_state *before, uint64_t returns_to)
{
	addr_t sp = before->gregs[REG_RSP];
	struct meter_block *block = &area_before.block;
	uint64_t pointer = thread_pointer();
	unsigned way = scene == SECOND_WAY;
	unsigned depth = scene == FULL
				 ? METER_DEPTH
				 : 1 + random_below(&seed, METER_DEPTH - 1);
	addr_t at = check_is_meter_entry(kind) ? sp : sp - 8;

	memset(&area_before, 0, AREA_USED);
	memset(&area.block.texts, 0x11, sizeof(area.block.texts));
	memset(&block->sums, 0x11, sizeof(block->sums));
	memset(&block->wholes, 0x11, (WHOLE + 1) * sizeof(block->wholes[0]));
	block->wholes[WHOLE].most >>= random_below(&seed, 64);
	if (scene != UNKNOWN_THREAD)
		area_before.tables.threads[meter_bucket(
			pointer, METER_THREAD_BITS)][way] =
			(struct meter_thread){ pointer, (uint64_t)&area.block };
	if (check_is_meter_entry(kind) && scene != ELSEWHERE && returns_to)
		area_before.tables.returns[meter_bucket(
			returns_to, METER_RETURN_BITS)][way] = returns_to;
	block->top = (uint64_t)&area.block.open[depth];
	block->full = (uint64_t)&area.block.open[METER_DEPTH];
	block->low = scene == CLOSED	    ? UINT64_MAX
		     : scene == OTHER_STACK ? at + 8
					    : at - 0x1000;
	block->open[depth - 1].inner = random_below(&seed, 1000);
	block->open[depth] = last_open(scene, kind, at);
	if (kind == CHECK_METER_SELECT)
		set_select(depth, scene == LONG, before->gregs[REG_RAX]);
}

/* ---- after a run ----------------------------------------------------------*/

static void
same_registers(const char *name, const struct machine_state *before,
	       const struct machine_state *after)
{
	for (int i = 0; i < REG_RIP; i++)
		ck_assert_msg(before->gregs[i] == after->gregs[i],
			      "%s: register %d", name, i);
	ck_assert_msg(((before->gregs[REG_EFL] ^ after->gregs[REG_EFL]) &
		       FLAGS) == 0,
		      "%s: flags %#lx, %#lx", name, before->gregs[REG_EFL],
		      after->gregs[REG_EFL]);
}

void
same_world(const char *name, enum check_kind kind,
	   const struct machine_state *before,
	   const struct machine_state *after)
{
	size_t sp = before->gregs[REG_RSP] - (uint64_t)machine.data;
	size_t from = check_is_meter_entry(kind) ? sp : sp - RED_ZONE;

	same_registers(name, before, after);
	ck_assert_msg(!memcmp(memory_before + from, machine.data + from,
			      sizeof(memory_before) - from),
		      "%s: memory", name);
	ck_assert_msg(!memcmp(before->fx, after->fx, 4), "%s: x87", name);
	ck_assert_msg(!memcmp(before->fx + 24, after->fx + 24, 4), "%s: MXCSR",
		      name);
	ck_assert_msg(!memcmp(before->fx + 160, after->fx + 160, 256),
		      "%s: xmm", name);
	ck_assert_msg(!memcmp(before->ymmh, after->ymmh, MACHINE_YMMH),
		      "%s: ymm", name);
}

size_t
own_instructions(const struct check *check, size_t *offsets)
{
	size_t count = 0;

	for (size_t at = 0; at <= check->trap;) {
		struct insn insn;

		offsets[count++] = at;
		ck_assert_int_eq(insn_decode(check->bytes + at,
					     check->length - at, place() + at,
					     &insn),
				 0);
		at += insn.length;
	}
	offsets[count++] = check->slot;
	return count;
}

unsigned
states(unsigned most)
{
	const char *text = getenv("METER_STATES");

	return text ? (unsigned)strtoul(text, NULL, 10) : most;
}

/* ---- texts ----------------------------------------------------------------*/

#define TEXT_PAGES ((size_t)2 * ADDR_PAGE)

/* Two pages for the n-th text. The page behind them cannot be read. */
static uint8_t *
pages_of_text(unsigned n)
{
	static uint8_t *pages[METER_TEXTS];

	if (pages[n])
		return pages[n];
	pages[n] = mmap(NULL, TEXT_PAGES + ADDR_PAGE, PROT_READ | PROT_WRITE,
			MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	ck_assert_ptr_ne(pages[n], MAP_FAILED);
	ck_assert_int_eq(mprotect(pages[n] + TEXT_PAGES, ADDR_PAGE, PROT_NONE),
			 0);
	return pages[n];
}

static void
know_page(const uint8_t *at)
{
	uint64_t page = (uint64_t)at | (ADDR_PAGE - 1);
	uint64_t *cells =
		area_before.pages[meter_bucket(page, METER_PAGE_BITS)];

	cells[cells[0] && cells[0] != page] = page;
}

/* The offset of a text of this length in its two pages. A text of TEXT_TORN is
 * on both pages. Other texts are anywhere, at the end of the second page, or on
 * both pages. */
static size_t
place_text(enum text_place place, size_t length)
{
	size_t room = TEXT_PAGES - length;

	if (place == TEXT_TORN || random_below(&seed, 3) == 0)
		return ADDR_PAGE - 1 -
		       random_below(&seed, (unsigned)length - 1);
	return random_below(&seed, 2) ? room
				      : random_below(&seed, (unsigned)room);
}

/* Ends the n-th text with a NUL, or stores its length in an argument. */
static void
end_text(unsigned n, uint8_t *at, size_t length, struct machine_state *before)
{
	static const int registers[] = { REG_RDX, REG_RCX };
	struct meter_text *text = &area_before.select.texts[n];

	if (text->ends) {
		at[length - 1] = 0;
		return;
	}
	at[random_below(&seed, (unsigned)length)] = 0;
	text->length =
		METER_KEPT + offsetof(struct meter_kept, arguments[2 + n]);
	text->mask = UINT32_MAX;
	before->gregs[registers[n]] =
		(greg_t)(random_u64(&seed) << 32 | length);
}

const uint8_t *
set_text(enum text_place place, unsigned n, struct machine_state *before,
	 size_t *ret_length)
{
	static const int registers[] = { REG_RDI, REG_RSI };
	size_t length = 2 + random_below(&seed, METER_TEXT_MOST - 16);
	struct meter_text *text = &area_before.select.texts[n];
	uint8_t *at;

	if (place == TEXT_LONG)
		length = METER_TEXT_ROOM + random_below(&seed, 1000);
	at = pages_of_text(n) + place_text(place, length);
	memset(pages_of_text(n), 'x', TEXT_PAGES);
	*text = (struct meter_text){
		.pointer =
			METER_KEPT + offsetof(struct meter_kept, arguments[n]),
		.length = METER_KEPT + offsetof(struct meter_kept, all),
		.mask = UINT64_MAX,
		.most = UINT64_MAX / 2,
		.ends = random_below(&seed, 2),
	};
	end_text(n, at, length, before);
	if (place == TEXT_EMPTY) {
		text->most = random_below(&seed, 2) ? 0 : text->most;
		at = text->most ? NULL : at;
		length = 0;
	}
	before->gregs[registers[n]] = (greg_t)at;
	if (place != TEXT_ELSEWHERE && place != TEXT_EMPTY) {
		know_page(at);
		if (place != TEXT_TORN)
			know_page(at + length - 1);
	}
	*ret_length = length;
	return at;
}

void
run(const struct check *check, const struct machine_state *before,
    struct machine_state *after)
{
	memcpy(&area, &area_before, AREA_USED);
	run_check(check, before, after);
}

void
run_check(const struct check *check, const struct machine_state *before,
	  struct machine_state *after)
{
	struct machine_state in = *before;

	memset(machine.write[MACHINE_HOME], INT3, PLACE + CHECK_ROOM);
	memcpy(machine.write[MACHINE_HOME] + PLACE, check->bytes,
	       check->length);
	memcpy(machine.data, memory_before, sizeof(memory_before));
	in.gregs[REG_RIP] = place();
	machine_run(&in, after);
	ck_assert_int_eq(after->signal, SIGTRAP);
}
