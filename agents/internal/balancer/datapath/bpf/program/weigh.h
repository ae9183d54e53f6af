// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// The private chooser: the backend of a new connection is drawn by weights that the agent
// may change at any time. The choice is stored for each connection, and other replicas
// don't know it.
#pragma once

#include "choice.h"

enum { DRAWS = 4 };	// a backend may have stopped taking connections since the weights were set

static __always_inline int drawn_from(const struct picks *picks)
{
	__u32 index = (__u64)bpf_get_prandom_u32() * picks->count >> 32;
	const struct pick *pick;

	asm volatile("" : "+r"(index)); // the verifier must see that the checked value is the one used
	if (index >= PICKS)
		return NO_BACKEND;
	pick = &picks->pick[index];
	return bpf_get_prandom_u32() < pick->share ? pick->slot : pick->other;
}

// Returns the slot of a backend that takes connections, or NO_BACKEND.
__attribute__((noinline)) int drawn_for(__u32 service)
{
	struct picks *picks = bpf_map_lookup_elem(&weights, &service);

	if (!picks || !picks->count)
		return NO_BACKEND;
	for (int i = 0; i < DRAWS; i++) {
		__u32 slot = drawn_from(picks);
		struct backend *backend = slot == NO_BACKEND ? NULL : bpf_map_lookup_elem(&backends, &slot);

		if (backend && backend->incarnation && backend->service == service && backend->flags & TAKES)
			return slot;
	}
	return NO_BACKEND;
}
