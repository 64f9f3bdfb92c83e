/* SPDX-License-Identifier: GPL-2.0-or-later */
/* HTTP requests by libcurl, which is loaded when it is needed. */
#ifndef NETWORK_CURL_H
#define NETWORK_CURL_H

#include "base/attr.h"
#include "base/err.h"
#include "base/str.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

struct curl;

/* The result of a request. */
struct curl_answer {
	int code;	      /* HTTP's status; 0: there was no answer */
	uint64_t retry_after; /* seconds that the server asks for, or 0 */
	char why[256];	      /* why there was no answer */
};

/* Loads the library. -errno with a sentence if there is none. */
must_check int curl_load(struct curl **ret_curl, struct err *err);
void curl_free(struct curl *curl);

/* Sets what all requests have: headers as "Name: value" lines, and the
 * certificates that are trusted in place of the system's, if the text is not
 * empty. The text must exist as long as the curl. */
void curl_set(struct curl *curl, const char *headers,
	      const struct str *certificates);
/* A request in progress ends when the function returns true. */
void curl_stop_when(struct curl *curl, bool (*stop)(void *argument),
		    void *argument);
/* Sends the body with POST. */
void curl_post(struct curl *curl, const char *url, const struct str *body,
	       struct curl_answer *ret_answer);

#endif
