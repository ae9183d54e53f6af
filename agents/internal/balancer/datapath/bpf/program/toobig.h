// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// ICMP errors to clients whose packets are too big for the tunnel, as a router on the
// path would send them (RFC 792, RFC 1191, RFC 4443). Without them large uploads hang.
#pragma once

#include "layout.h"
#include "parse.h"
#include "tunnel.h"

enum {
	QUOTED4 = sizeof(struct iphdr) + 20,	// includes the layer 4 header, because the kernel keeps the bytes up to a pending checksum
	QUOTED6 = sizeof(struct ipv6hdr) + 20,
	ICMP_TOO_BIG = 4,			// the code
	ICMPV6_TOO_BIG = 2,			// the type
};

struct notice4 {
	struct ethhdr ethernet;
	struct iphdr ip;
	struct icmp_header icmp;
} __attribute__((packed));

struct notice6 {
	struct ethhdr ethernet;
	struct ipv6hdr ip;
	struct icmp_header icmp;
} __attribute__((packed));

// In the order of the ICMPv6 checksum; that of ICMP begins at icmp.
struct notice_sum {
	struct address source;
	struct address destination;
	__be32 length;
	__be32 next;
	struct icmp_header icmp;
	__u8 quoted[QUOTED6];
};

struct notice {
	struct ethhdr ethernet; // of the packet
	__u8 zero[2];
	struct notice_sum sum;
	union {
		struct notice4 v4;
		struct notice6 v6;
	};
};

// Too large for the stack of a program.
struct {
	__uint(type, BPF_MAP_TYPE_PERCPU_ARRAY);
	__uint(max_entries, 1);
	__uint(key_size, sizeof(__u32));
	__uint(value_size, sizeof(struct notice)); // by size, because bpf2go can't generate the union
} notices SEC(".maps");

static __always_inline struct notice *new_notice(void)
{
	__u32 zero = 0;

	return bpf_map_lookup_elem(&notices, &zero);
}

static __always_inline void swap_link(struct ethhdr *to, const struct ethhdr *from)
{
	__builtin_memcpy(to->h_dest, from->h_source, ETH_ALEN);
	__builtin_memcpy(to->h_source, from->h_dest, ETH_ALEN);
	to->h_proto = from->h_proto;
}

// The source is the service's address: a client's network may reject the replica's own.
static __always_inline void write_notice4(struct notice *n, const struct packet *p, __u32 mtu)
{
	struct iphdr ip = {
		.version = 4,
		.ihl = 5,
		.tot_len = bpf_htons(sizeof(ip) + sizeof(struct icmp_header) + QUOTED4),
		.ttl = TUNNEL_HOPS,
		.protocol = IPPROTO_ICMP,
		.saddr = p->destination.word[3],
		.daddr = p->source.word[3],
	};

	ip.check = ~fold(bpf_csum_diff(NULL, 0, (__be32 *)&ip, sizeof(ip), 0));
	n->sum.icmp = (struct icmp_header){ .type = ICMP_UNREACHABLE, .code = ICMP_TOO_BIG, .rest = bpf_htonl(mtu) };
	n->sum.icmp.check = ~fold(bpf_csum_diff(NULL, 0, (__be32 *)&n->sum.icmp, sizeof(struct icmp_header) + QUOTED4, 0));
	swap_link(&n->v4.ethernet, &n->ethernet);
	n->v4.ip = ip;
	n->v4.icmp = n->sum.icmp;
}

static __always_inline void write_notice6(struct notice *n, const struct packet *p, __u32 mtu)
{
	n->sum.source = p->destination;
	n->sum.destination = p->source;
	n->sum.length = bpf_htonl(sizeof(struct icmp_header) + QUOTED6);
	n->sum.next = bpf_htonl(IPPROTO_ICMPV6);
	n->sum.icmp = (struct icmp_header){ .type = ICMPV6_TOO_BIG, .rest = bpf_htonl(mtu) };
	n->sum.icmp.check = ~fold(bpf_csum_diff(NULL, 0, (__be32 *)&n->sum, sizeof(n->sum), 0));
	swap_link(&n->v6.ethernet, &n->ethernet);
	__builtin_memset(&n->v6.ip, 0, sizeof(n->v6.ip));
	n->v6.ip.version = 6;
	n->v6.ip.payload_len = bpf_htons(sizeof(struct icmp_header) + QUOTED6);
	n->v6.ip.nexthdr = IPPROTO_ICMPV6;
	n->v6.ip.hop_limit = TUNNEL_HOPS;
	__builtin_memcpy(&n->v6.ip.saddr, &p->destination, sizeof(struct address));
	__builtin_memcpy(&n->v6.ip.daddr, &p->source, sizeof(struct address));
	n->v6.icmp = n->sum.icmp;
}
