// Translating both addresses, there and back. A flow has a port of the replica's
// own, which is no other's at the same backend.
#pragma once

#include "choose.h"
#include "tcx.h"

enum {
	NAT_TRIES = 16,
	// When a port may be another's.
	NAT_REST_HALF_OPEN = 4 * ABOUT_A_SECOND,
	NAT_REST_CLOSING = 2 * ABOUT_A_SECOND,
	NAT_REST_TCP = 15 * 60 * ABOUT_A_SECOND,
	NAT_REST_UDP = 60 * ABOUT_A_SECOND,
};

struct nat_map {
	__uint(type, BPF_MAP_TYPE_LRU_HASH);
	__uint(max_entries, CONNECTIONS);
	__type(key, struct nat_key);
	__type(value, struct nat_flow);
};

struct nat_half_map {
	__uint(type, BPF_MAP_TYPE_LRU_HASH);
	__uint(max_entries, HALF_OPEN);
	__type(key, struct nat_key);
	__type(value, struct nat_flow);
};

struct nat_map nat_flows SEC(".maps");
struct nat_half_map nat_half_open SEC(".maps"); // apart, so that a flood of SYNs can't push the others out

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
	// A UDP checksum of 0 says that there is none, and stays.
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

static __always_inline int same_address(const struct address *a, const struct address *b)
{
	return a->word[0] == b->word[0] && a->word[1] == b->word[1] && a->word[2] == b->word[2] && a->word[3] == b->word[3];
}

static __always_inline int is_of(const struct nat_flow *flow, const struct packet *p)
{
	return flow->client_port == p->source_port && flow->service_port == p->destination_port &&
	       same_address(&flow->client, &p->source) && same_address(&flow->service, &p->destination);
}

static __always_inline void touch_nat(struct nat_flow *flow, __u8 flags)
{
	__u32 now = seen_now();

	if (flow->seen != now)
		flow->seen = now;
	if (flow->flags != flags)
		flow->flags = flags;
}

// Whether a port's flow is over, as far as can be told. Another CPU's clock may have
// been a moment ahead of ours, so the difference has a sign.
static __always_inline int rests(const struct nat_flow *flow, __u8 protocol, int half_open)
{
	__s32 idle = seen_now() - flow->seen;

	if (flow->flags & CLOSING)
		return idle >= NAT_REST_CLOSING;
	if (half_open)
		return idle >= NAT_REST_HALF_OPEN;
	return idle >= (protocol == IPPROTO_TCP ? NAT_REST_TCP : NAT_REST_UDP);
}

static __always_inline int is_free(const struct nat_key *key)
{
	struct nat_flow *flow = bpf_map_lookup_elem(&nat_flows, key);

	if (flow) {
		if (!rests(flow, key->protocol, 0))
			return 0;
		bpf_map_delete_elem(&nat_flows, key);
	}
	flow = bpf_map_lookup_elem(&nat_half_open, key);
	if (flow) {
		if (!rests(flow, key->protocol, 1))
			return 0;
		bpf_map_delete_elem(&nat_half_open, key);
	}
	return 1;
}

// The port that the flow has, as long as nobody else took it meanwhile.
static __always_inline int keep_port(struct nat_key *key, const struct nat_flow *wanted, const struct packet *p, __be16 port, void *map)
{
	key->port = port;

	struct nat_flow *flow = bpf_map_lookup_elem(map, key);

	if (flow) {
		if (!is_of(flow, p))
			return 0;
		touch_nat(flow, wanted->flags);
		return 1;
	}
	if (map == &nat_flows) {
		flow = bpf_map_lookup_elem(&nat_half_open, key);
		if (flow && !is_of(flow, p))
			return 0;
	}
	if (bpf_map_update_elem(map, key, wanted, BPF_NOEXIST) == 0)
		return 1;
	flow = bpf_map_lookup_elem(map, key); // by another packet of the same flow, on another CPU
	return flow && is_of(flow, p);
}

// A flow moves from one table to the other: whoever looks meanwhile, on another
// CPU, finds it in neither before it looks again.
static __always_inline struct nat_flow *translated(const struct nat_key *key)
{
	struct nat_flow *flow = bpf_map_lookup_elem(&nat_flows, key);

	if (!flow)
		flow = bpf_map_lookup_elem(&nat_half_open, key);
	return flow ? flow : bpf_map_lookup_elem(&nat_flows, key);
}

// Ports are taken in turn: a backend that keeps an old connection in TIME_WAIT
// would refuse its ports to a new one whose clock seems to run behind.
static __always_inline __be16 take_port(struct nat_key *key, const struct nat_flow *wanted, struct settings *settings, void *map)
{
	__u32 ports = settings->nat_ports;

	if (!ports)
		return 0;
	for (int i = 0; i < NAT_TRIES; i++) {
		__u32 turn = __sync_fetch_and_add(&settings->nat_turn, 1);

		key->port = bpf_htons(settings->nat_first + turn % ports);
		if (is_free(key) && bpf_map_update_elem(map, key, wanted, BPF_NOEXIST) == 0)
			return key->port;
	}
	return 0;
}

// A packet in the middle of a connection that this replica doesn't know. No backend
// does, by a port that it has never seen: it answers with a reset, which the client
// should hear. For that the packet is lent a port among the half-open ones, so that
// forged packets can't keep the ports from others.
static __always_inline int is_stranger(const struct choice *c)
{
	return !c->flow && !c->begun && !c->half_open;
}

static __always_inline int nat_send(struct __sk_buff *skb, const struct packet *p, struct rewrite *r, const struct backend *backend)
{
	if (rewrite(skb, p, r)) {
		count_drop(backend->service, DROP_REWRITE);
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
	};

	if ((void *)(ethernet + 1) > end)
		return TCX_DROP;
	__builtin_memcpy(wanted.to, ethernet->h_source, ETH_ALEN);

	int kept = c->nat_port && (c->half_open ? keep_port(&key, &wanted, p, c->nat_port, &nat_half_open)
						: keep_port(&key, &wanted, p, c->nat_port, &nat_flows));

	if (!kept) {
		if (is_stranger(c))
			wanted.flags = CLOSING;
		// The end of a flow that nobody knows is worth no port.
		c->nat_port = p->ends && !c->flow ? 0
			    : c->half_open || is_stranger(c) ? take_port(&key, &wanted, settings, &nat_half_open)
							     : take_port(&key, &wanted, settings, &nat_flows);
		if (!c->nat_port) {
			count_drop(backend->service, DROP_NAT_PORTS);
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

// What a backend ends, or doesn't know, is over on the client's side too.
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

// A backend's answer to us is one to a client.
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
	return bpf_redirect(interface, 0);
}
