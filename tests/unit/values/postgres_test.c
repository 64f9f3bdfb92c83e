/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Values in PostgreSQL's binary format. The bytes are what PostgreSQL 15
 * sends for the expression above each row, if the client asks for binary
 * results. */
#include "tests/unit/values/suites.h"
#include "base/attr.h"
#include "base/str.h"
#include "values/postgres.h"

#include <stdlib.h>
#include <string.h>

#define B(bytes) bytes, sizeof(bytes) - 1

struct row {
	uint64_t type;
	const char *bytes;
	size_t length;
	const char *shown;
};

static const struct row rows[] = {
	/* true */
	{ 16, B("\x01"), "true" },
	/* (-70000)::int4 */
	{ 23, B("\xff\xfe\xee\x90"), "-70000" },
	/* '-Infinity'::float8 */
	{ 701, B("\xff\xf0\x00\x00\x00\x00\x00\x00"), "-inf" },
	/* 1.5::float4 */
	{ 700, B("\x3f\xc0\x00\x00"), "1.5" },
	/* '2026-01-02'::date */
	{ 1082, B("\x00\x00\x25\x1a"), "2026-01-02" },
	/* 'infinity'::date */
	{ 1082, B("\x7f\xff\xff\xff"), "infinity" },
	/* '0044-03-15 BC'::date */
	{ 1082, B("\xff\xf4\x9d\x7b"), "0044-03-15 BC" },
	/* '03:04:05.000006'::time */
	{ 1083, B("\x00\x00\x00\x02\x92\x55\x53\x46"), "03:04:05.000006" },
	/* '24:00:00'::time */
	{ 1083, B("\x00\x00\x00\x14\x1d\xd7\x60\x00"), "24:00:00" },
	/* '03:04:05+05:30'::timetz */
	{ 1266, B("\x00\x00\x00\x02\x92\x55\x53\x40\xff\xff\xb2\xa8"),
	  "03:04:05+05:30" },
	/* '03:04:05-08'::timetz */
	{ 1266, B("\x00\x00\x00\x02\x92\x55\x53\x40\x00\x00\x70\x80"),
	  "03:04:05-08" },
	/* '2026-01-02 03:04:05.5'::timestamp */
	{ 1114, B("\x00\x02\xea\x5d\xbb\x1c\xb4\x60"),
	  "2026-01-02 03:04:05.5" },
	/* '-infinity'::timestamp */
	{ 1114, B("\x80\x00\x00\x00\x00\x00\x00\x00"), "-infinity" },
	/* '1999-12-31 23:59:59.999999'::timestamp */
	{ 1114, B("\xff\xff\xff\xff\xff\xff\xff\xff"),
	  "1999-12-31 23:59:59.999999" },
	/* '2026-01-02 03:04:05+02'::timestamptz */
	{ 1184, B("\x00\x02\xea\x5c\x0d\xed\xcb\x40"),
	  "2026-01-02 01:04:05+00" },
	/* '294276-12-31 23:59:59.999999'::timestamp */
	{ 1114, B("\x7f\xff\xff\x5b\xb3\xb2\x9f\xff"),
	  "294276-12-31 23:59:59.999999" },
	/* '4713-01-01 00:00:00 BC'::timestamp */
	{ 1114, B("\xfd\x0f\x7f\xbd\xaf\x17\xe0\x00"),
	  "4713-01-01 00:00:00 BC" },
	/* '1 year 2 mons -3 days 04:05:06.7'::interval */
	{ 1186,
	  B("\x00\x00\x00\x03\x6c\x96\x6e\xe0\xff\xff\xff\xfd\x00\x00\x00\x0e"),
	  "1 year 2 mons -3 days +04:05:06.7" },
	/* '-1 mons -00:00:01'::interval */
	{ 1186,
	  B("\xff\xff\xff\xff\xff\xf0\xbd\xc0\x00\x00\x00\x00\xff\xff\xff\xff"),
	  "-1 mons -00:00:01" },
	/* '0'::interval */
	{ 1186,
	  B("\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00"),
	  "00:00:00" },
	/* '12345678-9abc-def0-1234-56789abcdef0'::uuid */
	{ 2950,
	  B("\x12\x34\x56\x78\x9a\xbc\xde\xf0\x12\x34\x56\x78\x9a\xbc\xde\xf0"),
	  "12345678-9abc-def0-1234-56789abcdef0" },
	/* 0::numeric */
	{ 1700, B("\x00\x00\x00\x00\x00\x00\x00\x00"), "0" },
	/* '-12345.678'::numeric */
	{ 1700, B("\x00\x03\x00\x01\x40\x00\x00\x03\x00\x01\x09\x29\x1a\x7c"),
	  "-12345.678" },
	/* '0.0001'::numeric */
	{ 1700, B("\x00\x01\xff\xff\x00\x00\x00\x04\x00\x01"), "0.0001" },
	/* '1e20'::numeric */
	{ 1700, B("\x00\x01\x00\x05\x00\x00\x00\x00\x00\x01"),
	  "100000000000000000000" },
	/* '0.00'::numeric */
	{ 1700, B("\x00\x00\x00\x00\x00\x00\x00\x02"), "0.00" },
	/* 'NaN'::numeric */
	{ 1700, B("\x00\x00\x00\x00\xc0\x00\x00\x00"), "NaN" },
	/* '-Infinity'::numeric */
	{ 1700, B("\x00\x00\x00\x00\xf0\x00\x00\x20"), "-Infinity" },
	/* '100000000.05'::numeric */
	{ 1700,
	  B("\x00\x04\x00\x02\x00\x00\x00\x02\x00\x01\x00\x00\x00\x00\x01\xf4"),
	  "100000000.05" },
	/* '1.50'::numeric(10,5) */
	{ 1700, B("\x00\x02\x00\x00\x00\x00\x00\x05\x00\x01\x13\x88"),
	  "1.50000" },
	/* '192.0.2.1/24'::inet */
	{ 869, B("\x02\x18\x00\x04\xc0\x00\x02\x01"), "192.0.2.1/24" },
	/* '192.0.2.1'::inet */
	{ 869, B("\x02\x20\x00\x04\xc0\x00\x02\x01"), "192.0.2.1" },
	/* '2001:db8::/32'::cidr */
	{ 650,
	  B("\x03\x20\x01\x10\x20\x01\x0d\xb8\x00\x00\x00\x00\x00\x00\x00\x00"
	    "\x00\x00\x00\x00"),
	  "2001:db8::/32" },
	/* array[1,null,3]::int4[] */
	{ 1007,
	  B("\x00\x00\x00\x01\x00\x00\x00\x01\x00\x00\x00\x17\x00\x00\x00\x03"
	    "\x00\x00\x00\x01\x00\x00\x00\x04\x00\x00\x00\x01\xff\xff\xff\xff"
	    "\x00\x00\x00\x04\x00\x00\x00\x03"),
	  "[1, NULL, 3]" },
	/* array[['a','b'],['c"','d']]::text[] */
	{ 1009,
	  B("\x00\x00\x00\x02\x00\x00\x00\x00\x00\x00\x00\x19\x00\x00\x00\x02"
	    "\x00\x00\x00\x01\x00\x00\x00\x02\x00\x00\x00\x01\x00\x00\x00\x01"
	    "\x61\x00\x00\x00\x01\x62\x00\x00\x00\x02\x63\x22\x00\x00\x00\x01"
	    "\x64"),
	  "[[\"a\", \"b\"], [\"c\\\"\", \"d\"]]" },
	/* '{}'::int8[] */
	{ 1016, B("\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x14"), "[]" },
	/* array['2026-01-02'::date] */
	{ 1182,
	  B("\x00\x00\x00\x01\x00\x00\x00\x00\x00\x00\x04\x3a\x00\x00\x00\x01"
	    "\x00\x00\x00\x01\x00\x00\x00\x04\x00\x00\x25\x1a"),
	  "[2026-01-02]" },
	/* '[5:6]={1,2}'::int2[] */
	{ 1005,
	  B("\x00\x00\x00\x01\x00\x00\x00\x00\x00\x00\x00\x15\x00\x00\x00\x02"
	    "\x00\x00\x00\x05\x00\x00\x00\x02\x00\x01\x00\x00\x00\x02\x00\x02"),
	  "[1, 2]" },
	/* array[1.5,-2]::numeric[] */
	{ 1231,
	  B("\x00\x00\x00\x01\x00\x00\x00\x00\x00\x00\x06\xa4\x00\x00\x00\x02"
	    "\x00\x00\x00\x01\x00\x00\x00\x0c\x00\x02\x00\x00\x00\x00\x00\x01"
	    "\x00\x01\x13\x88\x00\x00\x00\x0a\x00\x01\x00\x00\x40\x00\x00\x00"
	    "\x00\x02"),
	  "[1.5, -2]" },
	/* 12::oid */
	{ 26, B("\x00\x00\x00\x0c"), "12" },
};

/* Values that are shown as bytes, because their type is unknown or their form
 * is wrong. */
static const struct row unknown[] = {
	{ 0, B("\x01"), NULL },	 /* the client has told no type */
	{ 17, B("\x01"), NULL }, /* bytea */
	{ 600, B("\x3f\xf0\0\0\0\0\0\0\x40\0\0\0\0\0\0\0"), NULL }, /* point */
	{ 1001, B("\0\0\0\0\0\0\0\0\0\0\0\x11"), NULL }, /* bytea[] */
	{ 23, B("\0\0\x01"), NULL },			 /* too short */
	{ 23, B("\0\0\0\0\x01"), NULL },		 /* too long */
	{ 23, B(""), NULL },
	{ 1083, B("\x80\0\0\0\0\0\0\0"), NULL }, /* a time below 0 */
	/* a zone of more than a day */
	{ 1266, B("\0\0\0\0\0\0\0\0\x7f\xff\xff\xff"), NULL },
	/* numeric: a digit is missing; there is one too many; a digit of 10000;
	 * a scale below 0; a weight too large */
	{ 1700, B("\0\x01\0\0\0\0\0\0"), NULL },
	{ 1700, B("\0\0\0\0\0\0\0\0\0\x01"), NULL },
	{ 1700, B("\0\x01\0\0\0\0\0\0\x27\x10"), NULL },
	{ 1700, B("\0\x01\0\0\0\0\xff\xff\0\x01"), NULL },
	{ 1700, B("\0\x01\x7f\xff\0\0\0\0\0\x01"), NULL },
	{ 1700, B("\xff\xff\0\0\0\0\0\0\0\x01"), NULL },
	/* inet: no such family; an address of 4 bytes with 33 bits */
	{ 869, B("\x04\x20\0\x04\x7f\0\0\x01"), NULL },
	{ 869, B("\x02\x21\0\x04\x7f\0\0\x01"), NULL },
	/* arrays: of another type; a length below -1; one element is missing;
	 * seven dimensions; a length of 2^31 - 1 */
	{ 1007, B("\0\0\0\0\0\0\0\0\0\0\0\x15"), NULL },
	{ 1007,
	  B("\0\0\0\x01\0\0\0\0\0\0\0\x17\0\0\0\x01\0\0\0\x01"
	    "\xff\xff\xff\xfe"),
	  NULL },
	{ 1007,
	  B("\0\0\0\x01\0\0\0\0\0\0\0\x17\0\0\0\x02\0\0\0\x01"
	    "\xff\xff\xff\xff"),
	  NULL },
	{ 1007, B("\0\0\0\x07\0\0\0\0\0\0\0\x17"), NULL },
	{ 1007, B("\0\0\0\x01\0\0\0\0\0\0\0\x17\x7f\xff\xff\xff\0\0\0\x01"),
	  NULL },
};

START_TEST(a_value_is_shown)
{
	const struct row *row = &rows[_i];
	struct str text = { 0 };

	ck_assert(postgres_add(&text, row->type, row->bytes, row->length));
	ck_assert_str_eq(str_text(&text), row->shown);
	str_release(&text);
}
END_TEST

START_TEST(what_is_not_known_is_not_shown)
{
	const struct row *row = &unknown[_i];
	struct str text = { 0 };
	size_t head;

	ck_assert(!postgres_add(&text, row->type, row->bytes, row->length));
	ck_assert_uint_eq(text.length, 0);
	ck_assert(!postgres_is_text(row->type, &head));
	str_release(&text);
}
END_TEST

/* Each beginning of a value is too short for its type. */
START_TEST(a_part_is_no_value)
{
	const struct row *row = &rows[_i];
	struct str text = { 0 };

	for (size_t length = 0; length < row->length; length++) {
		char *part = malloc(length + 1);

		memcpy(part, row->bytes, length);
		ck_assert(!postgres_add(&text, row->type, part, length));
		free(part);
	}
	str_release(&text);
}
END_TEST

START_TEST(texts_have_a_head)
{
	size_t head = 7;

	ck_assert(postgres_is_text(25, &head)); /* text */
	ck_assert_uint_eq(head, 0);
	ck_assert(postgres_is_text(3802, &head)); /* jsonb */
	ck_assert_uint_eq(head, 1);
}
END_TEST

Suite *
postgres_suite(void)
{
	Suite *suite = suite_create("postgres");
	TCase *tcase = tcase_create("postgres");

	tcase_add_loop_test(tcase, a_value_is_shown, 0, array_size(rows));
	tcase_add_loop_test(tcase, what_is_not_known_is_not_shown, 0,
			    array_size(unknown));
	tcase_add_loop_test(tcase, a_part_is_no_value, 0, array_size(rows));
	tcase_add_test(tcase, texts_have_a_head);
	suite_add_tcase(suite, tcase);
	return suite;
}
