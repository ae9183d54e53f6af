// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// Changes of a packet's addresses, ports and link addresses, and of the checksums that cover
// them. The headers are directly readable since make_readable, and directly writable: the
// kernel copies those of a cloned packet before it runs a program that writes.
#pragma once

#include "parse.h"

// What a packet's source and destination become.
struct rewrite {
	struct address to[2];
	__be16 to_port[2];
	__u8 link[2 * ETH_ALEN];
};

static __always_inline __u32 fold_to_32(__u64 sum)
{
	sum = (sum & 0xffffffff) + (sum >> 32);
	return sum + (sum >> 32);
}

static __always_inline __u16 fold_to_16(__u32 sum)
{
	sum = (sum & 0xffff) + (sum >> 16);
	return sum + (sum >> 16);
}

static __always_inline __u64 change_of(__be32 from, __be32 to)
{
	return (__u64)(__u32)~from + to;
}

// The difference that new addresses make to a checksum, as bpf_csum_diff returns it.
static __always_inline __u32 difference_of(const struct packet *p, const struct rewrite *r)
{
	__u64 sum = change_of(p->source.word[3], r->to[0].word[3]) + change_of(p->destination.word[3], r->to[1].word[3]);

	if (p->ipv6) {
		for (int i = 0; i < 3; i++)
			sum += change_of(p->source.word[i], r->to[0].word[i]) + change_of(p->destination.word[i], r->to[1].word[i]);
	}
	return fold_to_32(sum);
}

// Returns a header of the frame, or NULL if its end isn't directly readable.
static __always_inline void *header_at(struct __sk_buff *skb, __u32 at, __u32 size)
{
	void *header = (void *)(long)skb->data, *end = (void *)(long)skb->data_end;

	asm volatile("" : "+r"(at)); // the verifier must see that the checked offset is the one used
	if (at > HEADERS)
		return NULL;
	header += at;
	return header + size > end ? NULL : header;
}

// By helpers, because only the kernel knows whether a packet's checksum is complete, or is
// the part that its device completes, which has no ports.
static __always_inline long rewrite_checksum(struct __sk_buff *skb, const struct packet *p, const struct rewrite *r, __u32 difference)
{
	__u32 field = p->layer4 + (p->protocol == IPPROTO_TCP ? offsetof(struct tcphdr, check) : offsetof(struct udphdr, check));
	// A UDP checksum of 0 means that there is none, and stays 0.
	__u64 flags = p->protocol == IPPROTO_UDP ? BPF_F_MARK_MANGLED_0 : 0;
	__be32 *from_port = (void *)&p->source_port, *to_port = (void *)r->to_port;

	return bpf_l4_csum_replace(skb, field, 0, difference, flags | BPF_F_PSEUDO_HDR) ||
	       bpf_l4_csum_replace(skb, field, *from_port, *to_port, flags | sizeof(*from_port));
}

static __always_inline long rewrite(struct __sk_buff *skb, const struct packet *p, const struct rewrite *r)
{
	__u32 difference = difference_of(p, r);
	struct ethhdr *ethernet;
	__be16 *ports;

	if (rewrite_checksum(skb, p, r, difference))
		return -1;
	ports = header_at(skb, p->layer4, sizeof(r->to_port));
	if (!ports)
		return -1;
	__builtin_memcpy(ports, r->to_port, sizeof(r->to_port));
	if (p->ipv6) {
		struct ipv6hdr *ip;

		ethernet = header_at(skb, 0, sizeof(*ethernet) + sizeof(*ip));
		if (!ethernet)
			return -1;
		ip = (void *)(ethernet + 1);
		__builtin_memcpy(&ip->saddr, r->to, sizeof(r->to));
	} else {
		struct iphdr *ip;

		ethernet = header_at(skb, 0, sizeof(*ethernet) + sizeof(*ip));
		if (!ethernet)
			return -1;
		ip = (void *)(ethernet + 1);
		ip->check = ~fold_to_16(fold_to_32((__u64)(__u16)~ip->check + difference));
		ip->saddr = r->to[0].word[3];
		ip->daddr = r->to[1].word[3];
	}
	__builtin_memcpy(ethernet, r->link, sizeof(r->link));
	return 0;
}
