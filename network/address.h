/* SPDX-License-Identifier: GPL-2.0-or-later */
/* "[ADDRESS:]PORT" as a user writes it, and a socket that listens there. */
#ifndef NETWORK_ADDRESS_H
#define NETWORK_ADDRESS_H

#include "base/attr.h"
#include "base/err.h"

#include <sys/socket.h>

struct address {
	struct sockaddr_storage at;
	socklen_t length;
};

/* Reads "9464", "10.0.0.1:9464" or "[::1]:9464"; without an address it is
 * 127.0.0.1. -EINVAL if the text has another form. */
must_check int address_parse(const char *text, struct address *ret_address);

/* Opens a socket that listens at the address, which `text` names in the error.
 * -errno with a sentence if that is not possible. */
must_check int address_listen(const struct address *address, const char *text,
			      int *ret_socket, struct err *err);

#endif
