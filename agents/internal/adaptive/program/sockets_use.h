// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// Counts of the connections of sockets.
#pragma once

#include "costs_use.h"
#include "sockets_maps.h"

// end_connection may run on two CPUs at once: when a socket is closed and when its connection ends.
static __always_inline void end_connection(struct chosen *chosen)
{
	if (__sync_lock_test_and_set(&chosen->live, 0))
		count_closed(chosen->place, chosen->backend);
}

// begin_connection counts a socket at its new backend only.
static __always_inline void begin_connection(struct chosen *chosen, __u32 place_slot, __u32 backend_slot)
{
	end_connection(chosen);
	chosen->place = place_slot;
	chosen->backend = backend_slot;
	count_opened(place_slot, backend_slot);
	chosen->live = 1;
}

// fail counts a connect once, but skips its backend from each failure on.
static __always_inline void fail(struct chosen *chosen, __u64 now)
{
	skip_backend(chosen->backend, now);
	if (chosen->failed)
		return;
	chosen->failed = 1;
	count_failure(chosen->place, chosen->backend);
}
