// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// The state of a translated TCP connection, as conntrack tracks it: which side has sent
// FIN or RST, and the numbers that a segment needs to be one of the connection. Others
// are forwarded too, but change nothing here: anyone can forge them.
#pragma once

#include <linux/tcp.h>

#include "layout.h"
#include "parse.h"
#include "rewrite.h"

enum {
	MOST_OPTIONS = 10,	// of a SYN, until its window scale
	MOST_SCALE = 14,	// RFC 7323
	OPTION_END = 0,
	OPTION_NOTHING = 1,
	OPTION_SCALE = 3,
	TCP_HEADER = 20,
	FIRST_WINDOW = 65535,	// the widest without a scale
};

struct tcp_segment {
	__u32 seq;
	__u32 end;		// the sequence number after it
	__u32 ack;
	__u32 window;		// not scaled
	__u8 syn;
	__u8 fin;
	__u8 rst;
	__u8 has_ack;
	__u8 scale;		// of a SYN, plus 1; 0: none is offered
	__u8 zero[3];
};

static __always_inline int is_after(__u32 a, __u32 b)
{
	return (__s32)(a - b) > 0;
}

static __always_inline int has_reset(const struct nat_flow *flow)
{
	return (flow->side[CLIENT].state | flow->side[SERVER].state) & SENT_RST;
}

static __always_inline int has_fin(const struct nat_flow *flow)
{
	return (flow->side[CLIENT].state | flow->side[SERVER].state) & SENT_FIN;
}

// Neither side sends more, except what it repeats.
static __always_inline int is_over(const struct nat_flow *flow)
{
	return has_reset(flow) || flow->side[CLIENT].state & flow->side[SERVER].state & SENT_FIN;
}

// Whether both sides have all that the other sent.
static __always_inline int is_acked(const struct nat_flow *flow)
{
	const struct nat_side *client = &flow->side[CLIENT], *server = &flow->side[SERVER];

	return !is_after(client->end, server->acked) && !is_after(server->end, client->acked);
}

// Returns the window scale that a SYN offers, plus 1.
static __always_inline __u8 scale_of(struct __sk_buff *skb, __u32 at, __u32 end)
{
	__u8 option[3] = {};

	for (int i = 0; i < MOST_OPTIONS; i++) {
		if (at >= end || bpf_skb_load_bytes(skb, at, option, 1) || option[0] == OPTION_END)
			return 0;
		if (option[0] == OPTION_NOTHING) {
			at++;
			continue;
		}
		if (bpf_skb_load_bytes(skb, at, option, 2) || option[1] < 2)
			return 0;
		if (option[0] == OPTION_SCALE)
			return bpf_skb_load_bytes(skb, at, option, 3) ? 0 : (option[2] < MOST_SCALE ? option[2] : MOST_SCALE) + 1;
		at += option[1];
	}
	return 0;
}

static __always_inline __u32 window_of(const struct nat_side *side, const struct tcp_segment *s)
{
	__u8 scale = side->scale ? side->scale - 1 : MOST_SCALE;

	return s->window << (scale & 15);
}

static __always_inline void begin_again(struct nat_side *client, struct nat_side *server, const struct tcp_segment *s)
{
	if (server->state & TRACKED && !(client->state & server->state & SENT_FIN) && !((client->state | server->state) & SENT_RST)) {
		if (s->end != client->end) // otherwise it is repeated
			client->state |= SENT_SYN_AGAIN;
		return;
	}
	*client = (struct nat_side){ .end = s->end, .grant = s->window, .state = TRACKED, .scale = s->scale };
	*server = (struct nat_side){};
}

// A server that sends SYN and ACK has accepted a SYN. Windows are scaled only if both sides offer it.
static __always_inline void accept_syn(struct nat_side *client, struct nat_side *server, const struct tcp_segment *s)
{
	int again = client->state & SENT_SYN_AGAIN, first = !(client->state & TRACKED) || again;

	if (server->state & TRACKED && !again)
		return; // repeated
	*server = (struct nat_side){ .end = s->end, .acked = s->ack, .grant = s->ack + s->window, .state = TRACKED, .scale = s->scale };
	client->grant = s->end + (first ? FIRST_WINDOW : client->grant);
	client->acked = s->end;
	client->state = TRACKED;
	if (first) {
		client->end = s->ack;
		client->scale = 0; // that SYN's options are unknown
	} else if (!client->scale || !server->scale) {
		client->scale = server->scale = 1;
	}
}

// An RST must have exactly the next number, or the receiver ignores it (RFC 5961). The
// answer to a SYN has none.
static __always_inline int is_reset(const struct nat_side *own, const struct nat_side *other, const struct tcp_segment *s)
{
	if (own->state & TRACKED)
		return s->seq == own->end || (other->state & TRACKED && s->seq == other->acked);
	return other->state & TRACKED && (s->has_ack ? s->ack == other->end : s->seq == other->acked);
}

// Whether the receiver's window includes it, and it acknowledges only what was sent. A
// keep-alive repeats the byte before the window.
static __always_inline int is_valid(const struct nat_side *own, const struct nat_side *other, const struct tcp_segment *s)
{
	if (!(own->state & other->state & TRACKED))
		return 1;
	return !is_after(s->seq, other->grant) && !(s->has_ack && is_after(s->ack, other->end)) && !is_after(other->acked, s->end + 1);
}

static __always_inline void advance(struct nat_side *own, const struct nat_side *other, const struct tcp_segment *s)
{
	__u32 grant = s->ack + window_of(own, s);

	if (!(own->state & TRACKED)) { // the replica has not seen its beginning
		own->end = s->end;
		own->acked = s->ack;
		own->grant = grant;
		own->state |= TRACKED;
	}
	if (is_after(s->end, own->end)) {
		own->end = s->end;
		own->state &= ~SENT_FIN; // nothing follows a FIN: it was forged
	}
	if (s->has_ack && is_after(s->ack, own->acked))
		own->acked = s->ack;
	if (s->has_ack && is_after(grant, own->grant))
		own->grant = grant;
	if (s->fin && !(other->state & TRACKED && !is_after(s->end, other->acked)))
		own->state |= SENT_FIN;
	if (own->state & SENT_RST)
		own->state &= ~SENT_RST; // it was forged
}

static __always_inline void update(struct nat_flow *flow, const struct tcp_segment *s, int from_client)
{
	struct nat_side *client = &flow->side[CLIENT], *server = &flow->side[SERVER];
	struct nat_side *own = from_client ? client : server, *other = from_client ? server : client;

	if (s->syn) {
		if (from_client && !s->has_ack)
			begin_again(client, server, s);
		else if (!from_client && s->has_ack)
			accept_syn(client, server, s);
	} else if (s->rst) {
		if (is_reset(own, other, s))
			own->state |= SENT_RST;
	} else if (is_valid(own, other, s)) {
		advance(own, other, s);
	}
}

// Reads the segment whose header begins at an offset of the frame, which ends at another.
static __always_inline int read_segment(struct __sk_buff *skb, __u32 at, __u32 limit, struct tcp_segment *s)
{
	const struct tcphdr *tcp = header_at(skb, at, sizeof(*tcp));

	if (!tcp)
		return 0;

	__u32 after = at + tcp->doff * 4;

	*s = (struct tcp_segment){
		.seq = bpf_ntohl(tcp->seq),
		.ack = bpf_ntohl(tcp->ack_seq),
		.window = bpf_ntohs(tcp->window),
		.syn = tcp->syn, .fin = tcp->fin, .rst = tcp->rst, .has_ack = tcp->ack,
	};
	s->end = s->seq + limit - after + s->syn + s->fin;
	if (s->syn)
		s->scale = scale_of(skb, at + TCP_HEADER, after);
	return 1;
}

// Updates a flow by a segment, and returns whether that changed is_over. A global function,
// so that the verifier checks it once. It has no skb: a kernel without BTF passes none.
__noinline int track(struct nat_flow *flow, const struct tcp_segment *s, __u32 side)
{
	if (!flow || !s)
		return 0;

	int before = is_over(flow);

	if (side == CLIENT)
		update(flow, s, 1);
	else
		update(flow, s, 0);
	return !is_over(flow) != !before;
}

static __always_inline int track_packet(struct __sk_buff *skb, const struct packet *p, struct nat_flow *flow, __u32 side)
{
	struct tcp_segment s;

	return p->protocol == IPPROTO_TCP && read_segment(skb, p->layer4, ETH_HLEN + p->total, &s) && track(flow, &s, side);
}
