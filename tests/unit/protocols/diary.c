/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tests/unit/protocols/diary.h"

#include "tests/unit/protocols/suites.h"

static const char *const kinds[] = { "text", "prepare", "execute" };
static const char *const outcomes[] = { "pending", "done", "failed", "skipped",
					"lost" };

static void
began(struct query_listener *listener, const struct query *query)
{
	struct diary *diary = container_of(listener, struct diary, listener);

	ck_assert_uint_eq(query->number, diary->entries.count + 1);
	ck_assert_int_eq(query->outcome, QUERY_PENDING);
	ck_assert_uint_eq(query->ended, 0);
	vec_push(&diary->entries, NULL);
	vec_push(&diary->ends, *query);
}

static char *
entry_of(const struct query *query)
{
	struct str str;

	str_init(&str);
	str_addf(&str, "%s %s ", kinds[query->kind], outcomes[query->outcome]);
	if (query->rows_known)
		str_add_unsigned(&str, query->rows);
	else
		str_add(&str, "-");
	if (!query->text || query->length > 0)
		str_add(&str, " ");
	if (!query->text)
		str_add(&str, "?");
	for (size_t i = 0; i < query->length && query->text; i++) {
		if (query->text[i] == '\n')
			str_add(&str, "\\n");
		else if (query->text[i] == '\t')
			str_add(&str, "\\t");
		else
			str_add_char(&str, query->text[i]);
	}
	for (size_t i = 0; i < query->value_count; i++) {
		const struct query_value *value = &query->values[i];
		const char *quote = value->kind == QUERY_VALUE_TEXT ? "'" : "";

		str_add(&str, i == 0 ? " [" : ", ");
		str_addf(&str, "%s%s%s", quote,
			 value->kind == QUERY_VALUE_NULL ? "NULL"
							 : value->bytes,
			 quote);
		if (value->type)
			str_addf(&str, ":%u", value->type);
	}
	if (query->values)
		str_add(&str, query->values_cut ? "...]" : "]");
	return str_take(&str);
}

static void
ended(struct query_listener *listener, const struct query *query)
{
	struct diary *diary = container_of(listener, struct diary, listener);
	size_t at = query->number - 1;

	ck_assert_uint_lt(at, diary->entries.count);
	ck_assert_ptr_null(diary->entries.at[at]);
	ck_assert_int_ne(query->outcome, QUERY_PENDING);
	ck_assert_int_eq(query->ended == 0, query->outcome == QUERY_LOST);
	if (query->ended > 0)
		ck_assert_uint_le(query->began, query->ended);
	diary->entries.at[at] = entry_of(query);
	diary->ends.at[at] = *query;
	diary->ends.at[at].text = NULL;
	diary->ends.at[at].values = NULL;
}

static void
noticed(struct query_listener *listener, enum query_notice notice)
{
	static const char *const names[] = { "compressed ", "encrypted ",
					     "lost " };
	struct diary *diary = container_of(listener, struct diary, listener);

	ck_assert_uint_lt(strlen(diary->notices) + strlen(names[notice]),
			  sizeof(diary->notices));
	strcat(diary->notices, names[notice]);
}

void
diary_init(struct diary *diary)
{
	memset(diary, 0, sizeof(*diary));
	diary->listener = (struct query_listener){ .begin = began,
						   .end = ended,
						   .notice = noticed };
}

void
diary_release(struct diary *diary)
{
	ck_assert(!diary_waits(diary));
	for (size_t i = 0; i < diary->entries.count; i++)
		free(diary->entries.at[i]);
	vec_release(&diary->entries);
	vec_release(&diary->ends);
}

bool
diary_waits(const struct diary *diary)
{
	for (size_t i = 0; i < diary->entries.count; i++) {
		if (!diary->entries.at[i])
			return true;
	}
	return false;
}
