/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The bytes may belong to any other protocol, so they count as a request only
 * if all of their beginning has the right form.
 *
 * Of HTTP, the request line is read, and the header field traceparent. If a
 * request has several of these fields, all are ignored. Of FastCGI, the records
 * from FCGI_BEGIN_REQUEST to the end of FCGI_PARAMS are read, in which each
 * name and each value has its length before it, as one byte or as four. A name
 * or a value that continues in another record ends the search in its record.
 */
#include "protocols/served.h"

#include <stdbool.h>
#include <string.h>
#include <strings.h>

enum { METHOD_MOST = 16 };

/* ---- HTTP ------------------------------------------------------------------
 */

static bool
in_method(unsigned char c)
{
	return (c >= 'A' && c <= 'Z') || c == '-';
}

static size_t
length_of_method(const unsigned char *bytes, size_t length)
{
	size_t i = 0;

	while (i < length && i <= METHOD_MOST && in_method(bytes[i]))
		i++;
	return i;
}

/* A target has neither blanks nor control characters. */
static size_t
length_of_target(const unsigned char *bytes, size_t length)
{
	size_t i = 0;

	while (i < length && bytes[i] > ' ' && bytes[i] != 0x7f)
		i++;
	return i;
}

static void
take_parent(const char *text, size_t length, unsigned count,
	    struct served_head *head)
{
	while (length > 0 && (*text == ' ' || *text == '\t')) {
		text++;
		length--;
	}
	while (length > 0 &&
	       (text[length - 1] == ' ' || text[length - 1] == '\t' ||
		text[length - 1] == '\r'))
		length--;
	head->has_parent =
		count == 0 && traceparent_read(text, length, &head->parent);
}

/* Reads the header fields: the lines between the request line and an empty line
 * (RFC 9112, 5). `at` is in the request line. */
static void
read_fields(const char *at, const char *end, struct served_head *head)
{
	static const char name[] = "traceparent:";
	const char *line = memchr(at, '\n', (size_t)(end - at)), *next;
	unsigned count = 0;

	for (; line; line = next) {
		size_t length;

		line++;
		next = memchr(line, '\n', (size_t)(end - line));
		if (!next)
			break;
		length = (size_t)(next - line);
		if (length == 0 || (length == 1 && *line == '\r')) {
			head->whole = true;
			return;
		}
		if (length >= strlen(name) &&
		    !strncasecmp(line, name, strlen(name)))
			take_parent(line + strlen(name), length - strlen(name),
				    count++, head);
	}
	/* Another field traceparent may follow, so nothing is known yet. */
	head->has_parent = false;
}

static enum served
read_http(const unsigned char *bytes, size_t length,
	  struct served_head *ret_head)
{
	static const char version[] = " HTTP/1.";
	size_t method = length_of_method(bytes, length), target, left;

	if (method > METHOD_MOST || (method < length && bytes[method] != ' '))
		return SERVED_NONE;
	if (method >= length)
		return SERVED_MORE;
	if (method == 0)
		return SERVED_NONE;
	target = length_of_target(bytes + method + 1, length - method - 1);
	left = length - method - 1 - target;
	if (left < strlen(version))
		return memcmp(bytes + length - left, version, left) == 0
			       ? SERVED_MORE
			       : SERVED_NONE;
	if (target == 0 ||
	    memcmp(bytes + length - left, version, strlen(version)) != 0)
		return SERVED_NONE;
	*ret_head = (struct served_head){
		.method = (const char *)bytes,
		.method_length = method,
		.target = (const char *)bytes + method + 1,
		.target_length = target,
	};
	read_fields(ret_head->target + target, (const char *)bytes + length,
		    ret_head);
	return SERVED_HEAD;
}

/* ---- FastCGI ---------------------------------------------------------------
 */

enum {
	RECORD_HEAD = 8,
	RECORD_VERSION = 1,
	RECORD_BEGIN = 1,  /* FCGI_BEGIN_REQUEST */
	RECORD_PARAMS = 4, /* FCGI_PARAMS */
	BEGIN_LENGTH = 8,
};

struct fastcgi_params {
	const unsigned char *at;
	size_t length;
};

static bool
take_length(struct fastcgi_params *params, size_t *ret_length)
{
	const unsigned char *at = params->at;
	size_t bytes = params->length > 0 && at[0] & 0x80 ? 4 : 1;

	if (params->length < bytes)
		return false;
	*ret_length = bytes == 1 ? at[0]
				 : (size_t)(at[0] & 0x7f) << 24 |
					   (size_t)at[1] << 16 |
					   (size_t)at[2] << 8 | at[3];
	params->at += bytes;
	params->length -= bytes;
	return true;
}

static bool
is_name(const unsigned char *at, size_t length, const char *name)
{
	return length == strlen(name) && memcmp(at, name, length) == 0;
}

static void
read_params(struct fastcgi_params params, struct served_head *head)
{
	size_t name, value;

	while (take_length(&params, &name) && take_length(&params, &value) &&
	       name <= params.length && value <= params.length - name) {
		const unsigned char *text = params.at + name;

		if (is_name(params.at, name, "REQUEST_METHOD")) {
			head->method = (const char *)text;
			head->method_length = value;
		} else if (is_name(params.at, name, "REQUEST_URI") ||
			   (!head->target &&
			    is_name(params.at, name, "SCRIPT_NAME"))) {
			head->target = (const char *)text;
			head->target_length = value;
		} else if (is_name(params.at, name, "HTTP_TRACEPARENT")) {
			take_parent((const char *)text, value, 0, head);
		}
		params.at += name + value;
		params.length -= name + value;
	}
}

static bool
is_head(const struct served_head *head)
{
	return head->method && head->method_length <= METHOD_MOST &&
	       length_of_method((const unsigned char *)head->method,
				head->method_length) == head->method_length &&
	       head->target && head->target_length > 0 &&
	       length_of_target((const unsigned char *)head->target,
				head->target_length) == head->target_length;
}

static enum served
read_fastcgi(const unsigned char *bytes, size_t length,
	     struct served_head *ret_head)
{
	struct served_head head = { 0 };

	for (size_t at = 0; length - at >= RECORD_HEAD;) {
		const unsigned char *record = bytes + at;
		size_t content = (size_t)record[4] << 8 | record[5];
		size_t whole = RECORD_HEAD + content + record[6];
		bool first = at == 0;

		if (record[0] != RECORD_VERSION ||
		    record[1] != (first ? RECORD_BEGIN : RECORD_PARAMS) ||
		    (first && content != BEGIN_LENGTH))
			return SERVED_NONE;
		if (!first && content == 0) {
			if (!is_head(&head))
				return SERVED_NONE;
			head.whole = true;
			*ret_head = head;
			return SERVED_HEAD;
		}
		if (whole > length - at)
			return SERVED_MORE;
		if (!first)
			read_params(
				(struct fastcgi_params){ record + RECORD_HEAD,
							 content },
				&head);
		at += whole;
	}
	return SERVED_MORE;
}

enum served
served_read(const void *bytes, size_t length, struct served_head *ret_head)
{
	const unsigned char *at = bytes;
	enum served served;

	if (length == 0)
		return SERVED_MORE;
	served = at[0] == RECORD_VERSION ? read_fastcgi(at, length, ret_head)
					 : read_http(at, length, ret_head);
	return served == SERVED_MORE && length >= SERVED_MOST ? SERVED_NONE
							      : served;
}
