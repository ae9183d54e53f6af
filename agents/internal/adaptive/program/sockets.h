// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// What the programs of sockets and the agent share (sockets_maps.h has the maps). Fields of sockets are __be; all others are in host byte order.
#pragma once

#include <linux/errno.h>
#include <stdbool.h>

#include "address.h"

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

// Of a socket whose destination was chosen.
struct chosen {
	__u32 live;		// it is counted as open
	__u16 place;
	__u16 backend;
	__u64 at;
	__u16 connected;	// by connect, not only for a datagram
	__u16 started;		// TCP sent its SYN, which has no answer yet
	__u16 failed;		// and that is counted
	__be16 port;		// of the service
	__be16 to_port;		// of the backend
	__u16 zero;
	struct address address;	// of the service
	struct address to;	// of the backend
	__u32 tail;
};

// The destination of datagrams from a socket that doesn't connect.
struct flow_key {
	__u64 socket;		// its cookie
	struct address address;
	__be16 port;
	__u16 zero;
	__u32 tail;
};

struct flow {
	__u64 used_at;
	__u16 place;
	__u16 backend;
	__u32 zero;
};

struct origin {
	struct address address;	// of the service
	__be16 port;
	__u16 zero;
};

// A socket as the agent lists it.
struct listed {
	__u64 cookie;
	__u32 space;		// inode of its network namespace
	__u16 place;
	__u16 backend;
	struct address source;
	struct address to;
	__be16 source_port;
	__be16 to_port;
	__u16 family;
	__u16 protocol;
};

// What the agent adds to the counts of a place or of a backend.
struct correction {
	__u32 place;		// 0: none
	__u32 backend;		// 0: none
	__u64 opened;
	__u64 closed;
};

// Each type is used once here, because clang omits unused ones from BTF.
const enum limits *limits_type __attribute__((unused));
const enum reason *reason_type __attribute__((unused));
const struct listed *listed_type __attribute__((unused));
const struct correction *correction_type __attribute__((unused));
