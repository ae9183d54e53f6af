// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// Which backend a packet goes to. The rules are docs/decisions/0007: what is known
// stays; a new flow goes where `fresh` says; one of unknown age where `settled`
// says, unless a peer told otherwise.
#pragma once

#include "choice.h"
#include "request.h"
#include "setup.h"

// A known flow needs no look at its service: its backend says how it is reached.
static __always_inline int choose_known(struct choice *c, const struct packet *p)
{
	struct flow *flow = bpf_map_lookup_elem(&connections, &c->key);

	if (!flow)
		return 0;

	struct backend *backend = keeper_of(flow);

	if (!backend)
		return 0;
	// A SYN that could only begin a new connection on the ports of an old one.
	if (p->syn && (flow->flags & CLOSING || !(backend->flags & TAKES))) {
		c->replaces = 1;
		c->former = flow->slot;
		bpf_map_delete_elem(&connections, &c->key);
		return 0;
	}

	__u32 now = seen_now();

	if (flow->seen != now)
		flow->seen = now;
	if (p->ends && !(flow->flags & CLOSING))
		flow->flags |= CLOSING;
	if (flow->flags & (TIMED | ASKED))
		time_request(flow, &c->key, p, backend);
	c->flow = flow;
	c->backend = backend;
	c->slot = flow->slot;
	c->nat_port = flow->nat_port;
	return 1;
}

static __always_inline int choose_remembered(struct choice *c, void *map, __u8 without)
{
	struct flow *flow = bpf_map_lookup_elem(map, &c->key);
	struct backend *backend = flow && !(flow->flags & without) ? keeper_of(flow) : NULL;

	if (!backend)
		return 0;
	c->backend = backend;
	c->slot = flow->slot;
	c->nat_port = flow->nat_port;
	c->remembered = flow->flags;
	c->seen = flow->seen;
	return 1;
}

// What is kept of a connection that is over says what peers may believe, not where one
// goes that began on the same ports since.
static __always_inline int choose_told(struct choice *c)
{
	return choose_remembered(c, &learnt, CLOSING);
}

// Of a connection whose first packet waits here nothing counts that was said before, of
// another place: it was about another one, from the same ports.
static __always_inline int choose_told_since(struct choice *c)
{
	__u32 held = c->remembered & HELD, at = c->seen, slot = c->slot;

	return choose_told(c) && (!held || c->slot == slot || (__s32)(c->seen - at) > 0);
}

// So long after a first packet its client may send it again, for the first and the second time.
enum { REPEATS = 4 * ABOUT_A_SECOND };

static __always_inline int is_repeat(const struct choice *c)
{
	return (__s32)(seen_now() - c->seen) < REPEATS;
}

// A first packet that another replica sent on a moment ago, or that begins on the ports
// of what just was there: the peers know, and look there.
static __always_inline int choose_repeated(struct choice *c)
{
	return choose_told(c) && c->backend->flags & TAKES && is_repeat(c);
}

static __always_inline int choose_slot(struct choice *c, __u32 slot)
{
	c->backend = live(slot);
	c->slot = slot;
	return c->backend != NULL;
}

static __always_inline int choose_begun(struct choice *c, __u64 hash, struct setup *setup)
{
	__u32 slot;
	struct backend *backend = setup ? setup_backend(setup, hash, &slot) : NULL;

	if (!backend)
		return 0;
	c->backend = backend;
	c->slot = slot;
	c->nat_port = 0;
	return 1;
}

// A peer still believes in a connection of before, from the same ports.
static __always_inline int peers_differ(const struct choice *c)
{
	struct flow *flow = bpf_map_lookup_elem(&learnt, &c->key);

	return flow && (flow->slot != c->slot || flow->incarnation != c->backend->incarnation);
}

// A first packet of TCP: no entry is made while both tables agree, because then
// the second packet comes here too. Thus a flood costs none.
static __always_inline int choose_for_syn(struct choice *c, const struct service *service, const struct row *row, __u64 hash)
{
	struct setup *setup = setup_of(hash);
	int remembered = choose_remembered(c, &half_open, 0);

	c->half_open = 1;
	// Repeated, while the tables changed: the answer to the first may be on its way,
	// for a moment also from a backend that drains since.
	if ((remembered || choose_begun(c, hash, setup)) &&
	    (c->backend->flags & TAKES || (c->backend->flags & UP && (!remembered || is_repeat(c))))) {
		c->waits = remembered && c->remembered & HELD && may_wait();
		if (remembered && c->remembered & HELD && !c->waits) {
			// Nobody sends the first one on any more: the connection begins with this one.
			remember(&half_open, c, c->remembered & MOVES);
			if (setup)
				setup_begins(setup, hash, c->backend, c->slot);
		}
		return 1;
	}

	int told = choose_repeated(c);

	c->nat_port = 0;
	if (!told && !choose_slot(c, row->fresh))
		return 0;

	int moves = !told && ((c->replaces && c->former != c->slot) || peers_differ(c));

	c->waits = !told && (c->care & WAIT || moves) && service->delivery != NAT && may_wait();
	if (setup && !c->waits)
		setup_begins(setup, hash, c->backend, c->slot);
	// Also where the tables agree, but not for long: its second packet may come after.
	if ((remembered || told || moves || c->care || row->fresh != row->settled) && service->delivery != NAT)
		remember(&half_open, c, (c->waits ? HELD : 0) | (moves ? MOVES : 0));
	return 1;
}

// A connection is known from here on.
static __always_inline void keep(struct choice *c, const struct service *service, const struct row *row, int from_half_open, int from_peer)
{
	int moves = from_half_open && c->remembered & MOVES;

	c->begun = service->delivery != NAT || c->nat_port; // by another port nobody could carry it on
	if (service->delivery == NAT)
		return; // its port comes first

	int tells = !from_peer && (moves || another_may_differ(c, row) || peers_differ(c));

	remember(&connections, c, c->timing | (from_peer ? FROM_PEER : 0) | (tells ? TOLD : 0));
	if (from_half_open)
		bpf_map_delete_elem(&half_open, &c->key);
	if (tells)
		tell_peers(c);
}

// A packet of a connection that this replica doesn't know.
static __always_inline int choose_for_later(struct choice *c, const struct packet *p, const struct service *service, const struct row *row, __u64 hash)
{
	struct setup *setup = setup_of(hash);
	// One whose first packet still waits here began by way of another replica.
	int from_half_open = choose_remembered(c, &half_open, 0) && !(c->remembered & HELD), from_peer = 0;

	if (!from_half_open && !choose_begun(c, hash, setup)) {
		// The packet before this one, on another CPU, may have made it known since we looked.
		if (choose_known(c, p))
			return 1;
		from_peer = choose_told_since(c);
		c->nat_port = 0;
		if (!from_peer && !choose_slot(c, row->settled) && !choose_slot(c, row->fresh))
			return 0;
	}

	int ends_setup = setup && setup->what >> 32 == hash >> 32;

	if (ends_setup)
		c->timing = request_begins(&c->key, p);
	if (!p->ends) // or nothing will follow that it would be remembered for
		keep(c, service, row, from_half_open, from_peer);
	if (ends_setup) // not before: the next packet may look for it on another CPU
		setup_ends(setup, c->backend);
	return 1;
}

// A datagram of a flow that this replica doesn't know: it looks like any other.
static __always_inline int choose_for_datagram(struct choice *c, const struct service *service, const struct row *row)
{
	int from_peer = choose_told(c);

	c->nat_port = 0;
	if (!from_peer && !choose_slot(c, row->fresh))
		return 0;
	c->begun = 1;
	if (service->delivery == NAT)
		return 1; // its port comes first
	remember(&connections, c, from_peer ? FROM_PEER : 0);
	if (!from_peer && another_may_differ(c, row))
		tell_peers(c);
	return 1;
}

// A packet of a client to a service, of a flow that is not known.
static __always_inline int choose_unknown(struct choice *c, const struct packet *p, const struct service *service)
{
	__u64 hash = hash_of(&c->key, service->seed);
	struct row *row = row_of(c, hash, service->slot);

	if (!row)
		return 0;
	if (p->protocol == IPPROTO_UDP)
		return choose_for_datagram(c, service, row);
	return p->syn ? choose_for_syn(c, service, row, hash) : choose_for_later(c, p, service, row, hash);
}

// Whoever owns the flow that an ICMP error is about. Nothing is remembered: errors can be forged.
static __always_inline int choose_owner(struct choice *c, const struct service *service)
{
	if (choose_remembered(c, &connections, 0) || choose_remembered(c, &half_open, 0) || choose_told(c))
		return 1;

	struct row *row = row_of(c, hash_of(&c->key, service->seed), service->slot);

	return row && (choose_slot(c, row->settled) || choose_slot(c, row->fresh));
}
