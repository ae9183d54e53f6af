// The outer header of a tunnelled packet.
#pragma once

#include "layout.h"
#include "parse.h"

enum { TUNNEL_HOPS = 64, IPV4_MAX = 65535 };

struct outer4 {
	struct ethhdr ethernet;
	struct iphdr ip;
} __attribute__((packed));

struct outer6 {
	struct ethhdr ethernet;
	struct ipv6hdr ip;
} __attribute__((packed));

static __always_inline __u16 fold(__u32 sum)
{
	sum = (sum & 0xffff) + (sum >> 16);
	sum = (sum & 0xffff) + (sum >> 16);
	return sum;
}

static __always_inline void set_link(struct ethhdr *ethernet, const struct backend *backend)
{
	__builtin_memcpy(ethernet->h_dest, backend->to, ETH_ALEN);
	__builtin_memcpy(ethernet->h_source, backend->from, ETH_ALEN);
}

// Don't-fragment, so that a path that is too narrow says so instead of wasting both ends.
static __always_inline void set_outer4(struct outer4 *outer, const struct backend *backend, const struct settings *settings, __u32 inner)
{
	struct iphdr ip = {
		.version = 4,
		.ihl = 5,
		.tot_len = bpf_htons(inner + sizeof(ip)),
		.frag_off = bpf_htons(0x4000),
		.ttl = TUNNEL_HOPS,
		.protocol = IPPROTO_IPIP,
		.saddr = settings->source4.word[3],
		.daddr = backend->address.word[3],
	};

	ip.check = ~fold(bpf_csum_diff(NULL, 0, (__be32 *)&ip, sizeof(ip), 0));
	outer->ip = ip;
	outer->ethernet.h_proto = bpf_htons(ETH_P_IP);
	set_link(&outer->ethernet, backend);
}

static __always_inline void set_outer6(struct outer6 *outer, const struct backend *backend, const struct settings *settings, __u32 inner)
{
	__builtin_memset(&outer->ip, 0, sizeof(outer->ip));
	outer->ip.version = 6;
	outer->ip.payload_len = bpf_htons(inner);
	outer->ip.nexthdr = IPPROTO_IPV6;
	outer->ip.hop_limit = TUNNEL_HOPS;
	__builtin_memcpy(&outer->ip.saddr, &settings->source6, sizeof(struct address));
	__builtin_memcpy(&outer->ip.daddr, &backend->address, sizeof(struct address));
	outer->ethernet.h_proto = bpf_htons(ETH_P_IPV6);
	set_link(&outer->ethernet, backend);
}
