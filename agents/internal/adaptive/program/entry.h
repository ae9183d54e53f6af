// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// The maps of connections from outside at one replica, and their counts.
#pragma once

#include "costs_use.h"
#include "place.h"

enum entry_limits { ENTRY_TARGETS = 65536 };

struct entry_settings {
	__u32 replica;		// distinguishes this one at its node
};

// A backend of a service, by which both the costs and the engine know it.
struct entry_target_key {
	struct service_key service;
	struct address address;
	__be16 port;
	__u16 zero;
};

// Where the engine has it.
struct entry_target {
	__u32 incarnation;
	__u16 slot;
	__u8 takes;		// new connections
	__u8 direct;		// its service shows it the client's address
};

struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(max_entries, 1);
	__type(key, __u32);
	__type(value, struct entry_settings);
} entry_setting SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, ENTRY_TARGETS);
	__uint(map_flags, BPF_F_NO_PREALLOC);
	__type(key, struct entry_target_key);
	__type(value, struct entry_target);
} entry_targets SEC(".maps");

static __always_inline __u32 own_replica(void)
{
	__u32 zero = 0;
	struct entry_settings *settings = bpf_map_lookup_elem(&entry_setting, &zero);

	return settings ? settings->replica : 0;
}

static __always_inline struct entry_target *target_of(const struct backend *backend)
{
	__u32 slot = backend->place;
	struct place *place = bpf_map_lookup_elem(&places, &slot);
	struct entry_target_key key = { .address = backend->address, .port = backend->port };

	if (!place)
		return NULL;
	key.service = place->service;
	return bpf_map_lookup_elem(&entry_targets, &key);
}

static __always_inline struct entry_use *entry_use_of(__u32 place) { return bpf_map_lookup_elem(&entry_uses, &place); }

static __always_inline void begin_entry(const struct entry_key *key, __u32 place, __u32 backend, __u8 direct, __u64 now)
{
	struct entry_flow flow = { .at = now, .place = place, .backend = backend, .unanswered = 1, .direct = direct };
	struct entry_use *use = entry_use_of(place);

	if (bpf_map_update_elem(&entry_flows, key, &flow, BPF_NOEXIST))
		return; // there are too many
	count_opened(place, backend);
	if (!use)
		return;
	__sync_fetch_and_add(&use->opened, 1);
	if (direct)
		__sync_fetch_and_add(&use->direct_opened, 1);
}

// Only one of several CPUs deletes the entry.
static __always_inline void end_entry(const struct entry_key *key, const struct entry_flow *flow)
{
	__u32 place = flow->place, backend = flow->backend;
	__u8 direct = flow->direct;
	struct entry_use *use = entry_use_of(place);

	if (bpf_map_delete_elem(&entry_flows, key))
		return;
	count_closed(place, backend);
	if (!use)
		return;
	__sync_fetch_and_add(&use->closed, 1);
	if (direct)
		__sync_fetch_and_add(&use->direct_closed, 1);
}

// A flow of UDP is chosen as a connection is, but never counts as open. The first one after new figures begins the count again.
static __always_inline void count_datagrams(__u32 place, __u32 backend)
{
	struct cost *cost = bpf_map_lookup_elem(&costs, &place);
	struct entry_use *use = entry_use_of(place);

	count_opened(place, backend);
	count_closed(place, backend);
	if (!cost || !use)
		return;
	__sync_fetch_and_add(&use->opened, 1);
	__sync_fetch_and_add(&use->closed, 1);

	__u64 figures = cost->written_at;

	if (use->figures != figures) {
		use->since = 0;
		use->figures = figures;
	}
	__sync_fetch_and_add(&use->since, 1);
}
