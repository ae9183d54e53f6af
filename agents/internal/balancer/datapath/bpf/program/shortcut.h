// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// The way to a direct backend is stored with its flows, so most packets read only the entry
// of their flow, and not that of the backend.
#pragma once

#include "choice.h"

enum { NO_SHORTCUT = CLOSING | RESET | AWAITS_REQUEST | AWAITS_RESPONSE };

static __always_inline __u32 syn_of(const struct flow *flow)
{
	return flow->syn[0] | flow->syn[1] << 8 | flow->syn[2] << 16;
}

// Whether a packet can be sent by the way that is stored with its flow.
static __always_inline int has_way(const struct flow *flow, const struct packet *p, __u32 ways)
{
	return ways && flow->ways == ways && !(flow->flags & NO_SHORTCUT) && !syn_of(flow) && !p->syn && !p->ends;
}

// ways was read before the backend: if the backend changes meanwhile, this is outdated.
static __always_inline void store_way(struct flow *flow, const struct backend *backend, __u32 ways)
{
	if (flow->ways == ways || backend->delivery != DIRECT || !(backend->flags & RESOLVED))
		return;
	*(volatile __u32 *)&flow->ways = 0; // no packet may use a part of it
	flow->interface = backend->interface;
	__builtin_memcpy(flow->link, backend->to, ETH_ALEN);
	__builtin_memcpy(flow->link + ETH_ALEN, backend->from, ETH_ALEN);
	*(volatile __u32 *)&flow->ways = ways;
}
