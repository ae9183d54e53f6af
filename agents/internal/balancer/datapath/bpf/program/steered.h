// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// Connections that were placed one by one.
#pragma once

#include "flow.h"

enum { STEERED = 65536 };

// Where one connection goes, whatever the tables say. Times are those of bpf_ktime_get_ns.
// Other programs of the agent may write these entries too.
struct steered_flow {
	__u64 until;
	__u64 held_until;	// its packets are kept for the agent until then
	__u32 incarnation;	// 0: the tables choose
	__u16 slot;
	__u16 zero;
};

struct {
	__uint(type, BPF_MAP_TYPE_LRU_HASH);
	__uint(max_entries, STEERED);
	__type(key, struct flow_key);
	__type(value, struct steered_flow);
} steered_flows SEC(".maps");

const struct steered_flow *steered_type __attribute__((unused)); // clang omits unused types from BTF
