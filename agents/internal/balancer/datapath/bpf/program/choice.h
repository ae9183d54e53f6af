// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// The choice of a backend for a packet, and the helpers that choose.h builds on.
#pragma once

#include "count.h"
#include "hash.h"
#include "maps.h"
#include "parse.h"
#include "service.h"

struct choice {
	struct backend *backend;
	struct flow *flow;	// its map entry, if it is known
	struct flow_key key;
	__u16 slot;
	__be16 nat_port;
	__u8 begun;		// new in the connection table
	__u8 half_open : 1;	// stored only until the second packet
	__u8 waits : 1;		// the packet should be held: see hold.h
	__u8 replaces : 1;	// begins on the ports of an ended connection
	__u8 shared : 1;	// the other replicas place it by the same tables
	__u8 forgets : 1;	// the entry of that connection, once the packet has a backend
	__u8 ends : 1;		// is over after this packet
	__u16 former;		// slot of that connection
	__u8 remembered;	// flags of the entry that was found
	__u8 care;		// of its row
	__u8 timing;		// of its first request: flags for its new entry
	__u32 seen;		// of the entry that was found
};

// Distinguishes flows for routers and network cards on the path to a backend.
static __always_inline __u32 flow_of(const struct choice *c)
{
	return c->backend->delivery == GUE ? hash_of(&c->key, 0) : 0;
}

static __always_inline struct row *row_of(struct choice *c, __u64 hash, __u32 slot)
{
	void *table_map = bpf_map_lookup_elem(&tables, &slot);
	__u32 zero = 0;

	if (!table_map)
		return NULL;

	struct table *table = bpf_map_lookup_elem(table_map, &zero);
	__u64 row = (hash & 0xffffffff) * ROWS >> 32;

	// Keeps the check below, which the verifier needs: the compiler would remove it.
	asm volatile("" : "+r"(row));
	if (!table || row >= ROWS)
		return NULL;
	c->care = table->care[row >> 2] >> (row & 3) * 2 & (ANNOUNCE | WAIT);
	return &table->row[row];
}

static __always_inline struct backend *keeper_of(const struct flow *flow)
{
	__u32 slot = flow->slot;
	struct backend *backend = bpf_map_lookup_elem(&backends, &slot);

	return backend && backend->incarnation == flow->incarnation && backend->flags & KEEPS ? backend : NULL;
}

static __always_inline struct backend *live(__u32 slot)
{
	struct backend *backend = slot == NO_BACKEND ? NULL : bpf_map_lookup_elem(&backends, &slot);

	return backend && backend->incarnation ? backend : NULL;
}

// Stores a flow with the connections, or with the half-open ones. A global function, so that
// the verifier checks it once; it has five arguments at most, so two share one.
__noinline int store_known(const struct flow_key *of_caller, __u32 incarnation, __u32 slot_and_port, __u32 flags, int half)
{
	if (!of_caller)
		return 0;

	struct flow_key key = *of_caller; // Linux 6.1 rejects keys in the memory of a caller
	__u32 zero = 0;
	struct flow *flow = bpf_map_lookup_elem(&stored_flow, &zero);

	if (!flow)
		return 0;
	flow->incarnation = incarnation;
	flow->seen = seen_now();
	flow->slot = slot_and_port >> 16;
	flow->nat_port = slot_and_port;
	flow->flags = flags;
	if (half)
		bpf_map_update_elem(&half_open, &key, flow, BPF_ANY);
	else
		bpf_map_update_elem(&connections, &key, flow, BPF_ANY);
	return 1;
}

static __always_inline void remember(void *map, struct choice *c, __u8 flags)
{
	store_known(&c->key, c->backend->incarnation, c->slot << 16 | c->nat_port, flags, map == &half_open);
}

static __always_inline void announce(const struct choice *c)
{
	struct misplaced_flow *m = bpf_ringbuf_reserve(&misplaced, sizeof(*m), 0);

	if (!m)
		return; // the agent is slow: peers get this flow with the next full set
	m->key = c->key;
	m->incarnation = c->backend->incarnation;
	m->slot = c->slot;
	m->zero = 0;
	bpf_ringbuf_submit(m, 0);
}

// Whether another replica would place the flow elsewhere, now or after a change in
// progress: by then no replica that has the flow may be left.
static __always_inline int another_may_differ(const struct choice *c, const struct row *row)
{
	return c->shared && (c->slot != row->settled || c->care & ANNOUNCE);
}

static __always_inline int may_wait(void)
{
	__u32 zero = 0;
	__u64 *until = bpf_map_lookup_elem(&wait_until, &zero);

	return until && bpf_ktime_get_ns() < *until;
}
