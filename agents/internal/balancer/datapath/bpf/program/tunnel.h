// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// The outer header of a tunnelled packet: IP alone, or IP and UDP. The latter is GUE
// variant 1, which has no GUE header: the first four bits after UDP are the IP version of
// the inner packet.
#pragma once

#include "layout.h"
#include "parse.h"

enum {
	TUNNEL_HOPS = 64,
	LENGTH_MAX = 65535,
	GUE_PORT = 6080,
	GUE_FLOWS = 0xc000, // first of the source ports, a range that no service listens on
};

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

static __always_inline __u32 udp_size(const struct backend *backend)
{
	return backend->delivery == GUE ? sizeof(struct udphdr) : 0;
}

static __always_inline __u32 outer_size(const struct packet *p, const struct backend *backend)
{
	return (p->ipv6 ? sizeof(struct ipv6hdr) : sizeof(struct iphdr)) + udp_size(backend);
}

static __always_inline void set_link(struct ethhdr *ethernet, const struct backend *backend)
{
	__builtin_memcpy(ethernet->h_dest, backend->to, ETH_ALEN);
	__builtin_memcpy(ethernet->h_source, backend->from, ETH_ALEN);
}

// A header's length field. 0 for a packet that is too long for it (BIG TCP): what splits
// the packet later sets the lengths of the parts.
static __always_inline __be16 length_field(__u32 length)
{
	return length > LENGTH_MAX ? 0 : bpf_htons(length);
}

// With don't-fragment, so that a path with a smaller MTU reports it, instead of making
// both ends fragment and reassemble.
static __always_inline void set_outer4(struct outer4 *outer, const struct backend *backend, const struct settings *settings, __u32 inner)
{
	struct iphdr ip = {
		.version = 4,
		.ihl = 5,
		.tot_len = length_field(inner + sizeof(ip) + udp_size(backend)),
		.frag_off = bpf_htons(0x4000),
		.ttl = TUNNEL_HOPS,
		.protocol = backend->delivery == GUE ? IPPROTO_UDP : IPPROTO_IPIP,
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
	outer->ip.payload_len = length_field(inner + udp_size(backend));
	outer->ip.nexthdr = backend->delivery == GUE ? IPPROTO_UDP : IPPROTO_IPV6;
	outer->ip.hop_limit = TUNNEL_HOPS;
	__builtin_memcpy(&outer->ip.saddr, &settings->source6, sizeof(struct address));
	__builtin_memcpy(&outer->ip.daddr, &backend->address, sizeof(struct address));
	outer->ethernet.h_proto = bpf_htons(ETH_P_IPV6);
	set_link(&outer->ethernet, backend);
}

// The source port differs per flow, so that routers and network cards on the path spread
// flows. No UDP checksum is needed: the inner packet has its own (RFC 6935 for IPv6).
static __always_inline void set_outer_udp(struct udphdr *udp, __u32 flow, __u32 inner)
{
	udp->source = bpf_htons(GUE_FLOWS | (flow & ~GUE_FLOWS & 0xffff));
	udp->dest = bpf_htons(GUE_PORT);
	udp->len = length_field(inner + sizeof(*udp));
	udp->check = 0;
}
