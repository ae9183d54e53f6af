// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// Probes of speakers, which aren't clients.
#pragma once

#include <linux/bpf.h>
#include <linux/if_ether.h>
#include <bpf/bpf_helpers.h>

// A speaker's probes come from the interface itself: internal/speaker/inward.
static __always_inline int is_probe(struct __sk_buff *skb)
{
	__u8 links[2 * ETH_ALEN];

	return !bpf_skb_load_bytes(skb, 0, links, sizeof(links)) && !__builtin_memcmp(links, links + ETH_ALEN, ETH_ALEN);
}
