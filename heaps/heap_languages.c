/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "heaps/heap_languages.h"

#include "heaps/perl_heap.h"
#include "heaps/php_heap.h"
#include "heaps/python_heap.h"
#include "heaps/ruby_heap.h"

const struct heap_language heap_languages[] = {
	{ "Python 3.11", HEAP_LIVE, python_heap_copy, python_heap_count },
	{ "Ruby 3.1", HEAP_LIVE, ruby_heap_copy, ruby_heap_count },
	{ "PHP 8.2", HEAP_HELD, php_heap_copy, php_heap_count },
	{ "Perl 5.36", HEAP_COPIED, perl_heap_copy, perl_heap_count },
	{ 0 },
};

void
heap_languages_names(struct str *to, const struct heap_language *languages)
{
	for (size_t i = 0; languages[i].name; i++) {
		if (i > 0)
			str_add(to, languages[i + 1].name ? ", " : " or ");
		str_add(to, languages[i].name);
	}
}
