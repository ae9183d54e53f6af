// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// ICMP errors about translated packets: the quoted packet is translated too, or the
// receiver couldn't match the error to a connection.
#pragma once

#include "nat.h"

struct quote {
	struct rewrite outer;	// without ports
	struct rewrite inner;
};

// Too large for the stack of a program.
struct {
	__uint(type, BPF_MAP_TYPE_PERCPU_ARRAY);
	__uint(max_entries, 1);
	__type(key, __u32);
	__type(value, struct quote);
} quotes SEC(".maps");

static __always_inline struct quote *new_quote(void)
{
	__u32 zero = 0;

	return bpf_map_lookup_elem(&quotes, &zero);
}

static __always_inline long store_addresses(struct __sk_buff *skb, const struct packet *p, __u32 layer3, struct rewrite *r)
{
	if (p->ipv6)
		return bpf_skb_store_bytes(skb, layer3 + offsetof(struct ipv6hdr, saddr), r->to, sizeof(r->to), 0);

	__be32 to[2] = { r->to[0].word[3], r->to[1].word[3] };

	return bpf_skb_store_bytes(skb, layer3 + offsetof(struct iphdr, saddr), to, sizeof(to), 0);
}

static __always_inline long rewrite_error(struct __sk_buff *skb, const struct packet *p, const struct packet *quoted, struct quote *q)
{
	__u32 field = p->layer4 + offsetof(struct icmp_header, check);
	__be32 *from_port = (void *)&quoted->source_port, *to_port = (void *)q->inner.to_port;
	__u32 outer = difference_of(p, &q->outer), inner = difference_of(quoted, &q->inner);
	long failed;

	if (p->ipv6) // the ICMPv6 checksum covers the addresses of both; the quoted header has no checksum
		failed = bpf_l4_csum_replace(skb, field, 0, outer, BPF_F_PSEUDO_HDR) || bpf_l4_csum_replace(skb, field, 0, inner, 0);
	else // the quoted header's checksum compensates for its addresses in the ICMP checksum
		failed = bpf_l3_csum_replace(skb, ETH_HLEN + offsetof(struct iphdr, check), 0, outer, 0) ||
			 bpf_l3_csum_replace(skb, p->quoted + offsetof(struct iphdr, check), 0, inner, 0);
	return failed || bpf_l4_csum_replace(skb, field, *from_port, *to_port, sizeof(*from_port)) ||
	       store_addresses(skb, p, ETH_HLEN, &q->outer) || store_addresses(skb, p, p->quoted, &q->inner) ||
	       bpf_skb_store_bytes(skb, quoted->layer4, q->inner.to_port, sizeof(q->inner.to_port), 0) ||
	       bpf_skb_store_bytes(skb, 0, q->outer.link, sizeof(q->outer.link), 0);
}

// Forwards an error about a reply, from the client's side to the backend that sent it.
static __always_inline int nat_error_forward(struct __sk_buff *skb, const struct packet *p, const struct packet *quoted, const struct choice *c, const struct settings *settings)
{
	const struct backend *backend = c->backend;
	const struct address *us = p->ipv6 ? &settings->source6 : &settings->source4;
	struct quote *q = new_quote();

	if (!q)
		return TCX_DROP;
	q->outer.to[0] = *us;
	q->outer.to[1] = backend->address;
	q->inner.to[0] = backend->address;
	q->inner.to[1] = *us;
	q->inner.to_port[0] = backend->port;
	q->inner.to_port[1] = c->nat_port;
	if (!c->nat_port) {
		count_lost(backend, DROP_NO_BACKEND);
		return TCX_DROP;
	}
	__builtin_memcpy(q->outer.link, backend->to, ETH_ALEN);
	__builtin_memcpy(q->outer.link + ETH_ALEN, backend->from, ETH_ALEN);
	if (rewrite_error(skb, p, quoted, q)) {
		count_lost(backend, DROP_REWRITE);
		return TCX_DROP;
	}
	if (!(backend->flags & RESOLVED))
		return redirect_by_neighbour(skb, backend);
	return bpf_redirect(backend->interface, 0);
}

// Forwards an error about a client's packet, from the backends' side to the client, with
// the service's address as its source.
static __always_inline int nat_error_reply(struct __sk_buff *skb, const struct packet *p, const struct packet *quoted, const struct settings *settings)
{
	struct nat_key key = {
		.backend = quoted->destination, .backend_port = quoted->destination_port,
		.port = quoted->source_port, .protocol = quoted->protocol,
	};
	struct nat_flow *flow;

	if (!settings->nat_ports || !same_address(&quoted->source, p->ipv6 ? &settings->source6 : &settings->source4))
		return TCX_NEXT;
	flow = translated(&key);
	if (!flow)
		return TCX_NEXT;

	struct quote *q = new_quote();

	if (!q)
		return TCX_DROP;
	q->outer.to[0] = flow->service;
	q->outer.to[1] = flow->client;
	q->inner.to[0] = flow->client;
	q->inner.to[1] = flow->service;
	q->inner.to_port[0] = flow->client_port;
	q->inner.to_port[1] = flow->service_port;

	__u32 interface = flow->interface;

	__builtin_memcpy(q->outer.link, flow->to, ETH_ALEN);
	__builtin_memcpy(q->outer.link + ETH_ALEN, settings->hardware, ETH_ALEN);
	if (rewrite_error(skb, p, quoted, q)) {
		count_drop(NO_SERVICE, DROP_REWRITE);
		return TCX_DROP;
	}
	return bpf_redirect(interface, 0);
}
