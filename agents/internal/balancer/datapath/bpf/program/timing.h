// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// Histograms of durations that are measured once per connection, for its service and for
// its backend.
#pragma once

#include "maps.h"

static __always_inline __u32 bits_of(__u64 n)
{
	__u32 bits = 0;

	if (n >> 32) { bits += 32; n >>= 32; }
	if (n >> 16) { bits += 16; n >>= 16; }
	if (n >> 8) { bits += 8; n >>= 8; }
	if (n >> 4) { bits += 4; n >>= 4; }
	if (n >> 2) { bits += 2; n >>= 2; }
	if (n >> 1) { bits += 1; n >>= 1; }
	return bits + n;
}

static __always_inline __u32 bucket_of(__u64 nanoseconds)
{
	__u32 bucket = bits_of(nanoseconds);

	return bucket < TIMING_BUCKETS ? bucket : TIMING_BUCKETS - 1;
}

static __always_inline struct timings *timings_of(const struct timing_key *key)
{
	struct timings *timings = bpf_map_lookup_elem(&backend_timings, key), *none;
	__u32 zero = 0;

	if (timings)
		return timings;
	none = bpf_map_lookup_elem(&no_timings, &zero);
	if (none)
		bpf_map_update_elem(&backend_timings, key, none, BPF_NOEXIST);
	return bpf_map_lookup_elem(&backend_timings, key);
}

// Counts it for the backend and for its service, whose histogram outlives its backends.
static __always_inline int add_timing(void *services, __u32 service_slot, __u32 incarnation, enum timing timing, __u64 nanoseconds)
{
	struct timing_key key = { .incarnation = incarnation, .timing = timing };
	__u32 bucket = bucket_of(nanoseconds);
	struct timings *all = bpf_map_lookup_elem(services, &service_slot), *own = timings_of(&key);

	if (bucket >= TIMING_BUCKETS)
		return 0; // the verifier requires it
	if (all)
		all->bucket[bucket]++;
	if (own)
		__sync_fetch_and_add(&own->bucket[bucket], 1);
	return 0;
}

// Global functions, so that the verifier checks each once and not per call.
__noinline int add_setup(__u32 service_slot, __u32 incarnation, __u64 nanoseconds)
{
	return add_timing(&setup_timings, service_slot, incarnation, SETUP_TIME, nanoseconds);
}

__noinline int add_first_byte(__u32 service_slot, __u32 incarnation, __u64 nanoseconds)
{
	return add_timing(&first_byte_timings, service_slot, incarnation, FIRST_BYTE_TIME, nanoseconds);
}
