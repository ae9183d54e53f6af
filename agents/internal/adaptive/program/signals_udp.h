// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// Requests over UDP: each datagram of a client is one, and each of the server answers one of
// the same flow.
#pragma once

#include "signals_count.h"
#include "signals_find.h"

struct {
	__uint(type, BPF_MAP_TYPE_LRU_HASH);
	__uint(max_entries, SIGNAL_FLOWS);
	__type(key, struct flow_key);
	__type(value, struct signal_flow);
} signal_flows SEC(".maps");

enum {
	WAITING_BITS = 16,
	EPOCH_BIT = 1 << WAITING_BITS,
	SEEN_BIT = WAITING_BITS + 1,
	TRIES = 8,		// while other CPUs change the same flow
};

static const __u64 flow_patience = (SIGNAL_FLOW_PATIENCE * 1000000000ULL) >> SIGNAL_SEEN_SHIFT;

static __always_inline __u32 waiting_of(__u64 state)
{
	return state & (EPOCH_BIT - 1);
}

static __always_inline int has_expired(__u64 state, __u64 seen)
{
	return seen > (state >> SEEN_BIT) + flow_patience;
}

static __always_inline __u64 state_of(__u64 seen, __u32 epoch, __u32 waiting)
{
	return seen << SEEN_BIT | (epoch ? EPOCH_BIT : 0) | waiting;
}

// An answer that no request waits for changes nothing.
static __always_inline void see_in_flow(struct signal_flow *flow, int from_client, __u64 seen)
{
	for (int i = 0; i < TRIES; i++) {
		__u64 before = *(volatile __u64 *)&flow->state;
		__u32 waiting = waiting_of(before), was = waiting;
		struct signal_owner owner = { .of = flow->of, .epoch = before & EPOCH_BIT ? 1 : 0 };
		struct signal_step step = {};

		if (has_expired(before, seen))
			waiting = 0;
		if (from_client) {
			waiting += waiting < SIGNAL_WAITING;
			step.arrived = 1;
		} else if (waiting) {
			waiting--;
			step.done = 1;
		}
		if (!was)
			owner.epoch = current_epoch();
		if (__sync_val_compare_and_swap(&flow->state, before, state_of(seen, owner.epoch, waiting)) != before)
			continue;
		step.in_flight = (__s32)waiting - (__s32)was;
		count(&owner, &step);
		return;
	}
}

static __always_inline void see_datagram(struct __sk_buff *skb, struct bpf_sock *sk, int from_client)
{
	struct packet p = {};
	struct flow_key key = { .protocol = IPPROTO_UDP };
	__u64 seen = bpf_ktime_get_ns() >> SIGNAL_SEEN_SHIFT;

	if (!is_served(SIGNAL_UDP, sk->src_port) || !parse_socket_packet(skb, &p) || p.protocol != IPPROTO_UDP)
		return;
	key.client = from_client ? p.source : p.destination;
	key.client_port = from_client ? p.source_port : p.destination_port;
	key.service = from_client ? p.destination : p.source;
	key.service_port = from_client ? p.destination_port : p.source_port;

	struct signal_flow *flow = bpf_map_lookup_elem(&signal_flows, &key);

	if (!flow && from_client) {
		struct signal_flow fresh = {};

		if (!find_owner_of_packet(&p, from_client, &fresh.of))
			return;
		bpf_map_update_elem(&signal_flows, &key, &fresh, BPF_NOEXIST);
		flow = bpf_map_lookup_elem(&signal_flows, &key);
	}
	if (flow)
		see_in_flow(flow, from_client, seen);
}
