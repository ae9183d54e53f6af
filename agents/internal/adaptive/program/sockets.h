// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// What the programs of sockets share with the agent, besides costs.h. Fields of sockets are __be; all others are in host
// byte order.
#pragma once

#include "costs.h"

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
struct datagram_key {
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
const struct listed *listed_type __attribute__((unused));
const struct correction *correction_type __attribute__((unused));
