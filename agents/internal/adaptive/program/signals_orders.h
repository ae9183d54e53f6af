// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// What the agent changes while packets are counted. It runs these programs itself, because
// only a program can hold the lock of an entry.
#pragma once

#include "signals_tcp.h"
#include "signals_udp.h"
#include "walk.h"

#ifndef TCX_PASS
#define TCX_PASS 0
#endif

static __always_inline int read_order(struct __sk_buff *skb, struct signal_order *order)
{
	return !bpf_skb_load_bytes(skb, 0, order, sizeof(*order));
}

// Sets the cores of a service. Another incarnation begins at 0.
SEC("tc")
int set_signal_service(struct __sk_buff *skb)
{
	struct signal_order order;

	if (!read_order(skb, &order))
		return TCX_PASS;

	__u32 number = order.of.service;
	struct signal_service *s = bpf_map_lookup_elem(&signal_services, &number);
	__s64 *shared = bpf_map_lookup_elem(&in_flight, &number);
	__u64 now = bpf_ktime_get_ns();

	if (!s || !shared)
		return TCX_PASS;
	bpf_spin_lock(&s->lock);
	if (s->incarnation == order.of.incarnation) {
		integrate(s, now);
	} else {
		s->incarnation = order.of.incarnation;
		s->in_flight = 0;
		s->busy = 0;
		s->rest = 0;
		s->at = now;
	}
	s->cores = order.cores;
	*shared = s->in_flight > 0 ? s->in_flight : 0;
	bpf_spin_unlock(&s->lock);
	return TCX_PASS;
}

// Removes what a former epoch has of an origin.
SEC("tc")
int discard_signal_epoch(struct __sk_buff *skb)
{
	struct signal_order order;

	if (!read_order(skb, &order))
		return TCX_PASS;

	struct signal_origin *origin = bpf_map_lookup_elem(&signal_origins, &order.of);
	__u32 epoch = order.epoch & 1;

	if (!origin)
		return TCX_PASS;

	__s64 lost = origin->in_flight[epoch], open = origin->open[epoch];

	__sync_fetch_and_add(&origin->in_flight[epoch], -lost);
	__sync_fetch_and_add(&origin->open[epoch], -open);
	count_in_flight(&order.of, -lost);
	return TCX_PASS;
}

// Makes the counts of an origin equal to the connections that exist.
SEC("tc")
int correct_signal_origin(struct __sk_buff *skb)
{
	struct signal_correction by;

	if (bpf_skb_load_bytes(skb, 0, &by, sizeof(by)))
		return TCX_PASS;

	struct signal_origin *origin = origin_of(&by.of);
	__u32 epoch = current_epoch();

	if (!origin || !count_in_flight(&by.of, by.in_flight))
		return TCX_PASS;
	__sync_fetch_and_add(&origin->open[epoch], (__s64)by.open);
	__sync_fetch_and_add(&origin->in_flight[epoch], (__s64)by.in_flight);
	return TCX_PASS;
}

static long renew_flow(void *map, struct flow_key *key, struct signal_flow *flow, void *context)
{
	__u64 before = flow->state, seen = bpf_ktime_get_ns() >> SIGNAL_SEEN_SHIFT;
	__u32 epoch = current_epoch(), waiting = waiting_of(before);
	struct signal_owner owner = { .of = flow->of, .epoch = before & EPOCH_BIT ? 1 : 0 };
	struct signal_step step = {};

	if (has_expired(before, seen)) {
		if (waiting && __sync_val_compare_and_swap(&flow->state, before, before - waiting) == before) {
			step.in_flight = -(__s32)waiting;
			count(&owner, &step);
		}
		return 0;
	}
	// The second walk finds what changes now.
	if (owner.epoch != epoch && __sync_val_compare_and_swap(&flow->state, before, before ^ EPOCH_BIT) == before)
		change_epoch(&owner.of, epoch, 0, waiting);
	return 0;
}

// Gives each flow the current epoch. Requests that nothing answered expire.
SEC("tc")
int renew_signal_flows(struct __sk_buff *skb)
{
	bpf_for_each_map_elem(&signal_flows, renew_flow, 0, 0);
	return TCX_PASS;
}

// The same for each connection whose socket exists, in all network namespaces.
SEC("iter/bpf_sk_storage_map")
int renew_signal_connections(struct bpf_iter__bpf_sk_storage_map *walk)
{
	struct sock *sk = walk->sk;
	struct signal_connection *c = sk ? bpf_sk_storage_get(&signal_connections, sk, 0, 0) : 0;

	if (!c)
		return 0;

	__u64 now = bpf_ktime_get_ns();
	__u32 epoch = current_epoch(), state;
	struct signal_owner before;
	struct signal_step expired = {};

	bpf_spin_lock(&c->lock);
	before = c->owner;
	if (c->state & SIGNAL_IN_FLIGHT && now > c->began + SIGNAL_PATIENCE * 1000000000ULL) {
		c->state &= ~SIGNAL_IN_FLIGHT;
		expired.in_flight = -1;
	}
	state = c->state;
	c->owner.epoch = epoch;
	bpf_spin_unlock(&c->lock);
	count(&before, &expired);
	if (before.epoch != epoch)
		change_epoch(&before.of, epoch, !!(state & SIGNAL_OPEN), !!(state & SIGNAL_IN_FLIGHT));
	return 0;
}
