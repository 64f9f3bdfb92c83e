/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Pieces and packets: wherever the pieces are cut, the packets are the same. */
#include "tests/unit/protocols/suites.h"

#include "protocols/stream.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* A packet has a header of two bytes: a 7, and the length of its body. */
static bool
body(const unsigned char *header, uint64_t *ret_length)
{
	*ret_length = header[1];
	return header[0] == 7;
}

static const struct framing framing = { 2, body };

static const unsigned char bytes[] = { 7, 3, 'a', 'b', 'c', 7,	 0,
				       7, 5, 'd', 'e', 'f', 'g', 'h',
				       7, 1, 'i', 7,   2,   'j', 'k' };
static const char *const bodies[] = { "abc", "", "defgh", "i", "jk" };

/* Sends pieces of this size; returns how many packets came, after checking
 * each. */
static size_t
count_packets(size_t size, size_t keep)
{
	struct stream stream;
	struct packet packet;
	size_t count = 0;

	stream_init(&stream, &framing, keep);
	for (size_t at = 0; at < sizeof(bytes); at += size) {
		size_t left =
			sizeof(bytes) - at < size ? sizeof(bytes) - at : size;
		unsigned char *copy = malloc(left);
		struct piece piece = { copy, left, at + 1 };

		memcpy(copy, bytes + at, left);
		while (stream_next(&stream, &piece, &packet) > 0) {
			size_t length = strlen(bodies[count]);

			ck_assert_uint_eq(packet.length, length);
			ck_assert_uint_eq(packet.kept,
					  length < keep ? length : keep);
			if (packet.kept)
				ck_assert_mem_eq(packet.body, bodies[count],
						 packet.kept);
			ck_assert_uint_le(packet.began, at + 1);
			count++;
		}
		ck_assert_uint_eq(piece.left, 0);
		free(copy);
	}
	ck_assert(stream_between(&stream));
	stream_release(&stream);
	return count;
}

START_TEST(cuts)
{
	for (size_t size = 1; size <= sizeof(bytes); size++)
		for (size_t keep = 0; keep <= 6; keep++)
			ck_assert_uint_eq(count_packets(size, keep), 5);
}
END_TEST

START_TEST(refused)
{
	static const unsigned char wrong[] = { 7, 0, 8, 1, 7, 0 };
	struct piece piece = { wrong, sizeof(wrong), 1 };
	struct stream stream;
	struct packet packet;

	stream_init(&stream, &framing, 8);
	ck_assert_int_eq(stream_next(&stream, &piece, &packet), 1);
	ck_assert_int_eq(stream_next(&stream, &piece, &packet), -EPROTO);
	ck_assert(stream_between(&stream));
	stream_release(&stream);
}
END_TEST

START_TEST(blind)
{
	static const unsigned char head[] = { 7, 200, 'a', 'b', 'c', 'd' };
	static const unsigned char tail[] = { 'z', 7, 0 };
	struct piece piece = { head, sizeof(head), 1 };
	struct stream stream;
	struct packet packet;

	stream_init(&stream, &framing, 3);
	ck_assert_uint_eq(stream_blind(&stream), 0);
	ck_assert_int_eq(stream_next(&stream, &piece, &packet), 0);
	ck_assert_uint_eq(stream_blind(&stream), 195);
	stream_pass(&stream, 1000);
	ck_assert_uint_eq(stream_blind(&stream), 0);
	piece = (struct piece){ tail, sizeof(tail), 2 };
	ck_assert_int_eq(stream_next(&stream, &piece, &packet), 1);
	ck_assert_uint_eq(packet.length, 200);
	ck_assert_uint_eq(packet.kept, 3);
	ck_assert_uint_eq(packet.began, 1);
	ck_assert_int_eq(memcmp(packet.body, "abc", 3), 0);
	ck_assert_int_eq(stream_next(&stream, &piece, &packet), 1);
	ck_assert_uint_eq(packet.length, 0);
	stream_release(&stream);
}
END_TEST

Suite *
stream_suite(void)
{
	Suite *suite = suite_create("stream");
	TCase *tests = tcase_create("stream");

	tcase_add_test(tests, cuts);
	tcase_add_test(tests, refused);
	tcase_add_test(tests, blind);
	suite_add_tcase(suite, tests);
	return suite;
}
