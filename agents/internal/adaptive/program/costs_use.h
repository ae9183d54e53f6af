// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// Counts of connections.
#pragma once

#include "costs_maps.h"

static __always_inline struct use *use_of_place(__u32 slot) { return bpf_map_lookup_elem(&place_uses, &slot); }

static __always_inline struct use *use_of_backend(__u32 slot) { return bpf_map_lookup_elem(&backend_uses, &slot); }

// Closed connections are read first, so that one that ends meanwhile counts as open.
static __always_inline __u64 open_of(const struct use *use)
{
	__u64 closed = *(const volatile __u64 *)&use->closed;
	__u64 opened = *(const volatile __u64 *)&use->opened;

	return opened > closed ? opened - closed : 0;
}

static __always_inline void count_opened(__u32 place_slot, __u32 backend_slot)
{
	struct use *place = use_of_place(place_slot), *backend = use_of_backend(backend_slot);

	if (place)
		__sync_fetch_and_add(&place->opened, 1);
	if (backend)
		__sync_fetch_and_add(&backend->opened, 1);
}

static __always_inline void count_closed(__u32 place_slot, __u32 backend_slot)
{
	struct use *place = use_of_place(place_slot), *backend = use_of_backend(backend_slot);

	if (place)
		__sync_fetch_and_add(&place->closed, 1);
	if (backend)
		__sync_fetch_and_add(&backend->closed, 1);
}

// skip_backend is for each failure of a connection, and count_failure for its first one.
static __always_inline void skip_backend(__u32 slot, __u64 now)
{
	struct use *backend = use_of_backend(slot);

	if (backend)
		backend->failed_at = now;
}

static __always_inline void count_failure(__u32 place_slot, __u32 backend_slot)
{
	struct use *place = use_of_place(place_slot), *backend = use_of_backend(backend_slot);

	if (place)
		__sync_fetch_and_add(&place->failures, 1);
	if (backend)
		__sync_fetch_and_add(&backend->failures, 1);
}
