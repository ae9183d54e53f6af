// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// Packet parsing. Every length from a packet is checked before it is used.
#pragma once

#include <linux/if_ether.h>
#include <linux/in.h>
#include <linux/ip.h>
#include <linux/ipv6.h>
#include <linux/tcp.h>
#include <linux/udp.h>

#include "flow.h"

enum parse_limits {
	EXTENSIONS = 4,		// of IPv6, before layer 4; packets with more are left to the kernel
	HEADERS = 192,		// enough for an ICMP error and the headers it quotes
	IPV4_FRAGMENT = 0x3fff,	// more fragments, or an offset
	IPV4_OFFSET = 0x1fff,
	IPV6_OFFSET = 0xfff8,
};

// Declared here because the kernel's header for it needs a C library.
struct icmp_header {
	__u8 type;
	__u8 code;
	__be16 check;
	__be32 rest;
};

enum icmp_types {
	ICMP_UNREACHABLE = 3,
	ICMP_TIME_EXCEEDED = 11,
	ICMP_PARAMETER_PROBLEM = 12,
	ICMPV6_UNREACHABLE = 1,		// the errors are 1 to 4
	ICMPV6_PARAMETER_PROBLEM = 4,
};

enum parsed {
	OTHER,			// left to the kernel
	SEGMENT,		// TCP or UDP
	ICMP_ERROR,		// quotes a packet, which is parsed next
	FRAGMENT,
	MALFORMED,
};

enum packet_ends { WITH_FIN = 1, WITH_RST = 2 };

struct packet {
	struct address source;
	struct address destination;
	__be16 source_port;
	__be16 destination_port;
	__u8 protocol;
	__u8 ipv6;
	__u8 syn;		// SYN without ACK
	__u8 ends;		// FIN or RST: packet_ends
	__u8 carries;		// TCP with data
	__u8 jumbo;		// bytes of a header that only has the length of a long IPv6 packet
	__u32 acknowledges;	// the TCP acknowledgement number
	__u32 layer4;		// offset
	union {
		__u32 quoted;	// offset, of an ICMP error
		__be32 seq;	// the TCP sequence number
	};
	__u32 total;		// bytes from layer 3 on
};

// A quoted packet may end after the first 8 bytes of layer 4 (RFC 792), so its lengths aren't checked.
static __always_inline enum parsed parse_layer4(void *data, void *end, __u32 offset, __u32 limit, struct packet *p, int quoted)
{
	void *header = data + offset;

	p->layer4 = offset;
	if (p->protocol == IPPROTO_TCP) {
		struct tcphdr *tcp = header;

		if (quoted) {
			if (header + 8 > end)
				return MALFORMED;
		} else {
			if ((void *)(tcp + 1) > end || offset + sizeof(*tcp) > limit || tcp->doff < 5 || offset + tcp->doff * 4 > limit)
				return MALFORMED;
			p->syn = tcp->syn && !tcp->ack;
			p->ends = tcp->fin * WITH_FIN | tcp->rst * WITH_RST;
			p->carries = offset + tcp->doff * 4 < limit;
			p->seq = tcp->seq;
			p->acknowledges = tcp->ack_seq;
		}
		p->source_port = tcp->source;
		p->destination_port = tcp->dest;
		return SEGMENT;
	}
	if (p->protocol == IPPROTO_UDP) {
		struct udphdr *udp = header;

		if ((void *)(udp + 1) > end)
			return MALFORMED;
		if (!quoted && (offset + sizeof(*udp) > limit || bpf_ntohs(udp->len) < sizeof(*udp)))
			return MALFORMED;
		p->source_port = udp->source;
		p->destination_port = udp->dest;
		return SEGMENT;
	}
	if (quoted)
		return OTHER;

	struct icmp_header *icmp = header;

	p->quoted = offset + sizeof(*icmp);
	if ((void *)(icmp + 1) > end || p->quoted > limit)
		return OTHER;
	if (p->protocol == IPPROTO_ICMP && !p->ipv6 &&
	    (icmp->type == ICMP_UNREACHABLE || icmp->type == ICMP_TIME_EXCEEDED || icmp->type == ICMP_PARAMETER_PROBLEM))
		return ICMP_ERROR;
	if (p->protocol == IPPROTO_ICMPV6 && p->ipv6 && icmp->type >= ICMPV6_UNREACHABLE && icmp->type <= ICMPV6_PARAMETER_PROBLEM)
		return ICMP_ERROR;
	return OTHER;
}

// The first fragment has the ports.
static __always_inline enum parsed parse_fragment(void *data, void *end, __u32 offset, int first, struct packet *p)
{
	__be16 *ports = data + offset;

	if (first && (void *)(ports + 2) <= end && (p->protocol == IPPROTO_TCP || p->protocol == IPPROTO_UDP)) {
		p->source_port = ports[0];
		p->destination_port = ports[1];
	}
	return FRAGMENT;
}

// A packet longer than 65 535 bytes has the length 0 in its header (BIG TCP): then it is
// merged, which is 0 for all packets that are as they were on the wire.
static __always_inline enum parsed parse_ipv4(void *data, void *end, __u32 offset, __u32 length, __u32 merged, struct packet *p, int quoted)
{
	struct iphdr *ip = data + offset;

	if ((void *)(ip + 1) > end)
		return OTHER;

	__u32 header = ip->ihl * 4;

	if (ip->version != 4 || header < sizeof(*ip))
		return OTHER;
	p->ipv6 = 0;
	p->protocol = ip->protocol;
	p->total = ip->tot_len ? bpf_ntohs(ip->tot_len) : merged;
	set_ipv4(&p->source, ip->saddr);
	set_ipv4(&p->destination, ip->daddr);
	if (quoted)
		return ip->frag_off & bpf_htons(IPV4_OFFSET) ? OTHER : parse_layer4(data, end, offset + header, 0, p, 1);
	if (ip->frag_off & bpf_htons(IPV4_FRAGMENT))
		return parse_fragment(data, end, offset + header, !(ip->frag_off & bpf_htons(IPV4_OFFSET)), p);
	if (p->total < header || offset + p->total > length)
		return MALFORMED;
	return parse_layer4(data, end, offset + header, offset + p->total, p, 0);
}

static __always_inline enum parsed parse_ipv6(void *data, void *end, __u32 offset, __u32 length, __u32 merged, struct packet *p, int quoted)
{
	struct ipv6hdr *ip = data + offset;

	if ((void *)(ip + 1) > end || ip->version != 6)
		return OTHER;

	__u32 at = offset + sizeof(*ip);
	__u8 next = ip->nexthdr;

	p->ipv6 = 1;
	p->total = ip->payload_len || !merged ? sizeof(*ip) + bpf_ntohs(ip->payload_len) : merged;
	set_ipv6(&p->source, &ip->saddr);
	set_ipv6(&p->destination, &ip->daddr);
	for (int i = 0; i < EXTENSIONS; i++) {
		if (next != IPPROTO_HOPOPTS && next != IPPROTO_ROUTING && next != IPPROTO_DSTOPTS)
			break;

		__u8 *extension = data + at;

		// Without this bound the verifier rejects the offset.
		if (at > HEADERS || (void *)(extension + 8) > end)
			return OTHER;
		if (!ip->payload_len && merged && next == IPPROTO_HOPOPTS && extension[0] == IPPROTO_TCP && extension[1] == 0)
			p->jumbo = 8;
		next = extension[0];
		at += (extension[1] + 1) * 8;
	}
	p->protocol = next;
	if (at > HEADERS)
		return OTHER;
	if (next == IPPROTO_FRAGMENT) {
		__u8 *extension = data + at;

		if (quoted)
			return OTHER;
		p->protocol = (void *)(extension + 8) > end ? 0 : extension[0];
		return p->protocol ? parse_fragment(data, end, at + 8, !(*(__be16 *)(extension + 2) & bpf_htons(IPV6_OFFSET)), p) : FRAGMENT;
	}
	if (!quoted && offset + p->total > length)
		return MALFORMED;
	return parse_layer4(data, end, at, offset + p->total, p, quoted);
}

// length is that of the whole frame, of which data to end is readable. is_merged is true for
// a packet that the kernel merged or has not split yet.
static __always_inline enum parsed parse(void *data, void *end, __u32 length, int is_merged, struct packet *p)
{
	struct ethhdr *ethernet = data;
	__u32 merged = is_merged ? length - sizeof(*ethernet) : 0;

	if ((void *)(ethernet + 1) > end)
		return OTHER;
	if (ethernet->h_proto == bpf_htons(ETH_P_IP))
		return parse_ipv4(data, end, sizeof(*ethernet), length, merged, p, 0);
	if (ethernet->h_proto == bpf_htons(ETH_P_IPV6))
		return parse_ipv6(data, end, sizeof(*ethernet), length, merged, p, 0);
	return OTHER;
}

// Parses the packet that an ICMP error is about, from a service to its client.
static __always_inline enum parsed parse_quoted(void *data, void *end, __u32 offset, int ipv6, struct packet *p)
{
	if (offset > HEADERS)
		return OTHER;
	return ipv6 ? parse_ipv6(data, end, offset, 0, 0, p, 1) : parse_ipv4(data, end, offset, 0, 0, p, 1);
}

static __always_inline struct flow_key key_of(const struct packet *p)
{
	return (struct flow_key){
		.client = p->source, .service = p->destination,
		.client_port = p->source_port, .service_port = p->destination_port, .protocol = p->protocol,
	};
}
