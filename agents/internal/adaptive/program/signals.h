// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// What the programs that count requests at their servers share with the agent: signals.bpf.c.
// The agent writes which service a backend is of and which node a client is at.
#pragma once

#include "address.h"

enum signal_limits {
	SIGNAL_BACKENDS = 65536,
	SIGNAL_PREFIXES = 16384,	// of nodes
	SIGNAL_ORIGINS = 16384,		// pairs of service and node
	SIGNAL_FLOWS = 65536,		// of UDP
	SIGNAL_PORT_WORDS = 1024,
	SIGNAL_CORE = 256,		// parts of a core
	SIGNAL_WAITING = 64,		// requests of one UDP flow that are in flight: more aren't counted
	SIGNAL_PATIENCE = 60,		// seconds after which a request over TCP isn't waiting for the CPU
	SIGNAL_FLOW_PATIENCE = 2,	// the same over UDP, where a request or an answer may be lost
	SIGNAL_SEEN_SHIFT = 20,		// of nanoseconds, about 1 ms
};

// The service of a backend. A number that is used again has another incarnation, so that
// connections of the former service aren't counted for the new one.
struct signal_backend {
	__u32 service;
	__u32 incarnation;
};

struct signal_prefix {
	__u32 length;
	struct address address;
};

enum signal_protocol { SIGNAL_TCP, SIGNAL_UDP, SIGNAL_PROTOCOLS };

struct signal_port_set {
	__u64 bits[SIGNAL_PORT_WORDS];	// of ports with a backend
};

struct signal_service {
	struct bpf_spin_lock lock;
	__u32 incarnation;
	__u32 cores;		// in 1/SIGNAL_CORE
	__s32 in_flight;
	__u64 busy;		// ns of cores: the integral of min(in_flight, cores)
	__u64 at;		// of that integral
	__u32 rest;		// of busy, in 1/SIGNAL_CORE ns
	__u32 zero;
};

struct signal_origin_key {
	__u32 service;
	__u32 incarnation;
	__u32 node;		// 0: of no known node
};

// Reconciling gives each connection the other epoch. What the former epoch then still has
// belongs to connections that ended unseen.
struct signal_origin {
	__s64 open[2];		// connections, by epoch
	__s64 in_flight[2];	// requests, by epoch
	__u64 opened;
	__u64 arrived;
	__u64 done;
};

// Who is counted.
struct signal_owner {
	struct signal_origin_key of;
	__u32 epoch;
};

enum signal_state { SIGNAL_OPEN = 1, SIGNAL_IN_FLIGHT = 2, SIGNAL_FRESH = 4 };

// Kept with the server's socket, so that the kernel frees it with that.
struct signal_connection {
	struct bpf_spin_lock lock;
	struct signal_owner owner;
	__u32 client_end;	// sequence number after the client's last byte
	__u32 server_end;
	__u32 state;		// signal_state
	__u64 began;		// of the request in flight
};

// A UDP flow. The state is one word for atomic access: the time of the last datagram, the
// epoch, and how many requests are in flight.
struct signal_flow {
	struct signal_origin_key of;
	__u32 zero;
	__u64 state;
};

// What the agent sets, or removes.
struct signal_order {
	struct signal_origin_key of;
	__u32 cores;
	__u32 epoch;
};

// What the agent adds to the counts of an origin.
struct signal_correction {
	struct signal_origin_key of;
	__s32 open;
	__s32 in_flight;
};

const enum signal_limits *signal_limits_type __attribute__((unused));
const enum signal_protocol *signal_protocol_type __attribute__((unused));
const enum signal_state *signal_state_type __attribute__((unused));
const struct signal_order *signal_order_type __attribute__((unused));
const struct signal_correction *signal_correction_type __attribute__((unused));
