// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// Packets with parts of hellos, and hellos whose session id is searched. The agent gets them, and
// sends them on once it knows their backend.
#pragma once

#include "session_count.h"
#include "tcx.h"

struct part_of_flow {
	__u32 seq;		// of the first part
};

// Connections whose hello is incomplete. Only a client that got our answer gets this far.
struct {
	__uint(type, BPF_MAP_TYPE_LRU_HASH);
	__uint(max_entries, SESSION_PARTS);
	__type(key, struct flow_key);
	__type(value, struct part_of_flow);
} session_pending SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_RINGBUF);
	__uint(max_entries, SESSION_PART_BYTES);
} session_parts SEC(".maps");

// Until when the agent searches session ids. It extends that while it runs: without it, these hellos would not be placed.
struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(max_entries, 1);
	__type(key, __u32);
	__type(value, __u64);
} session_searching SEC(".maps");

// Returns whether the agent has the packet from now on.
static __always_inline int give_part(struct __sk_buff *skb, const struct flow_key *key, enum session_part_of which, enum allowed allowed)
{
	__u32 length = skb->len;
	struct session_part_frame *part;

	asm volatile("" : "+r"(length)); // the verifier must see that the checked value is the one used
	if (length < ETH_HLEN || length > KEPT_FRAME || !is_allowed(allowed))
		return 0;
	part = bpf_ringbuf_reserve(&session_parts, sizeof(*part), 0);
	if (!part)
		return 0;
	part->part = (struct session_part){
		.packet = { .key = *key, .at = bpf_ktime_get_ns(), .length = length, .interface = skb->ifindex, .gso_size = skb->gso_size },
		.part_of = which,
	};
	if (bpf_skb_load_bytes(skb, 0, part->frame, length)) {
		bpf_ringbuf_discard(part, 0);
		return 0;
	}
	bpf_ringbuf_submit(part, 0);
	return 1;
}

// What the agent doesn't get, its client sends again.
static __always_inline int pass_part(struct __sk_buff *skb, const struct flow_key *key, enum session_part_of which, enum allowed allowed)
{
	return drop_as(give_part(skb, key, which, allowed) ? COUNT_PARTS : COUNT_OVER_LIMIT);
}

// Whether a packet is of the hello whose first part came last on these ports.
static __always_inline int continues_hello(const struct flow_key *key, const struct packet *p)
{
	struct part_of_flow *first = bpf_map_lookup_elem(&session_pending, key);

	return first && bpf_ntohl(p->seq) - first->seq < HELLO_MOST;
}

// Whether the backend of a hello is searched by its session id, which may be on its way here. Clients of TLS 1.3 and those
// with a ticket have an id that names no session. The other half of the buffer is for parts, whose clients would have to send
// them again.
static __always_inline int is_searched(const struct __sk_buff *skb, const struct session_service *own, const struct hello *h)
{
	__u32 zero = 0;
	__u64 *until;

	if (!own->searches_ids || skb->mark == SESSION_SEARCHED)
		return 0;
	if ((h->has & (HAS_KEY | HAS_TICKET | OFFERS_TLS_1_3 | HAS_UNKNOWN_ID)) != HAS_UNKNOWN_ID)
		return 0;
	until = bpf_map_lookup_elem(&session_searching, &zero);
	return until && bpf_ktime_get_ns() < *until && bpf_ringbuf_query(&session_parts, BPF_RB_AVAIL_DATA) < SESSION_PART_BYTES / 2;
}
