// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// Turns a client's packet into a replica's answer to it, without a socket.
#pragma once

#include "cookie.h"
#include "tcx.h"

enum {
	ANSWER_TCP = 40,		// bytes of its TCP header: padded, so that all are as long
	ANSWER_WINDOW = 64240,
	ANSWER_TIME = 0x3fffff,		// the bits of a timestamp that a clock sets: it must not reach the upper 8 soon
	FLAG_FIN = 1,
	FLAG_SYN = 2,
	FLAG_RST = 4,
	FLAG_ACK = 16,
};

struct answer {
	struct tcphdr tcp;
	__u8 options[ANSWER_TCP - TCP_HEADER];
};

static __always_inline long store_ipv4(struct __sk_buff *skb, const struct packet *p)
{
	struct iphdr ip = {
		.version = 4, .ihl = 5, .tot_len = bpf_htons(sizeof(ip) + ANSWER_TCP), .frag_off = bpf_htons(0x4000), .ttl = 64,
		.protocol = IPPROTO_TCP, .saddr = p->destination.word[3], .daddr = p->source.word[3],
	};

	ip.check = ~fold(bpf_csum_diff(NULL, 0, (__be32 *)&ip, sizeof(ip), 0));
	return bpf_skb_store_bytes(skb, ETH_HLEN, &ip, sizeof(ip), 0);
}

static __always_inline long store_ipv6(struct __sk_buff *skb, const struct packet *p)
{
	struct ipv6hdr ip = { .version = 6, .payload_len = bpf_htons(ANSWER_TCP), .nexthdr = IPPROTO_TCP, .hop_limit = 64 };

	__builtin_memcpy(&ip.saddr, &p->destination, sizeof(struct address));
	__builtin_memcpy(&ip.daddr, &p->source, sizeof(struct address));
	return bpf_skb_store_bytes(skb, ETH_HLEN, &ip, sizeof(ip), 0);
}

// Sends an answer to a packet without data back to where it came from. The checksum is
// changed by the difference: it may be the part that a device completes. The addresses
// change places, which doesn't change it.
__noinline int send_back(struct __sk_buff *skb, struct packet *p, struct answer *a)
{
	__u8 before[TCP_HEADER + TCP_OPTIONS] = {}, links[2 * ETH_ALEN];

	if (!p || !a)
		return TCX_DROP;

	__u32 layer4 = p->layer4, check = layer4 + offsetof(struct tcphdr, check);
	__u32 size = p->total + ETH_HLEN - layer4;
	struct tcphdr *was = (void *)before;

	if (size < TCP_HEADER || size > sizeof(before) || bpf_skb_load_bytes(skb, layer4, before, size) ||
	    bpf_skb_load_bytes(skb, 0, links, sizeof(links)))
		return TCX_DROP;
	a->tcp.check = 0;

	__be16 sum = was->check;

	was->check = 0;

	__s64 difference = bpf_csum_diff((__be32 *)before, sizeof(before), (__be32 *)a, sizeof(*a), 0);

	a->tcp.check = sum;
	if (bpf_skb_change_tail(skb, layer4 + ANSWER_TCP, 0) || (p->ipv6 ? store_ipv6(skb, p) : store_ipv4(skb, p)) ||
	    bpf_skb_store_bytes(skb, layer4, a, sizeof(*a), 0) || bpf_l4_csum_replace(skb, check, 0, difference, 0) ||
	    bpf_l4_csum_replace(skb, check, bpf_htons(size), bpf_htons(ANSWER_TCP), BPF_F_PSEUDO_HDR | sizeof(__be16)) ||
	    bpf_skb_store_bytes(skb, 0, links + ETH_ALEN, ETH_ALEN, 0) || bpf_skb_store_bytes(skb, ETH_ALEN, links, ETH_ALEN, 0))
		return TCX_DROP;
	return bpf_redirect(skb->ifindex, 0);
}

static __always_inline void put_number(__u8 *at, __u32 number)
{
	at[0] = number >> 24;
	at[1] = number >> 16;
	at[2] = number >> 8;
	at[3] = number;
}

static __always_inline void begin_answer(struct answer *a, const struct packet *p, __u8 flags)
{
	__builtin_memset(a, 0, sizeof(*a));
	__builtin_memset(a->options, OPTION_NOTHING, sizeof(a->options));
	a->tcp.source = p->destination_port;
	a->tcp.dest = p->source_port;
	((__u8 *)a)[12] = ANSWER_TCP / 4 << 4;
	((__u8 *)a)[13] = flags;
}

// A SYN that offers ECN gets an answer without it, so the connection goes without: a cookie
// has no bit for it.
static __always_inline int answer_syn(struct __sk_buff *skb, struct session_service *service, struct packet *p, const struct tcp_options *o)
{
	struct answer a;
	__u8 *at = a.options;

	begin_answer(&a, p, FLAG_SYN | FLAG_ACK);
	a.tcp.seq = bpf_htonl(cookie_for(service, p, o));
	a.tcp.ack_seq = bpf_htonl(bpf_ntohl(p->seq) + 1);
	a.tcp.window = bpf_htons(ANSWER_WINDOW);
	at[0] = OPTION_MSS;
	at[1] = 4;
	at[2] = service->mss >> 8;
	at[3] = service->mss;
	if (o->sack) {
		at[4] = OPTION_SACK;
		at[5] = 2;
	}
	if (o->times) {
		at[6] = OPTION_TIMES;
		at[7] = 10;
		put_number(at + 8, (__u32)mask_of(&service->keys[0], p) << 24 | (bpf_ktime_get_ns() / 1000000 & ANSWER_TIME));
		put_number(at + 12, o->value);
	}
	if (o->scale != NO_SCALE) {
		at[17] = OPTION_SCALE;
		at[18] = 3;
		at[19] = WINDOW_SCALE;
	}
	return send_back(skb, p, &a);
}

// Answers a packet without data that has an acknowledgement number.
static __always_inline int answer_reset(struct __sk_buff *skb, struct packet *p)
{
	struct answer a;

	begin_answer(&a, p, FLAG_RST);
	a.tcp.seq = p->acknowledges;
	return send_back(skb, p, &a);
}
