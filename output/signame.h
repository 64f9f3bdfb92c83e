/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The name of a signal: SIGUSR1, SIGRTMIN+3. */
#ifndef OUTPUT_SIGNAME_H
#define OUTPUT_SIGNAME_H

#include "base/attr.h"
#include "base/str.h"

void signame_add(struct str *to, int number);
/* Adds "User defined signal 1", without parentheses. */
void signame_add_description(struct str *to, int number);

#endif
