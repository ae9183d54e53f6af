// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// If another replica would place a connection elsewhere, its first packet is held until
// the other replicas have the flow, so that each of them can continue the connection.
// If the agent is killed, its held packets are lost; the clients retry, and reach a
// working replica.
#pragma once

#include "choose.h"

// The packet is sent at once: it is too long, or the buffer is full.
static __always_inline int skip_hold(const struct choice *c)
{
	struct flow *flow = bpf_map_lookup_elem(&half_open, &c->key);

	if (flow)
		flow->flags &= ~HELD;
	return 0;
}

static __always_inline struct held_packet *reserve_held(const struct choice *c, __u32 length)
{
	struct held_packet *h = bpf_ringbuf_reserve(&held, sizeof(*h), 0);

	if (!h)
		return NULL;
	h->key = c->key;
	h->at = bpf_ktime_get_ns();
	h->incarnation = c->backend->incarnation;
	h->slot = c->slot;
	h->length = length;
	return h;
}

static __always_inline int submit_held(struct held_packet *h, const struct choice *c, long failed)
{
	if (failed) {
		bpf_ringbuf_discard(h, 0);
		return skip_hold(c);
	}
	bpf_ringbuf_submit(h, 0);
	return 1;
}
