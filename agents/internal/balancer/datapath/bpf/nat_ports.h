// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// Translated flows. Each has a port of the replica, unique per backend.
#pragma once

#include "count.h"
#include "maps.h"
#include "parse.h"

enum {
	NAT_TRIES = 16,
	// A port may be reused after its flow was idle for this long.
	NAT_IDLE_HALF_OPEN = 4 * ABOUT_A_SECOND,
	NAT_IDLE_CLOSING = 2 * ABOUT_A_SECOND,
	NAT_IDLE_TCP = 15 * 60 * ABOUT_A_SECOND,
	NAT_IDLE_UDP = 60 * ABOUT_A_SECOND,
};

struct nat_map {
	__uint(type, BPF_MAP_TYPE_LRU_HASH);
	__uint(max_entries, CONNECTIONS);
	__type(key, struct nat_key);
	__type(value, struct nat_flow);
};

struct nat_half_map {
	__uint(type, BPF_MAP_TYPE_LRU_HASH);
	__uint(max_entries, HALF_OPEN);
	__type(key, struct nat_key);
	__type(value, struct nat_flow);
};

struct nat_map nat_flows SEC(".maps");
struct nat_half_map nat_half_open SEC(".maps"); // separate, so that a SYN flood can't evict the others

static __always_inline int same_address(const struct address *a, const struct address *b)
{
	return a->word[0] == b->word[0] && a->word[1] == b->word[1] && a->word[2] == b->word[2] && a->word[3] == b->word[3];
}

static __always_inline int is_same_flow(const struct nat_flow *flow, const struct packet *p)
{
	return flow->client_port == p->source_port && flow->service_port == p->destination_port &&
	       same_address(&flow->client, &p->source) && same_address(&flow->service, &p->destination);
}

// Updates the return path to the client, which a router may have changed, and the
// backend, which flows of an earlier version's layout don't have.
static __always_inline void update_path(struct nat_flow *flow, const struct nat_flow *wanted)
{
	if (flow->interface != wanted->interface)
		flow->interface = wanted->interface;
	if (__builtin_memcmp(flow->to, wanted->to, ETH_ALEN))
		__builtin_memcpy(flow->to, wanted->to, ETH_ALEN);
	if (flow->slot != wanted->slot || flow->incarnation != wanted->incarnation) {
		flow->slot = wanted->slot;
		flow->incarnation = wanted->incarnation;
	}
}

static __always_inline void touch_nat(struct nat_flow *flow, __u8 flags)
{
	__u32 now = seen_now();

	if (flow->seen != now)
		flow->seen = now;
	if (flow->flags != flags)
		flow->flags = flags;
}

// Whether a port's flow has probably ended. The difference is signed because another
// CPU's clock may have been slightly ahead.
static __always_inline int has_expired(const struct nat_flow *flow, __u8 protocol, int half_open)
{
	__s32 idle = seen_now() - flow->seen;

	if (flow->flags & CLOSING)
		return idle >= NAT_IDLE_CLOSING;
	if (half_open)
		return idle >= NAT_IDLE_HALF_OPEN;
	return idle >= (protocol == IPPROTO_TCP ? NAT_IDLE_TCP : NAT_IDLE_UDP);
}

// A global function, so that the verifier checks it once and not per try.
__noinline int is_free(struct nat_key *of_caller)
{
	struct nat_flow *flow;

	if (!of_caller)
		return 0;

	struct nat_key copy = *of_caller, *key = &copy; // Linux 6.1 rejects keys in the memory of a caller

	flow = bpf_map_lookup_elem(&nat_flows, key);
	if (flow) {
		if (!has_expired(flow, key->protocol, 0))
			return 0;
		bpf_map_delete_elem(&nat_flows, key);
	}
	flow = bpf_map_lookup_elem(&nat_half_open, key);
	if (flow) {
		if (!has_expired(flow, key->protocol, 1))
			return 0;
		bpf_map_delete_elem(&nat_half_open, key);
	}
	return 1;
}

// Keeps the flow's port, unless another flow has taken it meanwhile.
static __always_inline int keep_port(struct nat_key *key, const struct nat_flow *wanted, const struct packet *p, __be16 port, void *map)
{
	key->port = port;

	struct nat_flow *flow = bpf_map_lookup_elem(map, key);

	if (flow) {
		if (!is_same_flow(flow, p))
			return 0;
		touch_nat(flow, wanted->flags);
		update_path(flow, wanted);
		return 1;
	}
	if (map == &nat_flows) {
		flow = bpf_map_lookup_elem(&nat_half_open, key);
		if (flow && !is_same_flow(flow, p))
			return 0;
	}
	if (bpf_map_update_elem(map, key, wanted, BPF_NOEXIST) == 0)
		return 1;
	flow = bpf_map_lookup_elem(map, key); // maybe stored by another packet of the flow, on another CPU
	return flow && is_same_flow(flow, p);
}

// While another CPU moves a flow between the tables, lookups may find it in neither, so
// the last lookup is repeated.
static __always_inline struct nat_flow *translated(const struct nat_key *key)
{
	struct nat_flow *flow = bpf_map_lookup_elem(&nat_flows, key);

	if (!flow)
		flow = bpf_map_lookup_elem(&nat_half_open, key);
	return flow ? flow : bpf_map_lookup_elem(&nat_flows, key);
}

// Ports are taken in turn: a backend that has an old connection in TIME_WAIT may reject a
// new one on the same ports if its TCP timestamps are lower. If a port isn't free, its
// neighbours may not be either, so distant ones are tried next.
static __always_inline __be16 take_port(struct nat_key *key, const struct nat_flow *wanted, struct settings *settings, void *map)
{
	__u32 ports = settings->nat_ports, stride = ports / NAT_TRIES + 1;

	if (!ports)
		return 0;

	__u32 turn = __sync_fetch_and_add(&settings->nat_turn, 1) % ports;

	for (int i = 0; i < NAT_TRIES; i++, turn += stride) {
		key->port = bpf_htons(settings->nat_first + turn % ports);
		if (is_free(key) && bpf_map_update_elem(map, key, wanted, BPF_NOEXIST) == 0)
			return key->port;
	}
	return 0;
}
