// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// Counts of connections.
#pragma once

#include "sockets_maps.h"

static __always_inline struct use *use_of_place(__u32 slot) { return bpf_map_lookup_elem(&place_uses, &slot); }

static __always_inline struct use *use_of_backend(__u32 slot) { return bpf_map_lookup_elem(&backend_uses, &slot); }

// Closed connections are read first, so that one that ends meanwhile counts as open.
static __always_inline __u64 open_of(const struct use *use)
{
	__u64 closed = *(const volatile __u64 *)&use->closed;
	__u64 opened = *(const volatile __u64 *)&use->opened;

	return opened > closed ? opened - closed : 0;
}

// end_connection may run on two CPUs at once: when a socket is closed and when its connection ends.
static __always_inline void end_connection(struct chosen *chosen)
{
	if (!__sync_lock_test_and_set(&chosen->live, 0))
		return;

	struct use *place = use_of_place(chosen->place), *backend = use_of_backend(chosen->backend);

	if (place)
		__sync_fetch_and_add(&place->closed, 1);
	if (backend)
		__sync_fetch_and_add(&backend->closed, 1);
}

// begin_connection counts a socket at its new backend only.
static __always_inline void begin_connection(struct chosen *chosen, __u32 place_slot, __u32 backend_slot)
{
	end_connection(chosen);

	struct use *place = use_of_place(place_slot), *backend = use_of_backend(backend_slot);

	chosen->place = place_slot;
	chosen->backend = backend_slot;
	if (place)
		__sync_fetch_and_add(&place->opened, 1);
	if (backend)
		__sync_fetch_and_add(&backend->opened, 1);
	chosen->live = 1;
}

// fail counts a connect once, but skips its backend from each failure on.
static __always_inline void fail(struct chosen *chosen, __u64 now)
{
	struct use *place = use_of_place(chosen->place), *backend = use_of_backend(chosen->backend);

	if (!place || !backend)
		return;
	backend->failed_at = now;
	if (chosen->failed)
		return;
	chosen->failed = 1;
	__sync_fetch_and_add(&place->failures, 1);
	__sync_fetch_and_add(&backend->failures, 1);
}
