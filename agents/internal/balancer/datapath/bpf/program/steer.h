// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// Connections that were placed one by one, and those whose packets are kept for the agent
// until it has placed them. Only connections that aren't known yet are looked up here.
#pragma once

#include "choice.h"

enum steered_to { BY_TABLES = -1, IS_HELD = -2 };

// Returns the slot of the backend where a connection was placed, if it has these flags, or one
// of the above. A function of its own, because the verifier then checks it only once.
__attribute__((noinline)) int steered_to(struct flow_key *key, __u32 needs)
{
	struct steered_flow *steered;
	struct flow_key own;	// Linux 6.1 looks up no key of a caller
	__u64 now;

	if (!key)
		return BY_TABLES;
	own = *key;
	steered = bpf_map_lookup_elem(&steered_flows, &own);
	if (!steered)
		return BY_TABLES;
	now = bpf_ktime_get_ns();
	if (now < steered->held_until)
		return IS_HELD;
	if (now >= steered->until || !steered->incarnation)
		return BY_TABLES;

	__u32 slot = steered->slot;
	struct backend *backend = bpf_map_lookup_elem(&backends, &slot);

	return backend && backend->incarnation == steered->incarnation && (backend->flags & needs) == needs ? (int)slot : BY_TABLES;
}

static __always_inline struct kept_frame *reserve_kept(const struct choice *c, __u32 length, __u32 interface, __u16 gso_size)
{
	struct kept_frame *k = bpf_ringbuf_reserve(&kept, sizeof(*k), 0);

	if (!k)
		return NULL;
	k->packet.key = c->key;
	k->packet.at = bpf_ktime_get_ns();
	k->packet.length = length;
	k->packet.interface = interface;
	k->packet.gso_size = gso_size;
	return k;
}

static __always_inline void submit_kept(struct kept_frame *k, const struct service *service, long failed)
{
	if (failed) {
		bpf_ringbuf_discard(k, 0);
		count_drop(service->slot, DROP_NOT_KEPT);
	} else {
		bpf_ringbuf_submit(k, 0);
	}
}
