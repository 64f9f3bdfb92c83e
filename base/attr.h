/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Short names for compiler attributes of functions and variables (GCC manual,
 * "Declaring Attributes of Functions").
 */
#ifndef BASE_ATTR_H
#define BASE_ATTR_H

#define must_check __attribute__((warn_unused_result))
#define printf_like(text, first) \
	__attribute__((__format__(printf, text, first)))
#define never_returns __attribute__((noreturn))
/* For a function that reads memory beyond the objects it knows, such as a walk
 * up a stack. */
#define no_redzones __attribute__((no_sanitize_address))

/* Calls destroy(&variable) when the variable goes out of scope. */
#define cleanup(destroy) __attribute__((cleanup(destroy)))

/* Moves a cleanup() pointer out of its variable: gives its value and sets the
 * variable to NULL. */
#define take(pointer)                                    \
	({                                               \
		__typeof__(pointer) *from_ = &(pointer); \
		__typeof__(pointer) value_ = *from_;     \
		*from_ = NULL;                           \
		value_;                                  \
	})

#define array_size(array) (sizeof(array) / sizeof((array)[0]))

#define container_of(pointer, type, member) \
	((type *)((char *)(pointer)-offsetof(type, member)))

#endif
