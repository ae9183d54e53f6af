// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// What a companion's program counts, and reports to the agent.
#pragma once

#include "service.h"
#include "session.h"
#include "tcx.h"

enum companion_limits {
	COMPANION_RESET = 4096,		// connections that the server reset last
	RESET_TIME_NS = 1000000000,	// for what is on its way
};

struct {
	__uint(type, BPF_MAP_TYPE_RINGBUF);
	__uint(max_entries, SESSION_QUESTION_BYTES);
} companion_events SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_PERCPU_ARRAY);
	__uint(max_entries, COMPANION_COUNTS);
	__type(key, __u32);
	__type(value, __u64);
} companion_counts SEC(".maps");

// Of each service. The companion adds the entries.
struct {
	__uint(type, BPF_MAP_TYPE_PERCPU_HASH);
	__uint(max_entries, SESSION_SERVICES);
	__uint(map_flags, BPF_F_NO_PREALLOC);
	__type(key, struct service_key);
	__type(value, __u64);
} companion_accepted SEC(".maps");

// Connections that the server reset a moment ago: until when their last packets may arrive.
struct {
	__uint(type, BPF_MAP_TYPE_LRU_HASH);
	__uint(max_entries, COMPANION_RESET);
	__type(key, struct flow_key);
	__type(value, __u64);
} companion_reset SEC(".maps");

static __always_inline void count_accepted(const struct packet *p)
{
	struct service_key key = { .address = p->destination, .port = p->destination_port, .protocol = p->protocol };
	__u64 *count = bpf_map_lookup_elem(&companion_accepted, &key);

	if (count)
		(*count)++;
}

static __always_inline void count_companion(__u32 what)
{
	__u64 *count = bpf_map_lookup_elem(&companion_counts, &what);

	if (count)
		(*count)++;
}

static __always_inline struct companion_event *new_event(enum companion_event_kind kind, const struct flow_key *key, enum allowed allowed)
{
	struct companion_event *event = is_allowed(allowed) ? bpf_ringbuf_reserve(&companion_events, sizeof(*event), 0) : NULL;

	if (!event)
		return NULL;
	event->kind = kind;
	event->key = *key;
	__builtin_memset(event->id, 0, sizeof(event->id));
	return event;
}

static __always_inline int was_reset(const struct flow_key *key)
{
	__u64 *until = bpf_map_lookup_elem(&companion_reset, key);

	return until && bpf_ktime_get_ns() < *until;
}

// A reset would end a connection that another backend has, so the packet is dropped, and the
// balancer learns that its hint was wrong.
static __always_inline int not_mine(const struct packet *p)
{
	struct flow_key key = key_of(p);

	if (was_reset(&key))
		return TCX_DROP;

	struct companion_event *event = new_event(NOT_MINE, &key, ALLOWED_EVENTS);

	if (event)
		bpf_ringbuf_submit(event, 0);
	count_companion(COUNT_NOT_MINE);
	return TCX_DROP;
}

// A server that closes a connection which its client still sends on resets it. What the client
// sent meanwhile needs no search.
static __always_inline int note_reset(const struct packet *p)
{
	struct flow_key key = key_of_answer(p);
	__u64 until = bpf_ktime_get_ns() + RESET_TIME_NS;

	if (session_at(&p->source, p->source_port))
		bpf_map_update_elem(&companion_reset, &key, &until, BPF_ANY);
	return TCX_NEXT;
}
