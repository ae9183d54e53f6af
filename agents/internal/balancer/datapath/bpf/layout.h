// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// What the programs and the agent share: constants and values (maps.h has the maps).
// bpf2go makes the Go side of it, so nothing of this is ever typed twice. Fields that leave the
// wire are __be; everything else is of the host.
#pragma once

#include <linux/bpf.h>
#include <linux/if_ether.h>
#include <linux/in.h>
#include <stddef.h>
#include <bpf/bpf_endian.h>
#include <bpf/bpf_helpers.h>

enum limits {
	ROWS = 16381,		// of a Maglev table: fixed for life, a change would move every connection
	SERVICES = 4096,
	NO_SERVICE = SERVICES,	// whose packet it is can't be said
	BACKENDS = 65535,	// a row names one in 16 bits
	NOBODY = 0xffff,	// a row without backend
	CONNECTIONS = 262144,	// the agent may ask for another number
	HALF_OPEN = 65536,
	LEARNT = 65536,
	BACKEND_DROPS = 16384,
	SETUPS = 8192,		// connection set-ups timed at the same moment
	REQUESTS = 8192,	// first requests timed at the same moment
	TIMING_BUCKETS = 40,	// as datapath.Histogram
	MISPLACED_BYTES = 1 << 20,
	HELD_BYTES = 1 << 19,	// more first packets than these don't wait
	HELD_FRAME = 160,	// nor do longer ones
	TUNNEL_SOURCES = 1024,	// prefixes of balancers that a backend believes
	SEEN_SHIFT = 26,	// of nanoseconds since boot: fine enough to tell a connection from the next on its ports
};

// IPv4 as ::ffff:a.b.c.d: one map for both families.
struct address {
	__be32 word[4];
};

struct service_key {
	struct address address;
	__be16 port;		// 0 with protocol 0: the address belongs to some service
	__u8 protocol;
	__u8 zero;
};

enum delivery { DIRECT = 1, TUNNEL = 2, NAT = 3, GUE = 4 };

struct service {
	__u32 slot;		// of its table and its timings
	__u32 seed;		// of its rows
	enum delivery delivery;
	__u32 zero;
};

// Both answers side by side: one cache line decides a flow.
struct row {
	__u16 settled;		// where a flow of unknown age belongs
	__u16 fresh;		// where a new one goes
};

// Two bits of each row.
enum row_care {
	TELL = 1,		// another replica may soon, or still, look elsewhere than settled says
	WAIT = 2,		// where a new flow goes, another may not look: now, soon or still
};

struct table {
	struct row row[ROWS];
	__u8 care[(ROWS + 3) / 4];
};

enum backend_flags {
	KEEPS = 1,		// known flows stay
	TAKES = 2,		// new flows may come
	RESOLVED = 4,		// the link addresses below are true
	UP = 8,
};

struct backend {
	struct address address;
	struct address next_hop;	// the backend itself when it is on the link
	__u64 identity;			// of service and backend: how a later agent finds the slot again
	__u32 incarnation;		// of the slot: a flow of a former one is nobody's. 0: slot is free
	__u32 interface;
	__u8 to[ETH_ALEN];
	__u8 from[ETH_ALEN];
	__be16 port;
	__u16 mtu;			// of the way there, 0 when unknown
	__u8 flags;
	__u8 delivery;			// its service's: a known flow needs nothing else
	__u16 service;			// the slot of it
	__u8 zero[4];
};

struct counts {
	__u64 packets;
	__u64 bytes;
	__u64 connections;
	__u64 to_clients;	// bytes of answers
};

struct flow_key {
	struct address client;
	struct address service;
	__be16 client_port;
	__be16 service_port;
	__u8 protocol;
	__u8 zero[3];
};

enum flow_flags {
	CLOSING = 1,		// the client sent FIN or RST; learnt: it is over, and peers may not know that
	FROM_PEER = 2,		// learnt: the other replicas know it
	HELD = 4,		// half-open, and its first packet waits until they do
	TIMED = 8,		// its first request is still to come,
	ASKED = 16,		// and now the answer to it
	MOVES = 32,		// half-open: peers were told of it, or may believe one of before that was elsewhere
	TOLD = 64,		// to the other replicas
};

struct flow {
	__u32 incarnation;
	__u32 seen;		// in units of 2^SEEN_SHIFT ns since boot
	__u16 slot;
	__be16 nat_port;
	__u8 flags;
	__u8 zero[3];
};

// One translated flow, seen from its backend.
struct nat_key {
	struct address backend;
	__be16 backend_port;
	__be16 port;		// ours
	__u8 protocol;
	__u8 zero[3];
};

struct nat_flow {
	struct address client;
	struct address service;
	__be16 client_port;
	__be16 service_port;
	__u32 interface;	// where the client's packets came from,
	__u8 to[ETH_ALEN];	// and the link address there
	__u8 flags;		// as a flow's
	__u8 zero;
	__u32 seen;		// as a flow's
	__u16 slot;		// of the backend,
	__u16 incarnation;	// and the lower half of that, so that nobody counts a former one's answers
};

// A connection that began a moment ago.
struct setup {
	__u64 what;		// 32 bits of the flow's hash, 16 of the incarnation, the slot: in one word, so never torn
	__u64 began;
};

// A first request whose answer is still to come.
struct request {
	__u64 what;		// 32 bits of the flow's hash, and up to where the client had received then
	__u64 began;
};

enum timing { SETUP_TIME, FIRST_BYTE_TIME };

// Of a backend. One that no connection came to has none.
struct timing_key {
	__u32 incarnation;
	enum timing timing;
};

struct timings {
	__u64 bucket[TIMING_BUCKETS];
};

struct misplaced_flow {
	struct flow_key key;
	__u32 incarnation;
	__u16 slot;
	__u16 zero;
};

// The first packet of a connection that waits until the other replicas know
// where it goes. The agent sends it on.
struct held_packet {
	struct flow_key key;
	__u64 at;
	__u32 incarnation;
	__u16 slot;
	__u16 length;
	__u8 frame[HELD_FRAME];
};

struct settings {
	struct address source4;	// the replica's own addresses: of tunnels and of translated flows
	struct address source6;
	__u32 next_incarnation;
	__u32 nat_turn;		// ports are used in turn: the longest rest for each
	__u16 nat_first;
	__u16 nat_ports;	// how many; 0: nothing is translated
	__u32 interface;
	__u8 hardware[ETH_ALEN];	// frames to another address are not for us
	__u8 zero[2];
};

// At a backend.
enum tunnelled { UNWRAPPED, OF_STRANGERS, TUNNEL_COUNTS };

enum drop {
	DROP_FRAGMENT,
	DROP_MALFORMED,
	DROP_NO_BACKEND,
	DROP_UNRESOLVED,	// nobody knows the backend's link address
	DROP_TOO_BIG,		// for the tunnel
	DROP_NAT_PORTS,		// none free
	DROP_REWRITE,		// the kernel refused
	DROPS,
};

struct drop_counts {
	__u64 packets[DROPS];
};

// Drops of packets that a backend was chosen for. They are rare, so most backends have none.
struct drop_key {
	__u32 incarnation;	// of the backend
	__u32 reason;
};

// Named as types once, or they would not reach the Go side.
const enum limits *limits_type __attribute__((unused));
const enum backend_flags *backend_flags_type __attribute__((unused));
const enum flow_flags *flow_flags_type __attribute__((unused));
const enum timing *timing_type __attribute__((unused));
const enum drop *drop_type __attribute__((unused));
const enum tunnelled *tunnelled_type __attribute__((unused));
const struct misplaced_flow *misplaced_type __attribute__((unused));
const struct held_packet *held_type __attribute__((unused));
const struct table *table_type __attribute__((unused));
const enum row_care *row_care_type __attribute__((unused));
const struct row *row_type __attribute__((unused));
