// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// Counts what the program that chooses by session does: in all, and for each service.
#pragma once

#include "probe.h"
#include "tls.h"

struct {
	__uint(type, BPF_MAP_TYPE_PERCPU_ARRAY);
	__uint(max_entries, SESSION_COUNTS);
	__type(key, __u32);
	__type(value, __u64);
} session_counts SEC(".maps");

static __always_inline void count_session(__u32 what)
{
	__u64 *count = bpf_map_lookup_elem(&session_counts, &what);

	if (count)
		(*count)++;
}

static __always_inline int drop_as(__u32 what)
{
	count_session(what);
	return TCX_DROP;
}

// By the slot of a service. The agent creates the entries.
struct {
	__uint(type, BPF_MAP_TYPE_PERCPU_HASH);
	__uint(max_entries, SESSION_SERVICES);
	__type(key, __u32);
	__type(value, struct session_service_counts);
} session_counted SEC(".maps");

static __always_inline struct session_service_counts *counts_of(__u32 service)
{
	return bpf_map_lookup_elem(&session_counted, &service);
}

static __always_inline void count_syn(__u32 service)
{
	struct session_service_counts *counts = counts_of(service);

	count_session(COUNT_SYNS);
	if (counts)
		counts->syns++;
}

static __always_inline enum session_outcome lost(const struct session_place *place)
{
	return place->incarnation ? SESSION_GONE : SESSION_UNKNOWN;
}

// Counts a hello whose session has no backend.
static __always_inline void count_lost_session(struct session_service_counts *counts, const struct hello *h, int without_ids)
{
	if (h->has & HAS_KEY)
		counts->by_key[lost(&h->by_key)]++;
	else if (h->has & HAS_TICKET)
		counts->by_ticket[lost(&h->by_ticket)]++;
	else if (h->has & HAS_ID && !without_ids && (h->by_id.incarnation || !(h->has & HAS_VERSIONS)))
		counts->by_id[lost(&h->by_id)]++;
	else
		counts->without_session++;
}
