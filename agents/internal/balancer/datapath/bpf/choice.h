// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// What is chosen for a packet, and the small questions that choosing asks.
#pragma once

#include "count.h"
#include "hash.h"
#include "maps.h"
#include "parse.h"
#include "service.h"

struct choice {
	struct backend *backend;
	struct flow *flow;	// in its map, when it is known
	struct flow_key key;
	__u16 slot;
	__be16 nat_port;
	__u8 begun;		// entered the connection table just now
	__u8 half_open : 1;	// only remembered until the second packet
	__u8 waits : 1;		// the packet may have to: see hold.h
	__u8 replaces : 1;	// begins on the ports of a connection that was over,
	__u16 former;		// which went there
	__u8 remembered;	// the flags of the entry it was found by
	__u8 care;		// of its row
	__u8 timing;		// of its first request: flags of the entry it gets
	__u32 seen;		// when the entry was that it was found by
};

// Tells flows apart for those on the way to a backend.
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

	// The compiler knows this can't be; the verifier doesn't.
	asm volatile("" : "+r"(row));
	if (!table || row >= ROWS)
		return NULL;
	c->care = table->care[row >> 2] >> (row & 3) * 2 & (TELL | WAIT);
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
	struct backend *backend = slot == NOBODY ? NULL : bpf_map_lookup_elem(&backends, &slot);

	return backend && backend->incarnation ? backend : NULL;
}

static __always_inline void remember(void *map, struct choice *c, __u8 flags)
{
	struct flow flow = {
		.incarnation = c->backend->incarnation,
		.seen = seen_now(),
		.slot = c->slot,
		.nat_port = c->nat_port,
		.flags = flags,
	};

	bpf_map_update_elem(map, &c->key, &flow, BPF_ANY);
}

static __always_inline void tell_peers(const struct choice *c)
{
	struct misplaced_flow *m = bpf_ringbuf_reserve(&misplaced, sizeof(*m), 0);

	if (!m)
		return; // the agent is slow: it lists all that are misplaced when a peer asks
	m->key = c->key;
	m->incarnation = c->backend->incarnation;
	m->slot = c->slot;
	m->zero = 0;
	bpf_ringbuf_submit(m, 0);
}

// Whether another replica would look for the flow elsewhere: now, or when a change
// is over that is under way. By then nobody who knows it may be left.
static __always_inline int another_may_differ(const struct choice *c, const struct row *row)
{
	return c->slot != row->settled || c->care & TELL;
}

static __always_inline int may_wait(void)
{
	__u32 zero = 0;
	__u64 *until = bpf_map_lookup_elem(&wait_until, &zero);

	return until && bpf_ktime_get_ns() < *until;
}
