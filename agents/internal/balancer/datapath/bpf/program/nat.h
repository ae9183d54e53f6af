// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// Translation of both addresses, in both directions.
#pragma once

#include "choose.h"
#include "follow.h"
#include "nat_ports.h"
#include "rewrite.h"
#include "tcx.h"

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

static __always_inline void mark_over(struct flow *known, int over)
{
	known->flags = over ? known->flags | CLOSING : known->flags & ~CLOSING;
}

static __always_inline struct nat_flow *nat_flow_at(const struct nat_key *key, const struct packet *p, int brief)
{
	return brief ? flow_at(key, p, &nat_half_open) : flow_at(key, p, &nat_flows);
}

// Returns the translated flow of a client's packet, with its port in key.
static __always_inline struct nat_flow *nat_flow_of(struct nat_key *key, const struct packet *p, struct choice *c, const struct nat_path *path)
{
	int unknown = is_unknown_flow(c), brief = c->half_open || unknown;
	struct nat_flow *flow = c->nat_port ? nat_flow_at(key, p, brief) : NULL;

	if (flow) {
		touch_nat(flow);
		update_path(flow, path);
		return flow;
	}
	// A FIN or RST of an unknown flow gets no port.
	if (!new_flow(p, path, unknown ? LENT : 0) || !store_flow(key, brief, c->flow || !p->ends))
		return NULL;
	if (c->flow)
		c->flow->nat_port = key->port;
	return nat_flow_at(key, p, brief);
}

static __always_inline int nat_forward(struct __sk_buff *skb, const struct packet *p, struct choice *c, struct settings *settings)
{
	void *data = (void *)(long)skb->data, *end = (void *)(long)skb->data_end;
	struct ethhdr *ethernet = data;
	struct backend *backend = c->backend;
	struct nat_key key = { .backend = backend->address, .backend_port = backend->port, .port = c->nat_port, .protocol = p->protocol };
	struct nat_path path = { .interface = skb->ifindex, .slot = c->slot, .incarnation = backend->incarnation };

	if ((void *)(ethernet + 1) > end)
		return TCX_DROP;
	__builtin_memcpy(path.to, ethernet->h_source, ETH_ALEN);

	struct nat_flow *flow = nat_flow_of(&key, p, c, &path);

	if (!flow) {
		count_lost(backend, DROP_NAT_PORTS);
		return TCX_DROP;
	}
	c->nat_port = key.port;
	if (track_packet(skb, p, flow, CLIENT)) {
		if (c->flow)
			mark_over(c->flow, is_over(flow));
		c->ends = is_over(flow);
	}
	if (c->half_open)
		remember(&half_open, c, 0);
	if (c->begun) {
		remember(&connections, c, c->timing);
		bpf_map_delete_elem(&half_open, &c->key);
		bpf_map_delete_elem(&nat_half_open, &key);
	}

	struct rewrite r = {
		.to = { p->ipv6 ? settings->source6 : settings->source4, backend->address },
		.to_port = { c->nat_port, backend->port },
	};

	__builtin_memcpy(r.link, backend->to, ETH_ALEN);
	__builtin_memcpy(r.link + ETH_ALEN, backend->from, ETH_ALEN);
	return nat_send(skb, p, &r, backend);
}

static __always_inline struct flow_key key_of_client(const struct nat_flow *flow, const struct nat_key *key)
{
	return (struct flow_key){
		.client = flow->client, .service = flow->service,
		.client_port = flow->client_port, .service_port = flow->service_port,
		.protocol = key->protocol,
	};
}

// The end that a backend's packet completes is also that of the client's entry.
static __always_inline void mark_known(const struct nat_flow *flow, const struct nat_key *key)
{
	struct flow_key known_by = key_of_client(flow, key);
	struct flow *known = bpf_map_lookup_elem(&connections, &known_by);

	if (known && known->nat_port == key->port)
		mark_over(known, is_over(flow));
}

static __always_inline int is_counted(const struct nat_flow *flow)
{
	__u32 slot = flow->slot;
	struct backend *backend = bpf_map_lookup_elem(&backends, &slot);

	return backend && backend->flags & COUNTED && flow->incarnation == (backend->incarnation & 0xffff);
}

// Returns the translated flow of a packet from a backend to the replica, or NULL. The packet
// may also belong to one of the replica's own connections.
static __always_inline struct nat_flow *flow_of_reply(const struct packet *p, const struct settings *settings, struct nat_key *key)
{
	if (!settings->nat_ports || !same_address(&p->destination, p->ipv6 ? &settings->source6 : &settings->source4))
		return NULL;
	*key = (struct nat_key){ .backend = p->source, .backend_port = p->source_port, .port = p->destination_port, .protocol = p->protocol };
	return translated(key);
}

// Counts a fragmented reply by its first fragment, which has the ports. This host drops
// the others, because it never gets the first one.
static __always_inline int nat_fragment(const struct packet *p, const struct settings *settings)
{
	struct nat_key key;
	struct nat_flow *flow = p->destination_port ? flow_of_reply(p, settings, &key) : NULL;

	if (!flow)
		return TCX_NEXT;

	__u32 slot = flow->slot;
	struct backend *backend = bpf_map_lookup_elem(&backends, &slot);

	if (backend && flow->incarnation == (backend->incarnation & 0xffff))
		count_lost(backend, DROP_FRAGMENT);
	else
		count_drop(NO_SERVICE, DROP_FRAGMENT);
	return TCX_DROP;
}

// Translates a backend's reply to the replica into one to the client. TCX_NEXT: it is none.
static __always_inline int nat_reply(struct __sk_buff *skb, const struct packet *p, const struct settings *settings)
{
	struct nat_key key;
	struct nat_flow *flow = flow_of_reply(p, settings, &key);

	if (!flow)
		return TCX_NEXT;
	int ends = 0;

	touch_nat(flow);
	if (track_packet(skb, p, flow, SERVER)) {
		mark_known(flow, &key);
		ends = is_over(flow) && is_counted(flow);
	}

	struct rewrite r = {
		.to = { flow->service, flow->client },
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

	int verdict = bpf_redirect(interface, 0);

	if (ends) {
		struct flow_key client = key_of_client(flow, &key);

		follow(skb, &client, flow->side[SERVER].state & SENT_RST ? ENDED | REFUSED : ENDED);
	}
	return verdict;
}
