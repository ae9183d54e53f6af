// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// Translation of both addresses, in both directions.
#pragma once

#include "choose.h"
#include "nat_ports.h"
#include "tcx.h"

struct rewrite {
	struct address from[2]; // source, destination
	struct address to[2];
	__be16 from_port[2];
	__be16 to_port[2];
	__u8 link[2 * ETH_ALEN];
};

static __always_inline long rewrite_checksums(struct __sk_buff *skb, const struct packet *p, struct rewrite *r)
{
	__u32 field = p->layer4 + (p->protocol == IPPROTO_TCP ? offsetof(struct tcphdr, check) : offsetof(struct udphdr, check));
	// A UDP checksum of 0 means that there is none, and stays 0.
	__u64 flags = p->protocol == IPPROTO_UDP ? BPF_F_MARK_MANGLED_0 : 0;
	__be32 *from_port = (void *)r->from_port, *to_port = (void *)r->to_port;
	__s64 difference;

	if (p->ipv6) {
		difference = bpf_csum_diff((void *)r->from, sizeof(r->from), (void *)r->to, sizeof(r->to), 0);
	} else {
		__be32 from[2] = { r->from[0].word[3], r->from[1].word[3] };
		__be32 to[2] = { r->to[0].word[3], r->to[1].word[3] };

		difference = bpf_csum_diff(from, sizeof(from), to, sizeof(to), 0);
		if (difference < 0 || bpf_l3_csum_replace(skb, ETH_HLEN + offsetof(struct iphdr, check), 0, difference, 0))
			return -1;
	}
	if (difference < 0)
		return -1;
	return bpf_l4_csum_replace(skb, field, 0, difference, flags | BPF_F_PSEUDO_HDR) ||
	       bpf_l4_csum_replace(skb, field, *from_port, *to_port, flags | sizeof(*from_port));
}

static __always_inline long rewrite(struct __sk_buff *skb, const struct packet *p, struct rewrite *r)
{
	if (rewrite_checksums(skb, p, r) || bpf_skb_store_bytes(skb, p->layer4, r->to_port, sizeof(r->to_port), 0))
		return -1;
	if (p->ipv6)
		return bpf_skb_store_bytes(skb, ETH_HLEN + offsetof(struct ipv6hdr, saddr), r->to, sizeof(r->to), 0) ||
		       bpf_skb_store_bytes(skb, 0, r->link, sizeof(r->link), 0);

	__be32 to[2] = { r->to[0].word[3], r->to[1].word[3] };

	return bpf_skb_store_bytes(skb, ETH_HLEN + offsetof(struct iphdr, saddr), to, sizeof(to), 0) ||
	       bpf_skb_store_bytes(skb, 0, r->link, sizeof(r->link), 0);
}

// Whether this is a later packet of a connection that this replica has no entry for. Any
// backend answers it with a reset, because it comes from a new port, and the client should
// get that reset. So the packet gets a half-open entry, which expires soon: forged packets
// can't use up the ports.
static __always_inline int is_unknown_flow(const struct choice *c)
{
	return !c->flow && !c->begun && !c->half_open;
}

static __always_inline int nat_send(struct __sk_buff *skb, const struct packet *p, struct rewrite *r, const struct backend *backend)
{
	if (rewrite(skb, p, r)) {
		count_lost(backend, DROP_REWRITE);
		return TCX_DROP;
	}
	if (!(backend->flags & RESOLVED))
		return redirect_by_neighbour(skb, backend);
	return bpf_redirect(backend->interface, 0);
}

static __always_inline int nat_forward(struct __sk_buff *skb, const struct packet *p, struct choice *c, struct settings *settings)
{
	void *data = (void *)(long)skb->data, *end = (void *)(long)skb->data_end;
	struct ethhdr *ethernet = data;
	struct backend *backend = c->backend;
	struct nat_key key = { .backend = backend->address, .backend_port = backend->port, .protocol = p->protocol };
	struct nat_flow wanted = {
		.client = p->source, .service = p->destination,
		.client_port = p->source_port, .service_port = p->destination_port,
		.interface = skb->ifindex,
		.flags = p->ends || (c->flow && c->flow->flags & CLOSING) ? CLOSING : 0,
		.seen = seen_now(),
		.slot = c->slot,
		.incarnation = backend->incarnation,
	};

	if ((void *)(ethernet + 1) > end)
		return TCX_DROP;
	__builtin_memcpy(wanted.to, ethernet->h_source, ETH_ALEN);

	int kept = c->nat_port && (c->half_open ? keep_port(&key, &wanted, p, c->nat_port, &nat_half_open)
						: keep_port(&key, &wanted, p, c->nat_port, &nat_flows));

	if (!kept) {
		if (is_unknown_flow(c))
			wanted.flags = CLOSING;
		// A FIN or RST of an unknown flow gets no port.
		c->nat_port = p->ends && !c->flow ? 0
			    : c->half_open || is_unknown_flow(c) ? take_port(&key, &wanted, settings, &nat_half_open)
								 : take_port(&key, &wanted, settings, &nat_flows);
		if (!c->nat_port) {
			count_lost(backend, DROP_NAT_PORTS);
			return TCX_DROP;
		}
		if (c->flow)
			c->flow->nat_port = c->nat_port;
	}
	if (c->half_open)
		remember(&half_open, c, 0);
	if (c->begun) {
		remember(&connections, c, c->timing);
		bpf_map_delete_elem(&half_open, &c->key);
		bpf_map_delete_elem(&nat_half_open, &key);
	}

	struct rewrite r = {
		.from = { p->source, p->destination },
		.to = { p->ipv6 ? settings->source6 : settings->source4, backend->address },
		.from_port = { p->source_port, p->destination_port },
		.to_port = { c->nat_port, backend->port },
	};

	__builtin_memcpy(r.link, backend->to, ETH_ALEN);
	__builtin_memcpy(r.link + ETH_ALEN, backend->from, ETH_ALEN);
	return nat_send(skb, p, &r, backend);
}

// A backend's FIN or RST also ends the client's side of the flow.
static __always_inline void end_nat(struct nat_flow *flow, const struct nat_key *key)
{
	struct flow_key known_by = {
		.client = flow->client, .service = flow->service,
		.client_port = flow->client_port, .service_port = flow->service_port,
		.protocol = key->protocol,
	};
	struct flow *known = bpf_map_lookup_elem(&connections, &known_by);

	if (known && known->nat_port == key->port && !(known->flags & CLOSING))
		known->flags |= CLOSING;
	touch_nat(flow, flow->flags | CLOSING);
}

// Translates a backend's reply to the replica into one to the client.
static __always_inline int nat_reply(struct __sk_buff *skb, const struct packet *p, const struct settings *settings)
{
	if (!settings->nat_ports || !same_address(&p->destination, p->ipv6 ? &settings->source6 : &settings->source4))
		return TCX_NEXT;

	struct nat_key key = { .backend = p->source, .backend_port = p->source_port, .port = p->destination_port, .protocol = p->protocol };
	struct nat_flow *flow = translated(&key);

	if (!flow)
		return TCX_NEXT; // one of the replica's own connections
	if (p->ends)
		end_nat(flow, &key);
	else
		touch_nat(flow, flow->flags);

	struct rewrite r = {
		.from = { p->source, p->destination },
		.to = { flow->service, flow->client },
		.from_port = { p->source_port, p->destination_port },
		.to_port = { flow->service_port, flow->client_port },
	};
	__u32 interface = flow->interface;

	__builtin_memcpy(r.link, flow->to, ETH_ALEN);
	__builtin_memcpy(r.link + ETH_ALEN, settings->hardware, ETH_ALEN);
	if (rewrite(skb, p, &r)) {
		count_drop(NO_SERVICE, DROP_REWRITE);
		return TCX_DROP;
	}
	count_answer(flow, skb->len);
	return bpf_redirect(interface, 0);
}
