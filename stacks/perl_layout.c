/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "stacks/perl_layout.h"

#include "base/attr.h"

#include <stddef.h>

static const struct perl_layout layouts[] = {
	{ 30, 224, 240, 40, 64, 56, 96, false },
	{ 32, 224, 240, 44, 72, 64, 104, false },
	{ 34, 208, 224, 44, 72, 64, 104, false },
	{ 36, 208, 224, 44, 72, 64, 104, true },
};

#define VERSION_LAST 43u

const struct perl_layout *
perl_layout_of(unsigned version)
{
	const struct perl_layout *layout = NULL;

	for (size_t i = 0; i < array_size(layouts); i++) {
		if (layouts[i].version <= version)
			layout = &layouts[i];
	}
	return version <= VERSION_LAST ? layout : NULL;
}
