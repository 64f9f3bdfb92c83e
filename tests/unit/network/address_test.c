/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Addresses as users write them. */
#include "tests/unit/network/suites.h"

#include "base/attr.h"
#include "network/address.h"

#include <netdb.h>
#include <stdio.h>
#include <string.h>

START_TEST(are_read)
{
	static const struct {
		const char *text, *read; /* "" if the text is wrong */
	} rows[] = {
		{ "9464", "127.0.0.1 9464" },
		{ "1", "127.0.0.1 1" },
		{ "65535", "127.0.0.1 65535" },
		{ "0.0.0.0:80", "0.0.0.0 80" },
		{ "10.1.2.3:9464", "10.1.2.3 9464" },
		{ "[::1]:9464", "::1 9464" },
		{ "[::]:9464", ":: 9464" },
		{ "", "" },
		{ "0", "" },
		{ "080", "" },
		{ "65536", "" },
		{ "-1", "" },
		{ "0x10", "" },
		{ "80 ", "" },
		{ ":80", "" },
		{ "localhost:80", "" },
		{ "10.1.2.3", "" },
		{ "10.1.2.3:", "" },
		{ "10.1.2.300:80", "" },
		{ "::1:80", "" },
		{ "[::1]", "" },
		{ "[]:80", "" },
		{ "[10.1.2.3]:80", "" },
		{ "[::1:80", "" },
	};

	for (size_t i = 0; i < array_size(rows); i++) {
		char name[64], port[16], read[96] = "";
		struct address address;

		if (address_parse(rows[i].text, &address) == 0) {
			const struct sockaddr *at =
				(const struct sockaddr *)&address.at;

			ck_assert_int_eq(getnameinfo(at, address.length, name,
						     sizeof(name), port,
						     sizeof(port),
						     NI_NUMERICHOST |
							     NI_NUMERICSERV),
					 0);
			snprintf(read, sizeof(read), "%s %s", name, port);
		}
		ck_assert_msg(!strcmp(read, rows[i].read), "'%s' is '%s'",
			      rows[i].text, read);
	}
}
END_TEST

Suite *
address_suite(void)
{
	Suite *suite = suite_create("address");
	TCase *tests = tcase_create("address");

	tcase_add_test(tests, are_read);
	suite_add_tcase(suite, tests);
	return suite;
}
