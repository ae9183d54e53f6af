// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// The beginnings and ends of connections of services whose chooser is by cost: the program that
// chooses counts open ones. A packet goes on there once it is rewritten and has its destination.
#pragma once

#include "continue.h"
#include "flow.h"

enum happened {
	BEGAN = 1,	// its backend has answered
	ENDED = 2,
	REFUSED = 4,	// its backend has sent RST
};

// Mark of packets for which the other program has chosen, in skb->cb. It has chosen no backend if
// the connection isn't steered then.
enum { CHOSEN_BY_COST = 0x3c057 };

struct followed {
	struct flow_key key;
	enum happened what;
};

// What happened by the packet of this CPU.
struct {
	__uint(type, BPF_MAP_TYPE_PERCPU_ARRAY);
	__uint(max_entries, 1);
	__type(key, __u32);
	__type(value, struct followed);
} followed SEC(".maps");

// The other program returns TCX_REDIRECT, as this one would have done.
static __always_inline void follow(struct __sk_buff *skb, const struct flow_key *key, enum happened what)
{
	__u32 zero = 0;
	struct followed *f = bpf_map_lookup_elem(&followed, &zero);

	if (!f)
		return;
	f->key = *key;
	f->what = what;
	bpf_tail_call(skb, &next_programs, COST_FOLLOWS);
}
