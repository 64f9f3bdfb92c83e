/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A lens is a way to show a value of some type: the same int is 493, 0755 or
 * O_CREAT|O_EXCL. A type has at most one chain of lenses. A type without a lens
 * is shown in its natural way (an int in decimal, a char in quotes, a struct by
 * its fields, a pointer by what it points to).
 */
#ifndef CONF_MODEL_LENS_H
#define CONF_MODEL_LENS_H

#include "base/attr.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct expr;

enum lens_kind {
	LENS_HEX,     /* 0xff; a float as %a */
	LENS_OCT,     /* 0755 */
	LENS_BIN,     /* 0b101 */
	LENS_DEC,     /* a number, even if it is a char */
	LENS_CHR,     /* a quoted character, even if it is an int */
	LENS_BOOL,    /* true, false */
	LENS_HIDE,    /* the value is not shown */
	LENS_GUESS,   /* decimal if small, else hexadecimal */
	LENS_BITVEC,  /* the set of bit numbers: <0,2>, ~<0> */
	LENS_ENUM,    /* the one name that has this value */
	LENS_FLAGS,   /* the names of its bits, | between them */
	LENS_ONLY,    /* of a struct or union, the first field that is shown */
	LENS_ERRNO,   /* -1 (or NULL, or (void *)-1), with the thread's errno */
	LENS_ERRNUM,  /* itself an error number, positive or negative */
	LENS_INET,    /* an IP address: 4 bytes, or 16 */
	LENS_VARS,    /* an environment: the number of its variables */
	LENS_ADDRESS, /* a pointer that is not followed */
	LENS_STRING,  /* text */
	LENS_FORMAT,  /* text: a printf format that describes the varargs */
	LENS_SCAN,    /* text: a scanf format, whose varargs are filled in */
	LENS_SQL,     /* text: SQL, grouped by its fingerprint */
	LENS_PLAIN,   /* text, shown without quotes */
	LENS_POSTGRES, /* bytes: a value in PostgreSQL's binary format */
	LENS_KINDS
};

/* A name and its value, for LENS_ENUM and LENS_FLAGS. */
struct constant {
	const char *name;
	int64_t value;
	/*
	 * LENS_FLAGS: the name is shown if (bits & mask) == value. Usually mask
	 * equals value. It is wider if several bits hold one number
	 * (O_ACCMODE), and ~0 for the name of 0.
	 */
	uint64_t mask;
};

struct lens {
	enum lens_kind kind;
	/* The next lens of the chain: in errno(hex(int)), HEX is under ERRNO.
	 * NULL: there is none. */
	const struct lens *under;

	/* ENUM, FLAGS: the names and values, in the order of the file. */
	const struct constant *names;
	size_t name_count;

	/*
	 * STRING, FORMAT, SCAN, SQL, POSTGRES. The type is a pointer to
	 * characters, or an array of characters (then the length is the
	 * array's). A character is an INT of 1, 2 or 4 bytes. length is the
	 * maximum number of characters, or NULL if it is not given. If
	 * stops_at_nul, a NUL ends the text.
	 */
	const struct expr *length;
	bool stops_at_nul;
	/* The width of printf's %10s; 0: none. It limits the text in ltrace's
	 * style, and only there. */
	uint32_t width;
	/* POSTGRES: the OID of the value's type. */
	const struct expr *oid;
};

/* The lens of text that was made by showing values: PLAIN. The text is not
 * escaped a second time. */
extern const struct lens lens_shown;

/* True for STRING, FORMAT, SCAN, SQL, PLAIN and POSTGRES. */
bool lens_is_text(enum lens_kind kind);

/* The word for this kind of lens in prototype files. */
const char *lens_word(enum lens_kind kind);
/* Finds the kind of a word ("oct" and "octal" are the same); false if the word
 * is no lens. */
must_check bool lens_find(const char *word, enum lens_kind *ret_kind);

/* The first lens of this kind in the chain that begins with lens, or NULL. */
const struct lens *lens_of_kind(const struct lens *lens, enum lens_kind kind);

/* True if the chain has FORMAT or SCAN: the text describes further
 * arguments. */
bool lens_describes(const struct lens *lens);

#endif
