// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// Which backend a packet goes to, by the rules of docs/decisions/0007: known flows keep
// their backend, new flows go to `fresh`, and flows of unknown age to `settled`, unless a
// peer announced another backend. A flow that was placed by itself goes there instead, unless
// a peer carries it already, and with a private chooser both are drawn.
#pragma once

#include "known.h"
#include "setup.h"
#include "steer.h"
#include "weigh.h"

static __always_inline int choose_entry(struct choice *c, const struct flow *flow, __u8 without)
{
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

static __always_inline int choose_remembered(struct choice *c, void *map, __u8 without)
{
	return choose_entry(c, bpf_map_lookup_elem(map, &c->key), without);
}

// Chooses the backend that a peer announced. A CLOSING entry only records which backend
// peers may still have for an ended connection; it doesn't apply to a new one on its ports.
static __always_inline int choose_announced(struct choice *c)
{
	return choose_remembered(c, &learnt, CLOSING);
}

// If the first packet of this connection is held here, an older announcement of another
// backend is ignored: it is about an earlier connection on the same ports.
static __always_inline int choose_announced_since(struct choice *c)
{
	__u32 held = c->remembered & HELD, at = c->seen, slot = c->slot;

	return choose_announced(c) && (!held || c->slot == slot || (__s32)(c->seen - at) > 0);
}

// How long after a first packet its first two retransmissions may arrive.
enum { REPEAT_TIME = 4 * ABOUT_A_SECOND };

static __always_inline int is_repeat(const struct choice *c)
{
	return (__s32)(seen_now() - c->seen) < REPEAT_TIME;
}

// A first packet that another replica forwarded a moment ago, or one that reuses the
// ports of a connection that just ended there: it goes where the peers expect it.
static __always_inline int choose_repeated(struct choice *c, const struct flow *announced)
{
	return choose_entry(c, announced, CLOSING) && c->backend->flags & TAKES && is_repeat(c);
}

static __always_inline int choose_slot(struct choice *c, __u32 slot)
{
	c->backend = live(slot);
	c->slot = slot;
	return c->backend != NULL;
}

static __always_inline int choose_from_setup(struct choice *c, __u64 hash, struct setup *setup)
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

static __always_inline int choose_new(struct choice *c, const struct service *service, const struct row *row)
{
	return choose_slot(c, c->shared ? row->fresh : drawn_for(service->slot));
}

static __always_inline int choose_old(struct choice *c, const struct service *service, const struct row *row)
{
	return (c->shared && choose_slot(c, row->settled)) || choose_new(c, service, row);
}

static __always_inline int choose_steered(struct choice *c, int to)
{
	return to >= 0 && choose_slot(c, to);
}

// Whether a peer has this flow at another backend, from an earlier connection on the same ports.
static __always_inline int peers_differ(const struct choice *c, const struct flow *flow)
{
	return flow && (flow->slot != c->slot || flow->incarnation != c->backend->incarnation);
}

// A SYN. While both tables agree, no entry is stored, because the second packet goes to
// the same backend anyway. So a SYN flood uses no memory.
static __always_inline int choose_for_syn(struct choice *c, const struct service *service, const struct row *row, __u64 hash, int to)
{
	struct setup *setup = setup_of(hash);
	int remembered = choose_remembered(c, &half_open, 0);

	c->half_open = 1;
	// A SYN repeated after the tables changed goes to the same backend: its reply to the
	// first one may be on its way. For a moment this includes a backend that now drains.
	if ((remembered || choose_from_setup(c, hash, setup)) &&
	    (c->backend->flags & TAKES || (c->backend->flags & UP && (!remembered || is_repeat(c))))) {
		c->waits = remembered && c->remembered & HELD && may_wait();
		if (remembered && c->remembered & HELD && !c->waits) {
			// The agent no longer sends the held packet: this one begins the connection.
			remember(&half_open, c, c->remembered & MOVES);
			if (setup)
				setup_begins(setup, hash, c->backend, c->slot);
		}
		return 1;
	}

	struct flow *of_peers = c->shared ? bpf_map_lookup_elem(&learnt, &c->key) : NULL;
	int announced = choose_repeated(c, of_peers), steered = !announced && choose_steered(c, to);

	c->nat_port = 0;
	if (!steered && !announced && !choose_new(c, service, row))
		return 0;

	int moves = c->shared && !announced && ((c->replaces && c->former != c->slot) || peers_differ(c, of_peers) || (steered && c->slot != row->settled));

	c->waits = !announced && (c->care & WAIT || moves) && service->delivery != NAT && may_wait();
	if (setup && !c->waits)
		setup_begins(setup, hash, c->backend, c->slot);
	// Also if the tables agree now but are about to change: the second packet may arrive after that.
	if ((remembered || announced || moves || c->care || !c->shared || row->fresh != row->settled) && service->delivery != NAT)
		remember(&half_open, c, (c->waits ? HELD : 0) | (moves ? MOVES : 0));
	return 1;
}

// Stores a connection.
static __always_inline void store_connection(struct choice *c, const struct service *service, const struct row *row, int from_half_open, int from_peer)
{
	int moves = from_half_open && c->remembered & MOVES;

	c->begun = service->delivery != NAT || c->nat_port; // with another port its backend would not recognize it
	if (service->delivery == NAT)
		return; // nat_forward stores it, once it has a port

	int announces = c->shared && !from_peer && (moves || another_may_differ(c, row) || peers_differ(c, bpf_map_lookup_elem(&learnt, &c->key)));

	remember(&connections, c, c->timing | (from_peer ? FROM_PEER : 0) | (announces ? ANNOUNCED : 0));
	if (from_half_open)
		bpf_map_delete_elem(&half_open, &c->key);
	if (announces)
		announce(c);
}

// Deletes the entry of an ended connection on the same ports. Only for a packet that has a
// backend: one that is kept is repeated, and must find it again.
static __always_inline void forget_former(struct choice *c)
{
	if (c->forgets)
		bpf_map_delete_elem(&connections, &c->key);
}

// A later packet of a connection that this replica has no entry for.
static __always_inline int choose_for_later(struct choice *c, const struct packet *p, const struct service *service, const struct row *row, __u64 hash, int to)
{
	struct setup *setup = setup_of(hash);
	// If its first packet is still held here, it began by way of another replica.
	int from_half_open = choose_remembered(c, &half_open, 0) && !(c->remembered & HELD), from_peer = 0, steered = 0, unknown = 0;

	if (!from_half_open && !choose_from_setup(c, hash, setup)) {
		// The packet before this one may have stored it on another CPU since the lookup.
		if (choose_known(c, p, bpf_map_lookup_elem(&connections, &c->key)))
			return 1;
		from_peer = choose_announced_since(c);
		steered = !from_peer && choose_steered(c, to);
		c->nat_port = 0;
		if (!steered && !from_peer && !choose_old(c, service, row))
			return 0;
		// Drawn only now: any backend answers with a reset, and nothing is stored.
		unknown = !c->shared && !steered && !from_peer;
	}

	forget_former(c);

	int ends_setup = setup && setup->what >> 32 == hash >> 32;

	if (ends_setup)
		c->timing = request_begins(&c->key, p);
	if (!p->ends && !unknown) // otherwise no packet follows that needs the entry
		store_connection(c, service, row, from_half_open, from_peer);
	if (ends_setup) // only now: the next packet may need it meanwhile, on another CPU
		setup_ends(setup, c->backend);
	return 1;
}

// A datagram of an unknown flow, new or not: datagrams don't show which.
static __always_inline int choose_for_datagram(struct choice *c, const struct service *service, const struct row *row, int to)
{
	int from_peer = choose_announced(c), steered = !from_peer && choose_steered(c, to);

	c->nat_port = 0;
	if (!steered && !from_peer && !choose_new(c, service, row))
		return 0;
	c->begun = 1;
	if (service->delivery == NAT)
		return 1; // nat_forward stores it, once it has a port
	remember(&connections, c, from_peer ? FROM_PEER : 0);
	if (!from_peer && another_may_differ(c, row))
		announce(c);
	return 1;
}

enum chosen { NO_CHOICE = 0, CHOSEN = 1, KEPT = 2 };

// A packet of an unknown flow to a service. Without a choice the backend is NULL.
static __always_inline enum chosen choose_unknown(struct choice *c, const struct packet *p, const struct service *service)
{
	__u64 hash = hash_of(&c->key, service->seed);
	struct row *row = row_of(c, hash, service->slot);
	// A connection doesn't begin at a backend that is down.
	int begins = p->syn || p->protocol == IPPROTO_UDP, to = steered_to(&c->key, begins ? KEEPS | UP : KEEPS), chosen = 0;

	c->shared = service->chooser == AGREED;
	if (!c->shared)
		c->care = 0;
	if (to == IS_HELD)
		return KEPT;
	if (row && p->protocol == IPPROTO_UDP)
		chosen = choose_for_datagram(c, service, row, to);
	else if (row)
		chosen = p->syn ? choose_for_syn(c, service, row, hash, to) : choose_for_later(c, p, service, row, hash, to);
	if (!chosen)
		c->backend = NULL;
	else if (p->syn)
		forget_former(c);
	return chosen ? CHOSEN : NO_CHOICE;
}

// The backend of the flow that an ICMP error is about. No entry is stored, because errors can be forged.
static __always_inline int choose_owner(struct choice *c, const struct service *service)
{
	if (choose_remembered(c, &connections, 0) || choose_remembered(c, &half_open, 0) || choose_announced(c))
		return 1;

	int to = steered_to(&c->key, KEEPS);
	struct row *row = row_of(c, hash_of(&c->key, service->seed), service->slot);

	c->shared = service->chooser == AGREED;
	return choose_steered(c, to) || (row && c->shared && choose_old(c, service, row));
}
