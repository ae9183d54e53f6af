// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// What the programs that choose by cost share with the agent (costs_maps.h has the maps): those of sockets, and entry.bpf.c
// for connections from outside. Ports are __be; all others are in host byte order.
#pragma once

#include <linux/errno.h>
#include <stdbool.h>

#include "flow.h"

enum limits {
	PLACES = 8192,		// pairs of a service and a node; slot 0 isn't one
	BACKENDS = 32768,	// slot 0 isn't one
	OTHERS = 256,		// nodes of a service, besides this one
	MEMBERS = 256,		// backends of a place
	STEPS = 64,		// of a cost
	OLDEST_FIGURES = 3,	// seconds: the cost of older ones isn't used
	ALL_OTHERS = 8,		// more nodes than these aren't all compared
	DRAWN_OTHERS = 3,	// but as many at random
	CANDIDATES = ALL_OTHERS + 1,
	SCANNED = 16,		// of more backends than these,
	DRAWN = 2,		// as many at random are compared
	ATTEMPTS = 4,		// at candidates whose backends may all be skipped
	SAMPLES = 1024,
	FLOWS = 32768,		// of UDP sockets that don't connect
	ENTRY_FLOWS = 65536,	// connections from outside that are counted: of more, the rest isn't
	FRACTION = 8,		// bits of a count in 1/256
	REQUESTS_MOST = 1 << 25,	// in 1/256; more count as these
	OPEN_MOST = 1 << 24,	// connections
};

#define SECOND_NS 1000000000ULL
#define FIGURES_NS (OLDEST_FIGURES * SECOND_NS)
#define SKIP_NS SECOND_NS		// after a failed connect
#define UNANSWERED_NS SECOND_NS		// when TCP sends a SYN again
#define IDLE_NS (60 * SECOND_NS)	// after which a UDP flow may change its backend
#define SAMPLE_NS (SECOND_NS / 10)	// at most one sample of a service

// Replaced as a whole.
struct service {
	__u32 number;
	__u16 local;		// slot of the place at this node; 0: it has no backend
	__u16 regular;		// others with a backend that isn't standby; they are first
	__u16 count;		// of others
	__u16 local_regular;	// the place at this node has a backend that isn't standby
	__u16 others[OTHERS];	// slots of places
};

// The backends of a service at a node. A packet may see it half written: then it sees some
// backends of the previous version.
struct place {
	__u64 node;		// the hash of its name
	struct service_key service;
	__u32 weight;		// of its backends that aren't standby
	__u16 regular;		// members that aren't standby; they are first
	__u16 count;		// of members
	__u16 members[MEMBERS];	// slots of backends
};

struct backend {
	struct address address;
	__be16 port;
	__u16 weight;		// 0: standby
	__u16 place;		// 0: the slot is vacant
	__u16 up;		// takes connections
};

// What the agent writes of a place 10 to 20 times a second. Times are in ns, counts in 1/256.
struct cost {
	__u64 written_at;	// time of the figures, as bpf_ktime_get_boot_ns
	__u64 fixed;
	__u32 others;
	__u32 mine;
	__u32 answers;
	__u32 spread;
	__u64 slope;
	__u64 per_connection;
	__u32 open;		// connections, not 1/256
	__u32 zero;
	__u64 steps[STEPS];	// last, so that a choice reads few cache lines
};

// Of a place or a backend. Its open connections are opened − closed.
struct use {
	__u64 opened;
	__u64 closed;
	__u64 failures;
	__u64 failed_at;	// 0: never
	__u64 answered_at;	// when a backend last accepted a connection
};

struct service_use {
	__u64 refused;		// no backend was up
	__u64 sampled_at;
};

enum reason { BY_COST = 0, BY_WEIGHT = 1 };

struct candidate {
	__u32 place;
	__u32 beside;		// requests there, in 1/256
	__u64 cost;		// ~0: its figures are too old
};

struct decision {
	__u64 sequence;		// 0: it is being written
	__u64 at;
	__u32 service;		// its number
	__u32 backend;
	__u16 count;		// of candidates
	__u16 chosen;		// index of a candidate
	__u16 reason;
	__u16 has_local;	// the first candidate is this node
	struct candidate candidates[CANDIDATES];
};

// A connection from outside, at one of the replicas of balancers that this node may have.
struct entry_key {
	struct flow_key flow;
	__u32 replica;
};

// One that counts as open.
struct entry_flow {
	__u64 at;		// bpf_ktime_get_boot_ns of its first packet
	__u16 place;
	__u16 backend;
	__u8 unanswered;	// its backend has not answered yet
	__u8 direct;		// as in entry_use
	__u8 failed;		// that its backend doesn't answer is counted
	__u8 zero;
};

// A connection from outside that the agent found to have ended.
struct ended_flow {
	struct entry_key key;
	__u32 zero;
	__u64 at;		// as in its entry_flow
};

// What enters at this node for a place.
struct entry_use {
	__u64 direct_opened;	// connections whose server sees the client's address, so that its figures count them for no node
	__u64 direct_closed;
	__u64 figures;		// written_at of the cost at the last flow of UDP
	__u64 since;		// flows of UDP since then
	__u64 opened;		// connections, and flows of UDP, which count as closed at once
	__u64 closed;
};

const enum limits *limits_type __attribute__((unused));
const enum reason *reason_type __attribute__((unused));
const struct entry_key *entry_key_type __attribute__((unused));
const struct ended_flow *ended_flow_type __attribute__((unused));
