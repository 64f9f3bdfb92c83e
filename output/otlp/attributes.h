/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Attributes are the names and values that describe a span, a resource or a
 * point of a metric. These functions add one attribute to an array in JSON, as
 * OTLP encodes it: 64-bit integers are strings
 * (https://opentelemetry.io/docs/specs/otlp, "JSON Protobuf Encoding").
 */
#ifndef OUTPUT_OTLP_ATTRIBUTES_H
#define OUTPUT_OTLP_ATTRIBUTES_H

#include "output/jsonw.h"

/* Adds a string of JSON. Bytes that are not UTF-8 are escaped. */
void attribute_string(struct jsonw *json, const char *bytes, size_t length);
/* Adds an attribute whose value is a string, in which bytes that are not UTF-8
 * are escaped. Nothing is added if text is NULL. */
void attribute_text(struct jsonw *json, const char *name, const char *text);
void attribute_bytes(struct jsonw *json, const char *name, const char *bytes,
		     size_t length);
void attribute_number(struct jsonw *json, const char *name, int64_t value);
void attribute_bool(struct jsonw *json, const char *name, bool value);

/* Adds a member with a 64-bit integer, "name":"123". */
void attribute_member(struct jsonw *json, const char *name, uint64_t value);
/* Adds a member with a text of ASCII, "name":"text". */
void attribute_word(struct jsonw *json, const char *name, const char *text);

#endif
