// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// Packets of known flows, and when one begins a new flow on the same ports.
#pragma once

#include "choice.h"
#include "request.h"
#include "shortcut.h"

// A connection that was silent for this long may have ended without a trace.
enum { SILENT_TIME = 15 * 60 * ABOUT_A_SECOND };

// Whether a SYN on the ports of a known flow begins a new connection. While the old one
// may live, its backend gets the SYN, because anyone can forge one: the backend answers it
// with a challenge (RFC 5961). A client that really begins again answers the challenge with
// RST, and repeats its SYN.
static __always_inline int has_ended(const struct flow *flow, const struct backend *backend)
{
	if (flow->flags & RESET || (flow->flags & CLOSING && backend->delivery == NAT))
		return 1;
	return !(backend->flags & TAKES) && (__s32)(seen_now() - flow->seen) >= SILENT_TIME;
}

enum syn_limits { SYN_BITS = 0xffffff, FIRST_BYTES = 4096 };

// A client that sent FIN may receive for long, or may begin again from the same port: the
// server's FIN isn't seen here. A SYN goes to the backend of a new connection, and the
// old one stays known until a segment follows the SYN's number.
static __always_inline void note_syn(struct flow *flow, const struct packet *p)
{
	__u32 seq = bpf_ntohl(p->seq);

	flow->syn[0] = seq;
	flow->syn[1] = seq >> 8;
	flow->syn[2] = seq >> 16;
}

static __always_inline int follows_syn(const struct flow *flow, const struct packet *p)
{
	__u32 syn = syn_of(flow);

	return syn && ((bpf_ntohl(p->seq) - 1 - syn) & SYN_BITS) < FIRST_BYTES;
}

static __always_inline void forget_syn(struct flow *flow)
{
	__builtin_memset(flow->syn, 0, sizeof(flow->syn));
}

static __always_inline int replaces(struct choice *c, const struct flow *flow, int forgets)
{
	c->replaces = 1;
	c->former = flow->slot;
	c->forgets = forgets;
	return 0;
}

static __always_inline void touch(struct flow *flow)
{
	__u32 now = seen_now();

	if (flow->seen != now)
		flow->seen = now;
}

static __always_inline void see(struct flow *flow, const struct packet *p, const struct backend *backend)
{
	touch(flow);
	if (p->ends && backend->delivery != NAT) // nat_forward also has the other side's
		flow->flags |= p->ends & WITH_RST ? RESET : CLOSING;
	else if (flow->flags & RESET)
		flow->flags &= ~RESET; // it was forged
}

// A known flow needs no service lookup: its backend has the delivery.
static __always_inline int choose_known(struct choice *c, const struct packet *p, struct flow *flow)
{
	if (!flow)
		return 0;

	struct backend *backend = keeper_of(flow);

	if (!backend)
		return 0;
	if (p->syn) {
		if (has_ended(flow, backend))
			return replaces(c, flow, 1);
		if (flow->flags & CLOSING) {
			note_syn(flow, p);
			return replaces(c, flow, 0);
		}
	} else {
		if ((flow->flags & CLOSING || backend->delivery != NAT) && follows_syn(flow, p))
			return replaces(c, flow, 1);
		if (!(flow->flags & CLOSING) && syn_of(flow))
			forget_syn(flow); // the connection goes on: the SYN was forged
		see(flow, p, backend);
	}
	if (flow->flags & (AWAITS_REQUEST | AWAITS_RESPONSE))
		time_request(flow, &c->key, p, backend);
	c->flow = flow;
	c->backend = backend;
	c->slot = flow->slot;
	c->nat_port = flow->nat_port;
	return 1;
}
