// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// The maps of the programs. The programs write flows and counts, the agent writes the others.
#pragma once

#include "placed.h"

struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(max_entries, 1);
	__type(key, __u32);
	__type(value, struct settings);
} settings_map SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, SERVICES * 2); // each address has an entry too
	__uint(map_flags, BPF_F_NO_PREALLOC);
	__type(key, struct service_key);
	__type(value, struct service);
} services SEC(".maps");

// One inner map per service, so that a table is replaced atomically.
struct table_map {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(max_entries, 1);
	__uint(key_size, sizeof(__u32));
	__uint(value_size, sizeof(struct table)); // by size, because clang omits its type here
};

struct {
	__uint(type, BPF_MAP_TYPE_ARRAY_OF_MAPS);
	__uint(max_entries, SERVICES);
	__type(key, __u32);
	__array(values, struct table_map);
} tables SEC(".maps");

// By the slot of a service. Allocated before, because Linux 6.1 often has no memory at once
// for entries as large. So an entry may be used again while a packet reads it. There is room
// for twice the services, because those of a former Set are forgotten after the new are stored.
struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, WEIGHED * 2);
	__type(key, __u32);
	__type(value, struct picks);
} weights SEC(".maps");

// By the slot of a backend. Only the agent uses them: the next one continues with them.
struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(max_entries, BACKENDS);
	__type(key, __u32);
	__type(value, struct backend_weight);
} backend_weights SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(max_entries, BACKENDS);
	__type(key, __u32);
	__type(value, struct backend);
} backends SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_PERCPU_ARRAY);
	__uint(max_entries, BACKENDS);
	__type(key, __u32);
	__type(value, struct counts);
} backend_counts SEC(".maps");

// Sums of the counts of removed backends, per service. Only the agent writes them.
struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(max_entries, SERVICES);
	__type(key, __u32);
	__type(value, struct counts);
} retired_counts SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_PERCPU_ARRAY);
	__uint(max_entries, SERVICES + 1);
	__type(key, __u32);
	__type(value, struct drop_counts);
} drops SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, BACKEND_DROPS);
	__uint(map_flags, BPF_F_NO_PREALLOC);
	__type(key, struct drop_key);
	__type(value, __u64);
} backend_drops SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_PERCPU_ARRAY);
	__uint(max_entries, SERVICES);
	__type(key, __u32);
	__type(value, struct timings);
} setup_timings SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_PERCPU_ARRAY);
	__uint(max_entries, SERVICES);
	__type(key, __u32);
	__type(value, struct timings);
} first_byte_timings SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, BACKENDS * 2);
	__uint(map_flags, BPF_F_NO_PREALLOC);
	__type(key, struct timing_key);
	__type(value, struct timings);
} backend_timings SEC(".maps");

// The initial value of a backend's timings, which is too large for a program's stack.
struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(max_entries, 1);
	__type(key, __u32);
	__type(value, struct timings);
} no_timings SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(max_entries, REQUESTS);
	__type(key, __u32);
	__type(value, struct request);
} requests SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(max_entries, SETUPS);
	__type(key, __u32);
	__type(value, struct setup);
} setups SEC(".maps");

struct flow_map {
	__uint(type, BPF_MAP_TYPE_LRU_HASH);
	__uint(max_entries, HALF_OPEN);
	__type(key, struct flow_key);
	__type(value, struct flow);
};

struct {
	__uint(type, BPF_MAP_TYPE_LRU_HASH);
	__uint(max_entries, CONNECTIONS);
	__type(key, struct flow_key);
	__type(value, struct flow);
} connections SEC(".maps");

// Not on the stack, which has little room.
struct {
	__uint(type, BPF_MAP_TYPE_PERCPU_ARRAY);
	__uint(max_entries, 1);
	__type(key, __u32);
	__type(value, struct flow);
} stored_flow SEC(".maps");

// Separate from the connections, so that a SYN flood can't evict those.
struct flow_map half_open SEC(".maps");
struct flow_map learnt SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_RINGBUF);
	__uint(max_entries, MISPLACED_BYTES);
} misplaced SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_RINGBUF);
	__uint(max_entries, HELD_BYTES);
} held SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_RINGBUF);
	__uint(max_entries, KEPT_BYTES);
} kept SEC(".maps");

// Until when first packets may be held, in the time of bpf_ktime_get_ns. The agent
// extends it regularly, so no packet waits for an agent that is gone.
struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(max_entries, 1);
	__type(key, __u32);
	__type(value, __u64);
} wait_until SEC(".maps");
