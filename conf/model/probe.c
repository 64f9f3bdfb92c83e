/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The probes of a set. The parser has put them into the set's library. */
#include "conf/model/probe.h"

#include "conf/model/library_parts.h"

const struct act *
probe_act(const struct probe *probe, enum act_kind kind)
{
	for (size_t i = 0; i < probe->count; i++) {
		if (probe->acts[i].kind == kind)
			return &probe->acts[i];
	}
	return NULL;
}

const struct probe *
library_probe_at(const struct library *library, size_t i)
{
	return i < library->probes.count ? library->probes.at[i] : NULL;
}

const char *
library_about(const struct library *library)
{
	return library->about;
}

unsigned
library_wire(const struct library *library)
{
	return library->wire;
}

bool
library_connects(const struct library *library)
{
	return library->connects;
}
