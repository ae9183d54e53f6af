// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// Connections between their first and second packet, in a small table that newer
// ones overwrite, so a flood can't make it grow. It times set-ups, and it records the
// backend of the first packet, because a service's tables may change before the second.
#pragma once

#include "maps.h"
#include "timing.h"

enum { SETUP_TIMEOUT_NS = 3000000000 };

static __always_inline struct setup *setup_of(__u64 hash)
{
	__u32 index = (hash >> 8) % SETUPS;

	return bpf_map_lookup_elem(&setups, &index);
}

static __always_inline __u64 what_of(__u64 hash, __u32 incarnation, __u32 slot)
{
	return hash >> 32 << 32 | (incarnation & 0xffff) << 16 | slot;
}

// The backend that the first packet went to, if its slot still has the same backend.
static __always_inline struct backend *setup_backend(const struct setup *setup, __u64 hash, __u32 *slot)
{
	__u64 what = setup->what;

	if (what >> 32 != hash >> 32 || bpf_ktime_get_ns() - setup->began > SETUP_TIMEOUT_NS)
		return NULL;
	*slot = what & 0xffff;

	struct backend *backend = bpf_map_lookup_elem(&backends, slot);

	return backend && what == what_of(hash, backend->incarnation, *slot) && backend->flags & KEEPS ? backend : NULL;
}

static __always_inline void setup_begins(struct setup *setup, __u64 hash, const struct backend *backend, __u32 slot)
{
	setup->began = bpf_ktime_get_ns();
	setup->what = what_of(hash, backend->incarnation, slot);
}

static __always_inline void setup_ends(struct setup *setup, const struct backend *backend)
{
	setup->what = 0;
	add_setup(backend->service, backend->incarnation, bpf_ktime_get_ns() - setup->began);
}
