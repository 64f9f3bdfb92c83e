/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Texts that a call takes are copied inside the program at its entry, because
 * they may be changed or freed until it returns (struct meter_text). Nothing of
 * a text is read later: what was not copied is shown as unreadable.
 *
 * A meter reads only pages that xtrace has read. A call with a text in another
 * page stops, and then xtrace reads that page. Pages may be unmapped meanwhile,
 * so they are read again once per second, and are forgotten when a library is
 * unmapped. If a program passes a pointer into a page that was just unmapped,
 * the meter faults. xtrace hides this fault from the program
 * (metering_faulted()). If the function itself reads there, it faults as it
 * would without xtrace.
 */
#include "tracer/report/metering_parts.h"

#include "agent/readable.h"
#include "breakpoints/jumps.h"
#include "conf/model/expr.h"
#include "conf/model/lens.h"
#include "conf/model/proto.h"
#include "conf/model/type.h"
#include "tracer/report/call_arguments.h"
#include "tracer/report/report.h"
#include "values/capture.h"

#include <string.h>

#define MASK(bits) (UINT64_MAX >> (64 - (bits)))

/* ---- which texts a function takes -----------------------------------------*/

static const struct lens *
text_lens(const struct type *type)
{
	const struct lens *lens = type->lens;

	/* An argument that is guessed to be a text is read like a text. */
	if (lens && lens->kind == LENS_GUESS)
		lens = lens->under;
	if (!lens || (lens->kind != LENS_STRING && lens->kind != LENS_SQL &&
		      lens->kind != LENS_PLAIN))
		return NULL;
	return lens;
}

bool
metering_is_text(const struct param *param)
{
	const struct type *type = param->type;

	return !param->condition && param->when == PARAM_AT_ENTRY &&
	       type->kind == TYPE_POINTER && type->to->kind == TYPE_INT &&
	       type->to->bytes == 1 && text_lens(type);
}

static uint64_t
offset_of(unsigned number)
{
	return METER_KEPT + offsetof(struct meter_kept, arguments[number]);
}

/* Stores where the length of a text is. Returns false if the length is not the
 * value of an argument. */
static bool
find_length(const struct expr *length, const struct proto *proto,
	    const unsigned registers[6], struct meter_text *text)
{
	size_t i = 0;

	text->length = METER_KEPT + offsetof(struct meter_kept, all);
	text->mask = UINT64_MAX;
	if (!length)
		return true;
	if (length->kind == EXPR_ARG)
		i = (size_t)length->number - 1;
	else if (length->kind == EXPR_NAME)
		while (i < proto->count &&
		       (!proto->params[i].name ||
			strcmp(proto->params[i].name, length->name) != 0))
			i++;
	else
		return false;
	if (i >= proto->count || proto->params[i].type->kind != TYPE_INT ||
	    proto->params[i].type->is_big_endian ||
	    proto->params[i].type->bytes > 8)
		return false;
	text->length = offset_of(registers[i]);
	text->mask = MASK(8u * proto->params[i].type->bytes);
	return true;
}

bool
metering_find_texts(const struct session *session, const struct proto *proto,
		    const unsigned registers[6], struct meter_select *select)
{
	size_t most = session->options->look.string_length;
	unsigned count = 0;

	for (size_t i = 0; i < proto->count; i++) {
		const struct param *param = &proto->params[i];
		const struct lens *lens;
		struct meter_text *text;

		if (!metering_is_text(param))
			continue;
		if (count == METER_TEXTS)
			return false;
		text = &select->texts[count++];
		lens = text_lens(param->type);
		text->pointer = offset_of(registers[i]);
		text->ends = lens->stops_at_nul;
		/* One byte more than is shown is read, to know whether the text
		 * has more. */
		text->most = session->wants.whole_texts || session->condition ||
					     lens->kind == LENS_PLAIN ||
					     most > METER_TEXT_ROOM
				     ? UINT64_MAX / 2
				     : most + 1;
		if (!find_length(lens->length, proto, registers, text))
			return false;
	}
	return true;
}

bool
metering_has_texts(const struct meter_select *select)
{
	return select->texts[0].pointer != 0;
}

/* ---- where they are -------------------------------------------------------*/

static uint64_t
kept_at(const struct meter_kept *kept, uint64_t offset)
{
	uint64_t word;

	memcpy(&word, (const char *)kept + (offset - METER_KEPT), sizeof(word));
	return word;
}

/* How many bytes of the text are needed, at most. */
static uint64_t
needed(const struct meter_text *text, const struct meter_kept *kept)
{
	uint64_t length = kept_at(kept, text->length) & text->mask;

	return length < text->most ? length : text->most;
}

static void
add_pages(struct hit *hit, const struct meter_text texts[METER_TEXTS],
	  const struct meter_kept *kept)
{
	struct area *area = &hit->program->metering->area;

	for (unsigned i = 0; i < METER_TEXTS; i++) {
		const struct meter_text *text = &texts[i];
		uint64_t length;
		addr_t at;

		if (!text->pointer)
			return;
		at = kept_at(kept, text->pointer);
		length = needed(text, kept);
		if (!at || !length)
			continue;
		if (length > METER_TEXT_MOST)
			length = METER_TEXT_MOST;
		readable_add(area, hit->program->space, at);
		readable_add(area, hit->program->space, at + length - 1);
	}
}

void
metering_add_pages(struct hit *hit)
{
	const struct metering *metering = hit->program->metering;
	struct meter_kept kept = { .all = UINT64_MAX };

	if (!hit->session->wants.selected || !jumps_begun(hit->site))
		return;
	for (unsigned i = 0; i < array_size(kept.arguments); i++)
		kept.arguments[i] = hit_argument(hit, i);
	for (size_t i = 0; i < metering->functions.count; i++) {
		if (metering->functions.at[i] != hit->site->user)
			continue;
		add_pages(hit,
			  metering->area.kind == AREA_QUERIES
				  ? metering->queries.at[i].texts
				  : metering->selects.at[i].texts,
			  &kept);
	}
}

/* ---- what was copied ------------------------------------------------------*/

/* The length of the copy that begins with the text's first byte. */
static size_t
copied(const struct meter_text *text, const uint8_t *bytes, uint64_t most)
{
	const uint8_t *nul = text->ends ? memchr(bytes, 0, most) : NULL;

	return nul ? (size_t)(nul - bytes) + 1 : most;
}

bool
metering_text(const struct meter_text *text, const struct meter_kept *kept,
	      struct metered_text *to)
{
	uint64_t length, before;

	if (!text->pointer)
		return false;
	to->at = kept_at(kept, text->pointer);
	length = needed(text, kept);
	if (!to->at || !length)
		return false;
	before = to->at % sizeof(uint64_t);
	if (length > METER_TEXT_MOST - before)
		length = METER_TEXT_MOST - before;
	to->bytes = to->room + before;
	to->length = copied(text, to->bytes, length);
	return true;
}

size_t
metering_copies(struct hit *hit, const struct area_calls *calls, unsigned call,
		struct metered_text *ret_texts)
{
	const struct metered *metered = hit->record->metered;
	const struct metering *metering = hit->program->metering;
	const struct meter_kept *kept = &calls->kept[call];
	unsigned number =
		area_function(&metering->area, calls->open[call].sums);
	size_t count = 0;

	for (unsigned i = 0; i < METER_TEXTS; i++) {
		const struct meter_text *text =
			&metering->selects.at[number].texts[i];
		struct metered_text *to = &ret_texts[count];

		if (text->pointer &&
		    area_read_text(&metering->area, hit->program->space,
				   metered->block, call, i, to->room) == 0)
			count += metering_text(text, kept, to);
	}
	return count;
}
