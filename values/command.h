/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The common part of commands of a server of keys and values that differ only
 * in their arguments, so that they can be counted: "SET a 1" and "set b 2"
 * become "SET ?".
 */
#ifndef VALUES_COMMAND_H
#define VALUES_COMMAND_H

#include "base/str.h"

#include <stddef.h>

/* Adds a command of Redis without its arguments. The text's words are separated
 * by blanks. If the first word is a group of commands, such as CONFIG, the
 * second word is a part of the name. */
void command_fold_redis(struct str *to, const char *text, size_t length);
/* Like command_fold_redis(), but for memcached, where the name of a command is
 * its first word, as it is written. */
void command_fold_memcached(struct str *to, const char *text, size_t length);

#endif
