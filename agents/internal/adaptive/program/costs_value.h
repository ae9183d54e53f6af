// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// What one more request costs at a place.
#pragma once

#include "costs_use.h"

// policy.Cost has the same arithmetic. Between two steps it is interpolated, so that fractions of
// a request count.
static __always_inline __u64 value_beside(const struct cost *cost, __u64 beside)
{
	beside = beside < REQUESTS_MOST ? beside : REQUESTS_MOST;

	__u64 whole = beside >> FRACTION, part = beside & ((1 << FRACTION) - 1);

	if (whole >= STEPS - 1)
		return cost->steps[STEPS - 1] + (cost->slope * (beside - ((STEPS - 1) << FRACTION)) >> FRACTION);

	__u64 next = whole + 1;

	// Else the compiler leaves the masks out, which the verifier needs.
	asm volatile("" : "+r"(whole), "+r"(next));

	__u64 low = cost->steps[whole & (STEPS - 1)], high = cost->steps[next & (STEPS - 1)];

	return low + ((high - low) * part >> FRACTION);
}

// Requests here are counted where they are served.
static __always_inline __u64 beside_here(__u32 number)
{
	__s64 *count = bpf_map_lookup_elem(&in_flight, &number);
	__s64 n = count ? *count : 0;

	if (n <= 0)
		return 0;
	return n < REQUESTS_MOST >> FRACTION ? n << FRACTION : REQUESTS_MOST;
}

// Flows of UDP that entered at this node have no end, so those since the last figures are counted.
static __always_inline __u64 entered_since(__u32 slot, const struct cost *cost)
{
	struct entry_use *use = bpf_map_lookup_elem(&entry_uses, &slot);

	if (!use || use->figures != cost->written_at)
		return 0;
	return use->since < OPEN_MOST ? use->since : OPEN_MOST;
}

// Those elsewhere are estimated from the last figures and from what was sent there since.
static __always_inline __u64 beside_there(const struct cost *cost, __u64 open, __u64 entered)
{
	__u64 sent = open << FRACTION, own = sent > cost->answers ? sent - cost->answers : 0;

	if (entered)
		own = (own > cost->mine ? own : cost->mine) + (entered << FRACTION);

	__u64 since = own > cost->mine ? own - cost->mine : 0;

	return cost->others + own + (since * cost->spread >> FRACTION);
}

static __always_inline __u64 cost_of(const struct cost *cost, __u64 open, __u64 beside)
{
	__u64 sum = cost->fixed + value_beside(cost, beside);

	if (open >= cost->open)
		return sum + cost->per_connection * (open - cost->open);

	__u64 less = cost->per_connection * (cost->open - open);

	return sum > less ? sum - less : 0;
}
