// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// The first packet of a connection that another replica would look for elsewhere
// waits here until the others know of it, so that no connection begins that only
// one replica could carry on. An agent that is killed sends on none; the client
// tries again, and finds a replica that is whole.
#pragma once

#include "choose.h"

// The packet goes on: it is too long, or so many wait that more had better not.
static __always_inline int let_go(const struct choice *c)
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
		return let_go(c);
	}
	bpf_ringbuf_submit(h, 0);
	return 1;
}
