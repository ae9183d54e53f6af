// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
//go:build ignore

// The program in the driver of an interface that receives clients' packets. It chooses
// backends like the one at TCX, but it has no NAT, and can't have the kernel resolve a
// link address.
#include "alone.h"
#include "hold.h"
#include "shortcut.h"
#include "toobig.h"
#include "tunnel.h"

static __always_inline int drop(__u32 service, enum drop reason)
{
	count_drop(service, reason);
	return XDP_DROP;
}

static __always_inline int lose(const struct backend *backend, enum drop reason)
{
	count_lost(backend, reason);
	return XDP_DROP;
}

static __always_inline int send_direct(struct xdp_md *xdp, const struct backend *backend)
{
	void *data = (void *)(long)xdp->data, *end = (void *)(long)xdp->data_end;
	struct ethhdr *ethernet = data;

	if ((void *)(ethernet + 1) > end)
		return XDP_DROP;
	set_link(ethernet, backend);
	return XDP_TX;
}

// Replaces a packet by an ICMP error that quotes it.
static __always_inline int send_too_big(struct xdp_md *xdp, const struct packet *p, __u32 length, const struct backend *backend, __u32 mtu)
{
	struct notice *n = new_notice();

	count_lost(backend, DROP_TOO_BIG);
	if (!n || bpf_xdp_load_bytes(xdp, 0, &n->ethernet, sizeof(n->ethernet)))
		return XDP_DROP;
	if (p->ipv6) {
		if (bpf_xdp_load_bytes(xdp, ETH_HLEN, n->sum.quoted, QUOTED6))
			return XDP_DROP;
		write_notice6(n, p, mtu);
		if (bpf_xdp_adjust_tail(xdp, ETH_HLEN + QUOTED6 - (int)length) || bpf_xdp_adjust_head(xdp, ETH_HLEN - (int)sizeof(n->v6)) ||
		    bpf_xdp_store_bytes(xdp, 0, &n->v6, sizeof(n->v6)))
			return XDP_DROP;
	} else {
		if (bpf_xdp_load_bytes(xdp, ETH_HLEN, n->sum.quoted, QUOTED4))
			return XDP_DROP;
		write_notice4(n, p, mtu);
		if (bpf_xdp_adjust_tail(xdp, ETH_HLEN + QUOTED4 - (int)length) || bpf_xdp_adjust_head(xdp, ETH_HLEN - (int)sizeof(n->v4)) ||
		    bpf_xdp_store_bytes(xdp, 0, &n->v4, sizeof(n->v4)))
			return XDP_DROP;
	}
	return XDP_TX;
}

static __always_inline int send_tunnel(struct xdp_md *xdp, const struct packet *p, __u32 length, const struct backend *backend, const struct settings *settings, __u32 flow)
{
	__u32 size = outer_size(p, backend);

	if (backend->mtu && p->total + size > backend->mtu)
		return send_too_big(xdp, p, length, backend, backend->mtu - size);
	if (bpf_xdp_adjust_head(xdp, -(int)size))
		return lose(backend, DROP_REWRITE);

	void *data = (void *)(long)xdp->data, *end = (void *)(long)xdp->data_end;
	struct udphdr *udp;

	if (p->ipv6) {
		struct outer6 *outer = data;

		if ((void *)(outer + 1) > end)
			return lose(backend, DROP_REWRITE);
		set_outer6(outer, backend, settings, p->total);
		udp = (void *)(outer + 1);
	} else {
		struct outer4 *outer = data;

		if ((void *)(outer + 1) > end)
			return lose(backend, DROP_REWRITE);
		set_outer4(outer, backend, settings, p->total);
		udp = (void *)(outer + 1);
	}
	if (backend->delivery == GUE) {
		if ((void *)(udp + 1) > end)
			return lose(backend, DROP_REWRITE);
		set_outer_udp(udp, flow, p->total);
	}
	return XDP_TX;
}

static __always_inline int deliver(struct xdp_md *xdp, const struct packet *p, __u32 length, const struct choice *c, const struct settings *settings)
{
	if (!(c->backend->flags & RESOLVED))
		return lose(c->backend, DROP_UNRESOLVED);
	if (c->backend->delivery == DIRECT)
		return send_direct(xdp, c->backend);
	return send_tunnel(xdp, p, length, c->backend, settings, flow_of(c));
}

// Lengths have 64 bits, because the verifier loses the bounds of a half that was on the stack.
static __always_inline int hold(struct xdp_md *xdp, __u64 length, const struct choice *c)
{
	struct held_packet *h;

	asm volatile("" : "+r"(length)); // the verifier must see that the checked value is the one used
	if (length < ETH_HLEN || length > HELD_FRAME)
		return skip_hold(c);
	h = reserve_held(c, length);
	return h ? submit_held(h, c, bpf_xdp_load_bytes(xdp, 0, h->frame, length)) : skip_hold(c);
}

// The agent has the packet from now on, or its sender sends it again.
static __always_inline int keep_packet(struct xdp_md *xdp, __u64 length, const struct choice *c, const struct service *service)
{
	struct kept_frame *k;

	asm volatile("" : "+r"(length));
	if (length < ETH_HLEN || length > KEPT_FRAME)
		return drop(service->slot, DROP_NOT_KEPT);
	k = reserve_kept(c, length, xdp->ingress_ifindex, 0);
	if (!k)
		return drop(service->slot, DROP_NOT_KEPT);
	submit_kept(k, service, bpf_xdp_load_bytes(xdp, 0, k->frame, length));
	return XDP_DROP;
}

static __always_inline int send_by_way(struct xdp_md *xdp, struct flow *flow, __u32 length)
{
	void *data = (void *)(long)xdp->data, *end = (void *)(long)xdp->data_end;

	if (data + sizeof(flow->link) > end)
		return XDP_DROP;
	touch(flow);
	__builtin_memcpy(data, flow->link, sizeof(flow->link));
	count_packets(flow->slot, 1, length, 0);
	return XDP_TX;
}

static __always_inline int segment(struct xdp_md *xdp, struct packet *p, __u32 length, const struct settings *settings)
{
	struct choice c = { .key = key_of(p) };
	__u32 ways = *(volatile __u32 *)&settings->ways;
	struct flow *known = bpf_map_lookup_elem(&connections, &c.key);

	if (known && has_way(known, p, ways))
		return send_by_way(xdp, known, length);
	if (choose_known(&c, p, known)) {
		store_way(known, c.backend, ways);
	} else {
		struct service *service = service_at(&p->destination, p->destination_port, p->protocol);

		if (!service)
			return XDP_PASS;
		if (choose_unknown_alone(&c, p, service) == KEPT)
			return keep_packet(xdp, length, &c, service);
		if (!c.backend)
			return drop(service->slot, DROP_NO_BACKEND);
		if (c.waits && hold(xdp, length, &c))
			return XDP_DROP;
	}

	int verdict = deliver(xdp, p, length, &c, settings);

	if (verdict == XDP_TX)
		count_packets(c.slot, 1, length, c.begun);
	return verdict;
}

static __always_inline int icmp_error(struct xdp_md *xdp, const struct packet *p, __u32 length, const struct settings *settings)
{
	void *data = (void *)(long)xdp->data, *end = (void *)(long)xdp->data_end;
	struct packet quoted = {};

	if (parse_quoted(data, end, p->quoted, p->ipv6, &quoted) != SEGMENT)
		return XDP_PASS;

	struct service *service = service_at(&quoted.source, quoted.source_port, quoted.protocol);

	if (!service)
		return XDP_PASS;

	struct choice c = { .key = key_of_answer(&quoted) };

	if (!choose_owner(&c, service))
		return drop(service->slot, DROP_NO_BACKEND);
	return deliver(xdp, p, length, &c, settings);
}

SEC("xdp")
int balance_xdp(struct xdp_md *xdp)
{
	void *data = (void *)(long)xdp->data, *end = (void *)(long)xdp->data_end;
	__u32 zero = 0;
	struct settings *settings = bpf_map_lookup_elem(&settings_map, &zero);
	__u64 length = (long)end - (long)data;
	struct packet p = {};

	if (!settings || !is_for_us(data, end, settings))
		return XDP_PASS;
	switch (parse(data, end, length, 0, &p)) {
	case SEGMENT:
		return segment(xdp, &p, length, settings);
	case ICMP_ERROR:
		return icmp_error(xdp, &p, length, settings);
	case FRAGMENT:
		return (p.protocol == IPPROTO_TCP || p.protocol == IPPROTO_UDP) && serves(&p.destination) ? drop(NO_SERVICE, DROP_FRAGMENT) : XDP_PASS;
	case MALFORMED:
		return serves(&p.destination) ? drop(NO_SERVICE, DROP_MALFORMED) : XDP_PASS;
	case OTHER:
		break;
	}
	return XDP_PASS;
}

char LICENSE[] SEC("license") = "Dual BSD/GPL";
