// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// Constants and map values that the programs and the agent share (maps.h has the maps).
// bpf2go generates the Go side, so nothing is declared twice. Fields copied from packets
// are __be; all others are in host byte order.
#pragma once

#include <linux/if_ether.h>
#include <stddef.h>

#include "flow.h"

enum limits {
	ROWS = 16381,		// of a Maglev table: never change it, that would move every connection
	SERVICES = 4096,
	NO_SERVICE = SERVICES,	// the packet's service can't be determined
	BACKENDS = 65535,	// a row has 16 bits for a backend
	NO_BACKEND = 0xffff,	// of a row
	CONNECTIONS = 262144,	// default: the agent may set another number
	HALF_OPEN = 65536,
	LEARNT = 65536,
	BACKEND_DROPS = 16384,
	SETUPS = 8192,		// connection set-ups timed at the same time
	REQUESTS = 8192,	// first requests timed at the same time
	TIMING_BUCKETS = 40,	// the same as datapath.Histogram
	MISPLACED_BYTES = 1 << 20,
	HELD_BYTES = 1 << 19,	// when full, first packets are sent at once
	HELD_FRAME = 160,	// longer first packets are sent at once
	TUNNEL_SOURCES = 1024,	// prefixes of balancers that a backend accepts
	SEEN_SHIFT = 26,	// of nanoseconds since boot: fine enough to distinguish successive connections on the same ports
};

enum delivery { DIRECT = 1, TUNNEL = 2, NAT = 3, GUE = 4 };

enum chooser { AGREED = 0, PRIVATE = 1, BY_SESSION = 2, BY_COST = 3 };

struct service {
	__u32 slot;		// index of its table, its picks and its timings
	__u32 seed;		// of the hash that selects a row
	enum delivery delivery;
	enum chooser chooser;
};

// Both backends of a row are in one cache line.
struct row {
	__u16 settled;		// backend for flows of unknown age
	__u16 fresh;		// backend for new flows
};

// Two bits of each row.
enum row_care {
	ANNOUNCE = 1,		// another replica may have a different settled backend, soon or still
	WAIT = 2,		// another replica may place a new flow at a different backend: now, soon or still
};

struct table {
	struct row row[ROWS];
	__u8 care[(ROWS + 3) / 4];
};

enum backend_flags {
	KEEPS = 1,		// keeps known flows
	TAKES = 2,		// takes new flows
	RESOLVED = 4,		// the link addresses below are valid
	UP = 8,
	COUNTED = 16,		// follow.h
};

struct backend {
	struct address address;
	struct address next_hop;	// the backend itself if it is on the link
	__u64 identity;			// of service and backend: a later agent finds the slot by it
	__u32 incarnation;		// of the slot: flows of an earlier one have no backend. 0: the slot is free
	__u32 interface;
	__u8 to[ETH_ALEN];
	__u8 from[ETH_ALEN];
	__be16 port;
	__u16 mtu;			// of the path to it, 0 if unknown
	__u8 flags;
	__u8 delivery;			// of its service: a known flow needs no service lookup
	__u16 service;			// its service's slot
	__u8 zero[4];
};

struct counts {
	__u64 packets;
	__u64 bytes;
	__u64 connections;
	__u64 to_clients;	// bytes of replies
};

enum flow_flags {
	CLOSING = 1,		// the client sent FIN; of a translated flow: both sides did, or one sent RST; in learnt: it has ended, and peers may not have that yet
	FROM_PEER = 2,		// received from a peer, so the other replicas have it
	HELD = 4,		// half-open, and its first packet waits until the other replicas have it
	AWAITS_REQUEST = 8,	// its first request is timed, and has not arrived yet
	AWAITS_RESPONSE = 16,	// its first request has arrived, the response has not
	MOVES = 32,		// half-open: announced, or peers may have an earlier flow on its ports at another backend
	ANNOUNCED = 64,		// to the other replicas
	RESET = 128,		// the client sent RST, and nothing else since
};

struct flow {
	__u32 incarnation;
	__u32 seen;		// in units of 2^SEEN_SHIFT ns since boot
	__u16 slot;
	__be16 nat_port;
	__u8 flags;
	__u8 syn[3];		// of one that the client closed: the end of the sequence number of a SYN on its ports
	__u32 ways;		// the way below is valid while this is the number in settings
	__u32 interface;	// of the way to its backend, as in struct backend
	__u8 link[2 * ETH_ALEN];	// to and from
};

// A translated flow, as its backend sees it.
struct nat_key {
	struct address backend;
	__be16 backend_port;
	__be16 port;		// the replica's
	__u8 protocol;
	__u8 zero[3];
};

enum nat_side_of { CLIENT, SERVER, SIDES };

enum nat_state {
	TRACKED = 1,		// the numbers below are known
	SENT_FIN = 2,
	SENT_RST = 4,		// and nothing else since
	SENT_SYN_AGAIN = 8,	// the server may accept it as a new connection, or not
};

// What one side of a translated TCP connection has sent, as conntrack sees it: nat_tcp.h.
// Only packets of this side change it, so that CPUs don't overwrite each other's changes.
struct nat_side {
	__u32 end;		// sequence number after the last byte that it sent
	__u32 acked;		// its last acknowledgement
	__u32 grant;		// end of the window that it announced
	__u8 state;		// nat_state
	__u8 scale;		// of its windows, plus 1; 0 if unknown
	__u8 zero[2];
};

enum nat_flags {
	LENT = 2,		// its connection is unknown: the port is only for the server's reset
};

struct nat_flow {
	struct address client;
	struct address service;
	__be16 client_port;
	__be16 service_port;
	__u32 interface;	// where the client's packets arrive
	__u8 to[ETH_ALEN];	// link address to reply to
	__u8 flags;		// nat_flags
	__u8 zero;
	__u32 seen;		// as in struct flow
	__u16 slot;		// of the backend
	__u16 incarnation;	// the slot's, lower half: replies of an earlier backend aren't counted
	struct nat_side side[SIDES];
};

// A connection between its first and second packet.
struct setup {
	__u64 what;		// 32 bits of the flow's hash, 16 of the incarnation, and the slot, in one word for atomic access
	__u64 began;
};

// A first request that has no response yet.
struct request {
	__u64 what;		// 32 bits of the flow's hash, and the acknowledgement number of the request
	__u64 began;
};

enum timing { SETUP_TIME, FIRST_BYTE_TIME };

// Key of a backend's timings. A backend without connections has no entry.
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

// A first packet that waits until the other replicas have its flow. The agent
// sends it then.
struct held_packet {
	struct flow_key key;
	__u64 at;
	__u32 incarnation;
	__u16 slot;
	__u16 length;
	__u8 frame[HELD_FRAME];
};

struct settings {
	struct address source4;	// the replica's own addresses, for tunnels and translated flows
	struct address source6;
	__u32 next_incarnation;
	__u32 nat_start;	// where the turns of ports begin: nat_turns
	__u16 nat_first;
	__u16 nat_ports;	// number of ports; 0: NAT is off
	__u32 interface;
	__u8 hardware[ETH_ALEN];	// frames to other addresses are ignored
	__u8 zero[2];
	__u32 ways;		// changes after each change of a backend: ways stored with flows are outdated then
};

// Counters of the decapsulator at a backend.
enum tunnelled { UNWRAPPED, UNKNOWN_SOURCE, TUNNEL_COUNTS };

enum drop {
	DROP_FRAGMENT,
	DROP_MALFORMED,
	DROP_NO_BACKEND,
	DROP_UNRESOLVED,	// the backend has no path, or its link address is unknown
	DROP_TOO_BIG,		// for the tunnel
	DROP_NAT_PORTS,		// none is free
	DROP_REWRITE,		// the kernel rejected the change of the packet
	DROP_NOT_KEPT,		// its connection is held, and there is no room for the packet
	DROPS,
};

struct drop_counts {
	__u64 packets[DROPS];
};

// Key of drops after a backend was chosen. They are rare, so most backends have no entry.
struct drop_key {
	__u32 incarnation;	// of the backend
	__u32 reason;
};

// Each type is used once here, because clang omits unused ones from BTF.
const enum limits *limits_type __attribute__((unused));
const enum backend_flags *backend_flags_type __attribute__((unused));
const enum flow_flags *flow_flags_type __attribute__((unused));
const enum nat_flags *nat_flags_type __attribute__((unused));
const enum nat_state *nat_state_type __attribute__((unused));
const enum timing *timing_type __attribute__((unused));
const enum drop *drop_type __attribute__((unused));
const enum tunnelled *tunnelled_type __attribute__((unused));
const struct misplaced_flow *misplaced_type __attribute__((unused));
const struct held_packet *held_type __attribute__((unused));
const struct table *table_type __attribute__((unused));
const enum row_care *row_care_type __attribute__((unused));
const enum chooser *chooser_type __attribute__((unused));
const struct row *row_type __attribute__((unused));
