/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Chooses the distance of a jmp rel32 whose bytes are partly given:
 *
 *	byte of the window	0   1   2   3   4   5
 *	of the distance		    0   1   2   3
 *
 * Where an instruction began there must be an int3, cc. In byte 4, the highest
 * of the distance, that means 832 to 848 MiB below the site only. If the
 * instruction that begins there has a second byte, there is more choice: byte 4
 * may be a prefix that int3 ignores, with the int3 in byte 5. The CPU then
 * reports the same trap, with the pc behind byte 5. These prefixes are known to
 * do so: segments, REX, the two sizes, repeat. lock is not: it is an invalid
 * instruction there.
 *
 * The springboard is another jmp rel32. It is in memory that is mapped for it,
 * at an address that the jump can name.
 */
#include "arch/x86_64/pun.h"

#include "arch/x86/int3.h"
#include "arch/x86_64/window.h"

#include <string.h>

#define DIGITS 4u
#define TOP 4u /* the window's byte with the highest byte of the distance */
/* Distances are signed numbers. With BIAS added, they can be compared as
 * unsigned numbers. */
#define BIAS UINT64_C(0x80000000)

static const uint8_t prefixes[] = { 0x26, 0x2e, 0x36, 0x3e, 0x64, 0x65, 0x66,
				    0x67, 0xf2, 0xf3, 0x40, 0x41, 0x42, 0x43,
				    0x44, 0x45, 0x46, 0x47, 0x48, 0x49, 0x4a,
				    0x4b, 0x4c, 0x4d, 0x4e, 0x4f };

/* A biased distance with some digits (bytes) given; digit 0 is the highest. */
struct digits {
	bool given[DIGITS];
	uint8_t digit[DIGITS];
};

static struct digits
digits_of(uint8_t boundaries)
{
	struct digits digits = { { false }, { 0 } };

	for (unsigned byte = 1; byte <= TOP; byte++) {
		unsigned digit = TOP - byte;

		if (!(boundaries & 1u << byte))
			continue;
		digits.given[digit] = true;
		digits.digit[digit] = INT3;
	}
	digits.digit[0] ^= 0x80;
	return digits;
}

static uint8_t
digit_of(uint32_t number, unsigned digit)
{
	return (uint8_t)(number >> 8 * (DIGITS - 1 - digit));
}

/*
 * The least number with these digits that begins with the first `same` digits
 * of low, and whose next digit is larger than that of low. If `same` is all
 * digits, the number is low itself. False if there is none.
 */
static bool
least_above(const struct digits *digits, uint32_t low, unsigned same,
	    uint32_t *ret_number)
{
	uint32_t number = 0;

	for (unsigned i = 0; i < DIGITS; i++) {
		uint8_t least = digits->given[i] ? digits->digit[i] : 0;
		uint8_t mine = digit_of(low, i);

		if (i < same) {
			if (digits->given[i] && digits->digit[i] != mine)
				return false;
			least = mine;
		} else if (i == same) {
			if (mine == UINT8_MAX)
				return false;
			if (!digits->given[i])
				least = mine + 1;
			if (least <= mine)
				return false;
		}
		number = number << 8 | least;
	}
	*ret_number = number;
	return true;
}

/* The least number with these digits that is not less than low. */
static bool
least_from(const struct digits *digits, uint32_t low, uint32_t *ret_number)
{
	for (unsigned same = DIGITS + 1; same-- > 0;) {
		if (least_above(digits, low, same, ret_number))
			return true;
	}
	return false;
}

/* The room as biased distances of a jump that ends at `end`: [low, high]. False
 * if it is out of reach. */
static bool
distances(const struct jump_room *room, addr_t end, uint32_t *ret_low,
	  uint32_t *ret_high)
{
	int64_t low = (int64_t)(room->start - end);
	int64_t high = (int64_t)(room->end - end) - (int64_t)JUMP_LENGTH;

	if (room->end - room->start < JUMP_LENGTH || high < INT32_MIN ||
	    low > INT32_MAX)
		return false;
	if (low < INT32_MIN)
		low = INT32_MIN;
	if (high > INT32_MAX)
		high = INT32_MAX;
	*ret_low = (uint32_t)((uint64_t)low + BIAS);
	*ret_high = (uint32_t)((uint64_t)high + BIAS);
	return true;
}

static bool
find_in(const struct digits *digits, addr_t end, const struct jump_room *room,
	int32_t *ret_distance)
{
	uint32_t low, high, number;

	if (!distances(room, end, &low, &high) ||
	    !least_from(digits, low, &number) || number > high)
		return false;
	*ret_distance = (int32_t)(number - (uint32_t)BIAS);
	return true;
}

static bool
find(const struct digits *digits, addr_t end, const struct jump_room *rooms,
     size_t count, int32_t *ret_distance)
{
	for (size_t i = 0; i < count; i++) {
		if (find_in(digits, end, &rooms[i], ret_distance))
			return true;
	}
	return false;
}

static void
make(const struct window *window, addr_t at, int32_t distance, bool prefixed,
     struct jump *to)
{
	*to = (struct jump){ .at = at, .length = JUMP_LENGTH };
	to->board = at + JUMP_LENGTH + (addr_t)(int64_t)distance;
	to->planted[0] = JUMP_OPCODE;
	memcpy(to->planted + 1, &distance, sizeof(distance));
	if (prefixed)
		to->planted[to->length++] = INT3;
	to->boundaries = window->boundaries & ((1u << JUMP_LENGTH) - 1);
	memcpy(to->original, window->bytes, to->length);
}

bool
x86_64_pun(const struct window *window, addr_t at,
	   const struct jump_room *rooms, size_t count, struct jump *ret_jump)
{
	struct digits digits = digits_of(window->boundaries);
	addr_t end = at + JUMP_LENGTH;
	bool longer = window->length > JUMP_LENGTH &&
		      !(window->boundaries & 1u << JUMP_LENGTH);
	int32_t distance;

	if (find(&digits, end, rooms, count, &distance)) {
		make(window, at, distance, false, ret_jump);
		return true;
	}
	if (!digits.given[0] || !longer)
		return false;
	for (size_t i = 0; i < array_size(prefixes); i++) {
		digits.digit[0] = prefixes[i] ^ 0x80;
		if (!find(&digits, end, rooms, count, &distance))
			continue;
		make(window, at, distance, true, ret_jump);
		return true;
	}
	return false;
}

bool
x86_64_board(addr_t board, addr_t target, uint8_t *to)
{
	int64_t distance = (int64_t)(target - (board + JUMP_LENGTH));
	int32_t four = (int32_t)distance;

	if (four != distance)
		return false;
	to[0] = JUMP_OPCODE;
	memcpy(to + 1, &four, sizeof(four));
	return true;
}
