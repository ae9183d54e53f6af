// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
//go:build ignore

// The program at the ingress of an interface that receives clients' packets.
#include "continue.h"
#include "hold.h"
#include "shortcut.h"
#include "tcx.h"
#include "nat_icmp.h"

static __always_inline int drop(__u32 service, enum drop reason)
{
	count_drop(service, reason);
	return TCX_DROP;
}

static __always_inline int deliver(struct __sk_buff *skb, const struct packet *p, struct choice *c, const struct settings *settings)
{
	if (c->backend->delivery == DIRECT)
		return send_direct(skb, c->backend);
	return send_tunnel(skb, p, c->backend, settings, flow_of(c));
}

static __always_inline int hold(struct __sk_buff *skb, const struct choice *c)
{
	__u32 length = skb->len;
	struct held_packet *h;

	asm volatile("" : "+r"(length)); // the verifier must see that the checked value is the one used
	if (length < ETH_HLEN || length > HELD_FRAME)
		return skip_hold(c);
	h = reserve_held(c, length);
	return h ? submit_held(h, c, bpf_skb_load_bytes(skb, 0, h->frame, length)) : skip_hold(c);
}

// The agent has the packet from now on, or its sender sends it again.
static __always_inline int keep_packet(struct __sk_buff *skb, const struct choice *c, const struct service *service)
{
	__u32 length = skb->len;
	struct kept_frame *k;

	asm volatile("" : "+r"(length));
	if (length < ETH_HLEN || length > KEPT_FRAME)
		return drop(service->slot, DROP_NOT_KEPT);
	k = reserve_kept(c, length, skb->ifindex, skb->gso_size);
	if (!k)
		return drop(service->slot, DROP_NOT_KEPT);
	submit_kept(k, service, bpf_skb_load_bytes(skb, 0, k->frame, length));
	return TCX_DROP;
}

static __always_inline int send_by_way(struct __sk_buff *skb, struct flow *flow)
{
	void *data = (void *)(long)skb->data, *end = (void *)(long)skb->data_end;

	if (data + sizeof(flow->link) > end)
		return TCX_DROP;
	touch(flow);
	__builtin_memcpy(data, flow->link, sizeof(flow->link));
	count_packets(flow->slot, skb->gso_segs, skb->len, 0);
	return bpf_redirect(flow->interface, 0);
}

// A client that uses a port again gets its answer from the program that chooses by session,
// which then places the new connection by itself.
static __always_inline void answer_again(struct __sk_buff *skb, const struct packet *p)
{
	struct service *service = service_at(&p->destination, p->destination_port, p->protocol);

	if (service && service->chooser == BY_SESSION)
		bpf_tail_call(skb, &next_programs, SESSION_CHOOSES);
}

// Whether the program that chooses by cost has yet to choose for the packet.
static __always_inline int asks_for_choice(struct __sk_buff *skb, const struct packet *p)
{
	if (skb->cb[0] == CHOSEN_BY_COST) {
		skb->cb[0] = 0;
		return 0;
	}
	return p->syn || p->protocol == IPPROTO_UDP;
}

static __always_inline int segment(struct __sk_buff *skb, const struct packet *p, struct settings *settings)
{
	int verdict = nat_reply(skb, p, settings); // first, because replies have no entry in the tables below

	if (verdict != TCX_NEXT)
		return verdict;

	struct choice c;

	__builtin_memset(&c, 0, sizeof(c)); // an initializer would read the unused bits of its bit fields
	c.key = key_of(p);

	__u32 ways = *(volatile __u32 *)&settings->ways;
	struct flow *known = bpf_map_lookup_elem(&connections, &c.key);

	if (known && has_way(known, p, ways))
		return send_by_way(skb, known);
	if (choose_known(&c, p, known)) {
		if (p->syn)
			answer_again(skb, p);
		store_way(known, c.backend, ways);
	} else {
		struct service *service = service_at(&p->destination, p->destination_port, p->protocol);

		if (!service)
			return TCX_NEXT;
		if (service->chooser == BY_SESSION && (p->syn || steered_to(&c.key, KEEPS) == BY_TABLES))
			bpf_tail_call(skb, &next_programs, SESSION_CHOOSES); // which comes back once it has placed the connection
		if (service->chooser == BY_COST && asks_for_choice(skb, p))
			bpf_tail_call(skb, &next_programs, COST_CHOOSES);
		if (choose_unknown(&c, p, service) == KEPT)
			return keep_packet(skb, &c, service);
		if (!c.backend)
			return drop(service->slot, DROP_NO_BACKEND);
		if (c.waits && hold(skb, &c))
			return TCX_DROP;
	}

	__u32 length = skb->len;
	__u32 segments = skb->gso_segs;

	verdict = c.backend->delivery == NAT ? nat_forward(skb, p, &c, settings) : deliver(skb, p, &c, settings);

	if (verdict != TCX_REDIRECT)
		return verdict;
	count_packets(c.slot, segments, length, c.begun);
	if (c.backend->flags & COUNTED && p->protocol == IPPROTO_TCP) {
		int ends = c.backend->delivery == NAT ? c.ends : p->ends != 0;

		if (ends || c.begun)
			follow(skb, &c.key, (ends ? ENDED : 0) | (c.begun ? BEGAN : 0));
	}
	return verdict;
}

// Not on the stack: Linux 6.1 rounds each function's part of its 512 bytes up to 32.
struct {
	__uint(type, BPF_MAP_TYPE_PERCPU_ARRAY);
	__uint(max_entries, 1);
	__type(key, __u32);
	__type(value, struct packet);
} quoted_packets SEC(".maps");

// Forwards an ICMP error about a service's packet to the backend: the replica itself has no
// such connection.
static __always_inline int icmp_error(struct __sk_buff *skb, const struct packet *p, struct settings *settings)
{
	__u32 zero = 0;
	struct packet *quoted = bpf_map_lookup_elem(&quoted_packets, &zero);

	if (!quoted || !make_first_readable(skb, HEADERS))
		return TCX_NEXT;
	__builtin_memset(quoted, 0, sizeof(*quoted));

	void *data = (void *)(long)skb->data, *end = (void *)(long)skb->data_end;

	if (parse_quoted(data, end, p->quoted, p->ipv6, quoted) != SEGMENT)
		return TCX_NEXT;

	struct service *service = service_at(&quoted->source, quoted->source_port, quoted->protocol);

	if (!service)
		return nat_error_reply(skb, p, quoted, settings);

	struct choice c = { .key = key_of_answer(quoted) };

	if (!choose_owner(&c, service))
		return drop(service->slot, DROP_NO_BACKEND);
	if (service->delivery == NAT)
		return nat_error_forward(skb, p, quoted, &c, settings);
	return deliver(skb, p, &c, settings);
}

SEC("tcx/ingress")
int balance(struct __sk_buff *skb)
{
	__u32 zero = 0;
	struct settings *settings = bpf_map_lookup_elem(&settings_map, &zero);

	// A tagged frame belongs to the VLAN's own interface.
	if (!settings || skb->vlan_present || !make_readable(skb))
		return TCX_NEXT;

	void *data = (void *)(long)skb->data, *end = (void *)(long)skb->data_end;
	struct packet p = {};

	if (!is_for_us(data, end, settings))
		return TCX_NEXT;
	switch (parse(data, end, skb->len, skb->gso_size != 0, &p)) {
	case SEGMENT:
		return segment(skb, &p, settings);
	case ICMP_ERROR:
		return icmp_error(skb, &p, settings);
	case FRAGMENT:
		if (p.protocol != IPPROTO_TCP && p.protocol != IPPROTO_UDP)
			return TCX_NEXT;
		return serves(&p.destination) ? drop(NO_SERVICE, DROP_FRAGMENT) : nat_fragment(&p, settings);
	case MALFORMED:
		return serves(&p.destination) ? drop(NO_SERVICE, DROP_MALFORMED) : TCX_NEXT;
	case OTHER:
		break;
	}
	return TCX_NEXT;
}

char LICENSE[] SEC("license") = "Dual BSD/GPL";
