// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// Sending from TCX ingress. Packets may be larger than the MTU (GSO), and aren't split here.
#pragma once

#include "count.h"
#include "layout.h"
#include "parse.h"
#include "toobig.h"
#include "tunnel.h"
#include "verdict.h"

enum { FAMILY_IPV4 = 2, FAMILY_IPV6 = 10 };

enum { TCP_WORDS = 12 }; // offset of the header length, which is in 4-byte words

static __always_inline int make_first_readable(struct __sk_buff *skb, __u32 bytes)
{
	__u32 linear = skb->data_end - skb->data;
	__u32 want = skb->len < bytes ? skb->len : bytes;

	return linear >= want || bpf_skb_pull_data(skb, want) == 0;
}

// The end of the layer 4 header of the most common packets: TCP or UDP after an IP header
// without options. 0 for all others.
static __always_inline __u32 common_headers(void *data, void *end)
{
	struct ethhdr *ethernet = data;
	struct iphdr *ip = data + sizeof(*ethernet);
	struct ipv6hdr *ip6 = data + sizeof(*ethernet);
	__u32 layer4;
	__u8 protocol;

	if ((void *)(ip + 1) > end)
		return 0;
	if (ethernet->h_proto == bpf_htons(ETH_P_IP) && ip->ihl == sizeof(*ip) / 4) {
		layer4 = sizeof(*ethernet) + sizeof(*ip);
		protocol = ip->protocol;
	} else if (ethernet->h_proto == bpf_htons(ETH_P_IPV6) && (void *)(ip6 + 1) <= end) {
		layer4 = sizeof(*ethernet) + sizeof(*ip6);
		protocol = ip6->nexthdr;
	} else {
		return 0;
	}
	return protocol == IPPROTO_TCP ? layer4 + sizeof(struct tcphdr) : protocol == IPPROTO_UDP ? layer4 + sizeof(struct udphdr) : 0;
}

// Makes the headers directly readable. In locally sent packets often only the headers
// are, and each byte more would cost an allocation and a copy.
static __always_inline int make_readable(struct __sk_buff *skb)
{
	void *data = (void *)(long)skb->data, *end = (void *)(long)skb->data_end;
	__u32 headers = common_headers(data, end);
	int readable = (headers && skb->data_end - skb->data >= headers) || make_first_readable(skb, HEADERS);

	asm volatile("" ::: "memory"); // the verifier requires comparisons with the current packet pointers
	return readable;
}

static __always_inline int redirect_by_neighbour(struct __sk_buff *skb, const struct backend *backend)
{
	if (!backend->interface) { // it has no path: only its known connections get here
		count_lost(backend, DROP_UNRESOLVED);
		return TCX_DROP;
	}

	struct bpf_redir_neigh next = {};

	if (is_ipv4(&backend->next_hop)) {
		next.nh_family = FAMILY_IPV4;
		next.ipv4_nh = backend->next_hop.word[3];
	} else {
		next.nh_family = FAMILY_IPV6;
		__builtin_memcpy(next.ipv6_nh, &backend->next_hop, sizeof(next.ipv6_nh));
	}
	return bpf_redirect_neigh(backend->interface, &next, sizeof(next), 0);
}

// If the agent doesn't have the backend's link address yet, the kernel resolves it and
// queues the packet meanwhile. The agent then gets the address from the kernel.
static __always_inline int send_direct(struct __sk_buff *skb, const struct backend *backend)
{
	void *data = (void *)(long)skb->data, *end = (void *)(long)skb->data_end;
	struct ethhdr *ethernet = data;

	if (!(backend->flags & RESOLVED))
		return redirect_by_neighbour(skb, backend);
	if ((void *)(ethernet + 1) > end)
		return TCX_DROP;
	set_link(ethernet, backend);
	return bpf_redirect(backend->interface, 0);
}

// Replaces a packet by an ICMP error that quotes it.
static __always_inline int send_too_big(struct __sk_buff *skb, const struct packet *p, const struct backend *backend, __u32 mtu)
{
	struct notice *n = new_notice();
	long failed;

	count_lost(backend, DROP_TOO_BIG);
	if (!n || bpf_skb_load_bytes(skb, 0, &n->ethernet, sizeof(n->ethernet)))
		return TCX_DROP;
	if (p->ipv6) {
		if (bpf_skb_load_bytes(skb, ETH_HLEN, n->sum.quoted, QUOTED6))
			return TCX_DROP;
		write_notice6(n, p, mtu);
		failed = bpf_skb_change_tail(skb, ETH_HLEN + QUOTED6, 0) ||
			 bpf_skb_adjust_room(skb, sizeof(n->v6) - ETH_HLEN, BPF_ADJ_ROOM_MAC, 0) ||
			 bpf_skb_store_bytes(skb, 0, &n->v6, sizeof(n->v6), 0);
	} else {
		if (bpf_skb_load_bytes(skb, ETH_HLEN, n->sum.quoted, QUOTED4))
			return TCX_DROP;
		write_notice4(n, p, mtu);
		failed = bpf_skb_change_tail(skb, ETH_HLEN + QUOTED4, 0) ||
			 bpf_skb_adjust_room(skb, sizeof(n->v4) - ETH_HLEN, BPF_ADJ_ROOM_MAC, 0) ||
			 bpf_skb_store_bytes(skb, 0, &n->v4, sizeof(n->v4), 0);
	}
	return failed ? TCX_DROP : bpf_redirect(skb->ifindex, 0);
}

// When the kernel splits a GSO packet later, it reduces the segments by the size of the
// outer header, so each is as large as it was without one.
static __always_inline int fits(struct __sk_buff *skb, const struct packet *p, const struct backend *backend, __u32 outer)
{
	__u8 words = 0;

	if (!backend->mtu)
		return 1;
	if (!skb->gso_size)
		return p->total + outer <= backend->mtu;
	if (p->protocol != IPPROTO_TCP || bpf_skb_load_bytes(skb, p->layer4 + TCP_WORDS, &words, sizeof(words)))
		return 1;
	return p->layer4 - p->jumbo - ETH_HLEN + (words >> 4) * 4 + skb->gso_size <= backend->mtu;
}

// The kernel removes this header when it splits the packet, but not inside a tunnel. The
// program has little room on its stack left, so it borrows that of the outer header.
static __always_inline long remove_jumbo(struct __sk_buff *skb, const struct packet *p, __u8 *next)
{
	if (!p->jumbo)
		return 0;
	*next = IPPROTO_TCP;
	return bpf_skb_adjust_room(skb, -(int)p->jumbo, BPF_ADJ_ROOM_NET, BPF_F_ADJ_ROOM_FIXED_GSO) ||
	       bpf_skb_store_bytes(skb, ETH_HLEN + offsetof(struct ipv6hdr, nexthdr), next, sizeof(*next), 0);
}

static __always_inline int send_tunnel(struct __sk_buff *skb, const struct packet *p, const struct backend *backend, const struct settings *settings, __u32 flow)
{
	union {
		struct outer4 v4;
		struct outer6 v6;
	} outer;
	__u32 size = outer_size(p, backend), inner = p->total - p->jumbo;
	__u64 encap = backend->delivery == GUE ? BPF_F_ADJ_ROOM_ENCAP_L4_UDP : 0;
	long failed;

	if (!fits(skb, p, backend, size))
		return send_too_big(skb, p, backend, backend->mtu - size);
	if (p->ipv6) {
		failed = remove_jumbo(skb, p, &outer.v6.ip.nexthdr);
		set_outer6(&outer.v6, backend, settings, inner);
		failed = failed || bpf_skb_adjust_room(skb, size, BPF_ADJ_ROOM_MAC, BPF_F_ADJ_ROOM_ENCAP_L3_IPV6 | encap) ||
			 bpf_skb_store_bytes(skb, 0, &outer.v6, sizeof(outer.v6), 0);
	} else {
		set_outer4(&outer.v4, backend, settings, inner);
		failed = bpf_skb_adjust_room(skb, size, BPF_ADJ_ROOM_MAC, BPF_F_ADJ_ROOM_ENCAP_L3_IPV4 | encap) ||
			 bpf_skb_store_bytes(skb, 0, &outer.v4, sizeof(outer.v4), 0);
	}
	if (!failed && encap) {
		struct udphdr udp;

		set_outer_udp(&udp, flow, inner);
		failed = bpf_skb_store_bytes(skb, p->ipv6 ? sizeof(struct outer6) : sizeof(struct outer4), &udp, sizeof(udp), 0);
	}
	if (failed) {
		count_lost(backend, DROP_REWRITE);
		return TCX_DROP;
	}
	if (!(backend->flags & RESOLVED))
		return redirect_by_neighbour(skb, backend);
	return bpf_redirect(backend->interface, 0);
}
