/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A lens is a way to look at a value of some type: the same int is 493, 0755
 * or O_CREAT|O_EXCL. It hangs on the type; a type without one is shown in the
 * way that is natural for it (an int in decimal, a char quoted, a struct by
 * its fields, a pointer followed to what it points to).
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
	LENS_DEC,     /* a number, also where it is a char */
	LENS_CHR,     /* a quoted character, also where it is an int */
	LENS_BOOL,    /* true, false */
	LENS_HIDE,    /* not shown */
	LENS_GUESS,   /* decimal when small, else hexadecimal */
	LENS_BITVEC,  /* the set of bit numbers: <0,2>, ~<0> */
	LENS_ENUM,    /* the one name that has this value */
	LENS_FLAGS,   /* the names of its bits, | between them */
	LENS_ONLY,    /* of a struct or union the first field that is told */
	LENS_ERRNO,   /* -1 (or NULL, or (void *)-1), with the thread's errno */
	LENS_ERRNUM,  /* itself an error number, positive or negative */
	LENS_INET,    /* an IP address: 4 bytes, or 16 */
	LENS_ADDRESS, /* a pointer that is not followed */
	LENS_STRING,  /* text */
	LENS_FORMAT,  /* text: a printf format that describes the varargs */
	LENS_SCAN,    /* text: a scanf format, whose varargs are filled in */
	LENS_SQL,     /* text: SQL, summed up by its fingerprint */
	LENS_PLAIN,   /* text, shown without quotes */
	LENS_KINDS
};

/* A name and what it stands for, of LENS_ENUM and LENS_FLAGS. */
struct constant {
	const char *name;
	int64_t value;
	/*
	 * LENS_FLAGS: the name is there when (bits & mask) == value. As a rule
	 * mask equals value; it is wider where a few bits hold a number
	 * (O_ACCMODE), and ~0 for the name of no bits at all.
	 */
	uint64_t mask;
};

struct lens {
	enum lens_kind kind;
	/* The lens below: errno(hex(int)) is ERRNO over HEX. Or NULL. */
	const struct lens *under;

	/* ENUM, FLAGS: in the order written. */
	const struct constant *names;
	size_t name_count;

	/*
	 * STRING, FORMAT, SCAN, SQL. The type is a pointer to characters, or an
	 * array of them (then the length is the array's); a character is an
	 * INT of 1, 2 or 4 bytes. length is at most how many there are, NULL
	 * where nothing says so; a NUL ends the text where stops_at_nul.
	 */
	const struct expr *length;
	bool stops_at_nul;
};

/* The lens of text that was made by showing values: PLAIN, and nothing in it
 * is escaped once more. */
extern const struct lens lens_shown;

/* STRING, FORMAT, SCAN and SQL, which have a length and an end. */
bool lens_is_text(enum lens_kind kind);

/* The word that stands for it in prototype files. */
const char *lens_word(enum lens_kind kind);
/* The kind of a word ("oct" and "octal" are one); false when it is none. */
must_check bool lens_find(const char *word, enum lens_kind *ret_kind);

/* The lens of this kind in the chain that begins with lens, or NULL. */
const struct lens *lens_of_kind(const struct lens *lens, enum lens_kind kind);

/* FORMAT or SCAN is in the chain: arguments follow that the text describes. */
bool lens_describes(const struct lens *lens);

#endif
