// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// Translated flows. Each has a port of the replica, unique per backend.
#pragma once

#include "count.h"
#include "maps.h"
#include "nat_tcp.h"
#include "parse.h"

enum {
	NAT_TRIES = 16,
	// A port may be reused after its flow was idle for this long.
	NAT_IDLE_HALF_OPEN = 4 * ABOUT_A_SECOND,
	NAT_IDLE_OVER = 2 * ABOUT_A_SECOND,
	NAT_IDLE_LAST_ACK = 30 * ABOUT_A_SECOND, // both sent FIN, and one repeats it
	NAT_IDLE_HALF_CLOSED = 5 * 60 * ABOUT_A_SECOND, // RFC 5382 requires four minutes
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

// A flow before it is stored: too large for the stack of a program.
struct {
	__uint(type, BPF_MAP_TYPE_PERCPU_ARRAY);
	__uint(max_entries, 1);
	__type(key, __u32);
	__type(value, struct nat_flow);
} new_nat_flow SEC(".maps");

// How many ports were taken. Not a setting: every packet reads those, and a write takes
// their cache line from the other CPUs.
struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(max_entries, 1);
	__type(key, __u32);
	__type(value, __u32);
} nat_turns SEC(".maps");

struct nat_map nat_flows SEC(".maps");
struct nat_half_map nat_half_open SEC(".maps"); // separate, so that a SYN flood can't evict the others

static __always_inline int are_same(const struct nat_flow *a, const struct nat_flow *b)
{
	return a->client_port == b->client_port && a->service_port == b->service_port && same_address(&a->client, &b->client) && same_address(&a->service, &b->service);
}

static __always_inline int is_same_flow(const struct nat_flow *flow, const struct packet *p)
{
	return flow->client_port == p->source_port && flow->service_port == p->destination_port &&
	       same_address(&flow->client, &p->source) && same_address(&flow->service, &p->destination);
}

// What of a flow may change with each packet of its client.
struct nat_path {
	__u32 interface;
	__u8 to[ETH_ALEN];
	__u16 slot;
	__u16 incarnation;
};

// Updates the return path to the client, which a router may have changed, and the
// backend, which flows of an earlier version's layout don't have.
static __always_inline void update_path(struct nat_flow *flow, const struct nat_path *path)
{
	if (flow->interface != path->interface)
		flow->interface = path->interface;
	if (__builtin_memcmp(flow->to, path->to, ETH_ALEN))
		__builtin_memcpy(flow->to, path->to, ETH_ALEN);
	if (flow->slot != path->slot || flow->incarnation != path->incarnation) {
		flow->slot = path->slot;
		flow->incarnation = path->incarnation;
	}
}

static __always_inline void touch_nat(struct nat_flow *flow)
{
	__u32 now = seen_now();

	if (flow->seen != now)
		flow->seen = now;
}

// Whether a port's flow has probably ended. The difference is signed because another
// CPU's clock may have been slightly ahead.
static __always_inline int has_expired(const struct nat_flow *flow, __u8 protocol, int half_open)
{
	__s32 idle = seen_now() - flow->seen;

	if (flow->flags & LENT || has_reset(flow))
		return idle >= NAT_IDLE_OVER;
	if (half_open)
		return idle >= NAT_IDLE_HALF_OPEN;
	if (is_over(flow))
		return idle >= (is_acked(flow) ? NAT_IDLE_OVER : NAT_IDLE_LAST_ACK);
	if (has_fin(flow))
		return idle >= NAT_IDLE_HALF_CLOSED;
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

// Returns the flow's entry, unless another flow has its port.
static __always_inline struct nat_flow *flow_at(const struct nat_key *key, const struct packet *p, void *map)
{
	struct nat_flow *flow = bpf_map_lookup_elem(map, key);

	return flow && is_same_flow(flow, p) ? flow : NULL;
}

static __always_inline struct nat_flow *new_flow(const struct packet *p, const struct nat_path *path, __u8 flags)
{
	__u32 zero = 0;
	struct nat_flow *flow = bpf_map_lookup_elem(&new_nat_flow, &zero);

	if (!flow)
		return NULL;
	__builtin_memset(flow, 0, sizeof(*flow));
	flow->client = p->source;
	flow->service = p->destination;
	flow->client_port = p->source_port;
	flow->service_port = p->destination_port;
	flow->flags = flags;
	flow->seen = seen_now();
	update_path(flow, path);
	return flow;
}

static __always_inline int store_at(const struct nat_key *key, const struct nat_flow *wanted, int brief)
{
	return (brief ? bpf_map_update_elem(&nat_half_open, key, wanted, BPF_NOEXIST) : bpf_map_update_elem(&nat_flows, key, wanted, BPF_NOEXIST)) == 0;
}

// Stores the flow at its port, unless another flow has taken it meanwhile.
static __always_inline int keep_port(const struct nat_key *key, struct nat_flow *wanted, int brief)
{
	struct nat_flow *begun = brief ? NULL : bpf_map_lookup_elem(&nat_half_open, key);

	if (begun && !are_same(begun, wanted))
		return 0;
	if (begun)
		__builtin_memcpy(wanted->side, begun->side, sizeof(wanted->side));
	if (store_at(key, wanted, brief))
		return 1;

	// Maybe stored by another packet of the flow, on another CPU.
	struct nat_flow *flow = brief ? bpf_map_lookup_elem(&nat_half_open, key) : bpf_map_lookup_elem(&nat_flows, key);

	return flow && are_same(flow, wanted);
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

// Ports are taken in turn, so that each stays unused as long as possible: a backend that has an old connection in TIME_WAIT may reject a
// new one on the same ports if its TCP timestamps are lower. If a port isn't free, its
// neighbours may not be either, so distant ones are tried next.
static __always_inline int take_port(struct nat_key *key, const struct nat_flow *wanted, int brief)
{
	__u32 zero = 0, *turns = bpf_map_lookup_elem(&nat_turns, &zero);
	struct settings *settings = bpf_map_lookup_elem(&settings_map, &zero);
	__u32 ports = settings ? settings->nat_ports : 0, stride = ports / NAT_TRIES + 1;

	if (!ports || !turns)
		return 0;

	__u32 turn = (settings->nat_start + __sync_fetch_and_add(turns, 1)) % ports;

	for (int i = 0; i < NAT_TRIES; i++, turn += stride) {
		key->port = bpf_htons(settings->nat_first + turn % ports);
		if (is_free(key) && store_at(key, wanted, brief))
			return 1;
	}
	return 0;
}

// Stores new_nat_flow at the key's port, or at another. A global function, so that the
// verifier checks it once.
__noinline int store_flow(struct nat_key *of_caller, int brief, int may_take)
{
	__u32 zero = 0;
	struct nat_flow *wanted = bpf_map_lookup_elem(&new_nat_flow, &zero);

	if (!of_caller || !wanted)
		return 0;

	struct nat_key key = *of_caller; // Linux 6.1 rejects keys in the memory of a caller
	int stored = (key.port && keep_port(&key, wanted, brief)) || (may_take && take_port(&key, wanted, brief));

	of_caller->port = key.port;
	return stored;
}
