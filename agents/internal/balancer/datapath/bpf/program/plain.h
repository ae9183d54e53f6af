// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// Parses only what clients of sessions send: TCP after an IP header without options or
// extensions, and not in fragments.
#pragma once

#include "tcx.h"

enum { FRAME4 = ETH_HLEN + sizeof(struct iphdr) + sizeof(struct tcphdr), FRAME6 = ETH_HLEN + sizeof(struct ipv6hdr) + sizeof(struct tcphdr) };

static __always_inline int parse_tcp(const struct tcphdr *tcp, struct packet *p)
{
	__u32 data = p->layer4 + tcp->doff * 4;

	p->protocol = IPPROTO_TCP;
	p->source_port = tcp->source;
	p->destination_port = tcp->dest;
	p->seq = tcp->seq;
	p->acknowledges = tcp->ack_seq;
	p->syn = tcp->syn && !tcp->ack;
	p->ends = tcp->fin * WITH_FIN | tcp->rst * WITH_RST;
	p->carries = data < ETH_HLEN + p->total;
	return tcp->doff >= 5 && data <= ETH_HLEN + p->total;
}

// Returns whether it is such a packet.
static __always_inline int parse_plain(struct __sk_buff *skb, struct packet *p)
{
	if (!make_readable(skb))
		return 0;

	void *data = (void *)(long)skb->data, *end = (void *)(long)skb->data_end;
	struct ethhdr *ethernet = data;
	struct iphdr *ip = data + ETH_HLEN;
	struct ipv6hdr *ip6 = data + ETH_HLEN;

	if (data + FRAME4 > end)
		return 0;
	if (ethernet->h_proto == bpf_htons(ETH_P_IP)) {
		if (ip->version != 4 || ip->ihl != 5 || ip->protocol != IPPROTO_TCP || ip->frag_off & bpf_htons(IPV4_FRAGMENT))
			return 0;
		p->layer4 = ETH_HLEN + sizeof(*ip);
		p->total = ip->tot_len ? bpf_ntohs(ip->tot_len) : skb->len - ETH_HLEN;
		set_ipv4(&p->source, ip->saddr);
		set_ipv4(&p->destination, ip->daddr);
		return p->total + ETH_HLEN <= skb->len && parse_tcp((void *)(ip + 1), p);
	}
	if (ethernet->h_proto != bpf_htons(ETH_P_IPV6) || data + FRAME6 > end || ip6->version != 6 || ip6->nexthdr != IPPROTO_TCP)
		return 0;
	p->ipv6 = 1;
	p->layer4 = ETH_HLEN + sizeof(*ip6);
	p->total = ip6->payload_len ? sizeof(*ip6) + bpf_ntohs(ip6->payload_len) : skb->len - ETH_HLEN;
	set_ipv6(&p->source, &ip6->saddr);
	set_ipv6(&p->destination, &ip6->daddr);
	return p->total + ETH_HLEN <= skb->len && parse_tcp((void *)(ip6 + 1), p);
}
