// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// The maps of all programs that choose by cost. The agent writes services, places, backends and costs.
#pragma once

#include "costs.h"
#include "in_flight.h"

struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, SERVICE_NUMBERS);
	__uint(map_flags, BPF_F_NO_PREALLOC);
	__type(key, struct service_key);
	__type(value, struct service);
} services SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(max_entries, PLACES);
	__type(key, __u32);
	__type(value, struct place);
} places SEC(".maps");

// The agent writes costs and reads uses in their memory, because system calls would take most of its CPU time. A choice
// may see a cost half written.
struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(max_entries, PLACES);
	__uint(map_flags, BPF_F_MMAPABLE);
	__type(key, __u32);
	__type(value, struct cost);
} costs SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(max_entries, PLACES);
	__uint(map_flags, BPF_F_MMAPABLE);
	__type(key, __u32);
	__type(value, struct use);
} place_uses SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(max_entries, BACKENDS);
	__type(key, __u32);
	__type(value, struct backend);
} backends SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(max_entries, BACKENDS);
	__type(key, __u32);
	__type(value, struct use);
} backend_uses SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(max_entries, SERVICE_NUMBERS);
	__type(key, __u32);
	__type(value, struct service_use);
} service_uses SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(max_entries, SAMPLES);
	__type(key, __u32);
	__type(value, struct decision);
} samples SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(max_entries, 1);
	__type(key, __u32);
	__type(value, __u64);
} sampled SEC(".maps");

// Allocated one by one, because most nodes have no balancer.
struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, ENTRY_FLOWS);
	__uint(map_flags, BPF_F_NO_PREALLOC);
	__type(key, struct entry_key);
	__type(value, struct entry_flow);
} entry_flows SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(max_entries, PLACES);
	__uint(map_flags, BPF_F_MMAPABLE);
	__type(key, __u32);
	__type(value, struct entry_use);
} entry_uses SEC(".maps");
