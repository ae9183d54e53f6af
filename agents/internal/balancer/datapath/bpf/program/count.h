// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// Counters, per CPU, so that CPUs never wait for each other.
#pragma once

#include "maps.h"

enum { ABOUT_A_SECOND = 1 << (30 - SEEN_SHIFT) }; // in units of seen_now()

static __always_inline void count_drop(__u32 service, enum drop reason)
{
	struct drop_counts *counts = bpf_map_lookup_elem(&drops, &service);

	if (counts)
		counts->packets[reason]++;
}

// Counts a drop after a backend was chosen.
static __always_inline void count_lost(const struct backend *backend, enum drop reason)
{
	struct drop_key key = { .incarnation = backend->incarnation, .reason = reason };
	__u64 *count = bpf_map_lookup_elem(&backend_drops, &key), none = 0;

	count_drop(backend->service, reason);
	if (!count) {
		bpf_map_update_elem(&backend_drops, &key, &none, BPF_NOEXIST);
		count = bpf_map_lookup_elem(&backend_drops, &key);
	}
	if (count)
		__sync_fetch_and_add(count, 1);
}

static __always_inline void count_packets(__u32 slot, __u32 packets, __u32 bytes, __u32 connections)
{
	struct counts *counts = bpf_map_lookup_elem(&backend_counts, &slot);

	if (!counts)
		return;
	counts->packets += packets ? packets : 1;
	counts->bytes += bytes;
	counts->connections += connections;
}

// Counts a reply of a translated flow. With the other deliveries replies bypass the balancer.
static __always_inline void count_answer(const struct nat_flow *flow, __u32 bytes)
{
	__u32 slot = flow->slot;
	struct backend *backend = bpf_map_lookup_elem(&backends, &slot);
	struct counts *counts = bpf_map_lookup_elem(&backend_counts, &slot);

	if (backend && counts && flow->incarnation == (backend->incarnation & 0xffff))
		counts->to_clients += bytes;
}

// A coarse clock is precise enough to expire flows, and is cheap.
static __always_inline __u32 seen_now(void)
{
	return bpf_ktime_get_coarse_ns() >> SEEN_SHIFT;
}
