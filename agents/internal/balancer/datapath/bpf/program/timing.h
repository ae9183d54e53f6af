// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// Histograms of durations that are measured once per connection, for its service and for
// its backend.
#pragma once

#include "maps.h"

// The position of the highest bit, from 1. Without branches, because each doubles the
// verifier's work. All bits below it are set, and then counted in parallel.
static __always_inline __u32 bits_of(__u64 n)
{
	n |= n >> 1;
	n |= n >> 2;
	n |= n >> 4;
	n |= n >> 8;
	n |= n >> 16;
	n |= n >> 32;
	n -= n >> 1 & 0x5555555555555555;
	n = (n & 0x3333333333333333) + (n >> 2 & 0x3333333333333333);
	n = (n + (n >> 4)) & 0x0f0f0f0f0f0f0f0f;
	return n * 0x0101010101010101 >> 56;
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
