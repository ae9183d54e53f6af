// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// How another program of the agent places a connection, and has the engine's program send
// its packets.
#pragma once

#include "steered.h"

// The engine stores the connection with the first packet that it sends.
enum { PLACED_TIME_NS = 1000000000 };

static __always_inline void write_placed(const struct flow_key *key, const struct steered_flow *placed)
{
	bpf_map_update_elem(&steered_flows, key, placed, BPF_ANY);
}

static __always_inline void store_placed(const struct flow_key *key, __u16 slot, __u32 incarnation)
{
	struct steered_flow placed = { .until = bpf_ktime_get_ns() + PLACED_TIME_NS, .incarnation = incarnation, .slot = slot };

	write_placed(key, &placed);
}

// The engine keeps its packets for the agent.
static __always_inline void hold_placed(const struct flow_key *key)
{
	struct steered_flow placed = { .held_until = bpf_ktime_get_ns() + PLACED_TIME_NS };

	write_placed(key, &placed);
}

static __always_inline void forget_placed(const struct flow_key *key)
{
	bpf_map_delete_elem(&steered_flows, key);
}
