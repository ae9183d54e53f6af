// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
//go:build ignore

// The program at a backend with tunnel delivery: it removes the outer headers, and the
// kernel continues with the client's packet, so neither IPIP nor GUE needs a tunnel
// device. Only packets from balancers are unwrapped, because the inner packet can carry
// any source address.
#include "tcx.h"

enum {
	OUTER_HEADERS = ETH_HLEN + sizeof(struct ipv6hdr) + sizeof(struct udphdr) + 1, // and the inner IP version
};

struct tunnel_source {
	__u32 length;		// of the prefix
	struct address address;
};

struct {
	__uint(type, BPF_MAP_TYPE_LPM_TRIE);
	__uint(max_entries, TUNNEL_SOURCES);
	__uint(map_flags, BPF_F_NO_PREALLOC);
	__type(key, struct tunnel_source);
	__type(value, __u8);
} tunnel_sources SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_PERCPU_ARRAY);
	__uint(max_entries, TUNNEL_COUNTS);
	__type(key, __u32);
	__type(value, __u64);
} tunnel_counts SEC(".maps");

static __always_inline void count_tunnelled(__u32 what)
{
	__u64 *count = bpf_map_lookup_elem(&tunnel_counts, &what);

	if (count)
		(*count)++;
}

// The size of the GUE encapsulation. 0 if it isn't GUE, or if the inner packet is of
// another IP version.
static __always_inline __u32 gue_size(const struct udphdr *udp, const void *end, __u8 version)
{
	const __u8 *inner = (const void *)(udp + 1);

	if ((const void *)(inner + 1) > end || udp->dest != bpf_htons(GUE_PORT) || *inner >> 4 != version)
		return 0;
	return sizeof(*udp);
}

static __always_inline __u32 size4(const struct iphdr *outer, const void *end)
{
	if ((const void *)(outer + 1) > end || outer->ihl != 5 || outer->frag_off & bpf_htons(IPV4_FRAGMENT))
		return 0;
	if (outer->protocol == IPPROTO_IPIP)
		return sizeof(*outer);

	__u32 gue = outer->protocol == IPPROTO_UDP ? gue_size((const void *)(outer + 1), end, 4) : 0;

	return gue ? sizeof(*outer) + gue : 0;
}

static __always_inline __u32 size6(const struct ipv6hdr *outer, const void *end)
{
	if ((const void *)(outer + 1) > end)
		return 0;
	if (outer->nexthdr == IPPROTO_IPV6)
		return sizeof(*outer);

	__u32 gue = outer->nexthdr == IPPROTO_UDP ? gue_size((const void *)(outer + 1), end, 6) : 0;

	return gue ? sizeof(*outer) + gue : 0;
}

SEC("tcx/ingress")
int unwrap(struct __sk_buff *skb)
{
	struct tunnel_source from = { .length = 128 };
	__u32 size = 0;

	if (!make_first_readable(skb, OUTER_HEADERS))
		return TCX_NEXT;

	void *data = (void *)(long)skb->data, *end = (void *)(long)skb->data_end;
	struct ethhdr *ethernet = data;

	if ((void *)(ethernet + 1) > end)
		return TCX_NEXT;
	if (ethernet->h_proto == bpf_htons(ETH_P_IP)) {
		struct iphdr *outer = (void *)(ethernet + 1);

		size = size4(outer, end);
		if (size)
			set_ipv4(&from.address, outer->saddr);
	} else if (ethernet->h_proto == bpf_htons(ETH_P_IPV6)) {
		struct ipv6hdr *outer = (void *)(ethernet + 1);

		size = size6(outer, end);
		if (size)
			__builtin_memcpy(&from.address, &outer->saddr, sizeof(from.address));
	}
	if (!size)
		return TCX_NEXT;
	// An IPv6 source must not match the IPv4 prefixes, which the map has as ::ffff:a.b.c.d.
	if ((ethernet->h_proto == bpf_htons(ETH_P_IPV6) && is_ipv4(&from.address)) || !bpf_map_lookup_elem(&tunnel_sources, &from)) {
		count_tunnelled(UNKNOWN_SOURCE);
		return TCX_NEXT;
	}
	if (bpf_skb_adjust_room(skb, -(int)size, BPF_ADJ_ROOM_MAC, 0))
		return TCX_DROP;
	count_tunnelled(UNWRAPPED);
	return TCX_NEXT;
}

char LICENSE[] SEC("license") = "Dual BSD/GPL";
