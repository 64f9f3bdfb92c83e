/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reads Perl's names from its memory: the names of subroutines, and of their
 * globs and packages. The texts are in the arena; NULL if the memory makes no
 * sense.
 */
#ifndef STACKS_PERL_TEXT_H
#define STACKS_PERL_TEXT_H

#include "base/arena.h"
#include "stacks/peek.h"
#include "stacks/perl_layout.h"

/* The text at an address, up to its NUL. */
const char *perl_text(struct peek *peek, addr_t at, struct arena *arena);

/* The name of a package, from its hash (stash); "__ANON__" if it has none. */
const char *perl_package_name(struct peek *peek,
			      const struct perl_layout *layout, addr_t hash,
			      struct arena *arena);

/* A glob's own name, without its package. */
const char *perl_glob_name(struct peek *peek, addr_t glob, struct arena *arena);

/* "Some::Package::name" of a code value, as caller() returns it. */
const char *perl_sub_name(struct peek *peek, const struct perl_layout *layout,
			  addr_t code, struct arena *arena);

/* How many calls of the sub have not ended. */
uint32_t perl_sub_depth(struct peek *peek, addr_t code);

#endif
