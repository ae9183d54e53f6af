// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// The maps that only the programs of sockets use.
#pragma once

#include "costs_maps.h"
#include "sockets.h"

struct {
	__uint(type, BPF_MAP_TYPE_SK_STORAGE);
	__uint(map_flags, BPF_F_NO_PREALLOC);
	__type(key, int);
	__type(value, struct chosen);
} sockets SEC(".maps");

// To the backend of each service that a socket sends to without connecting,
struct {
	__uint(type, BPF_MAP_TYPE_LRU_HASH);
	__uint(max_entries, FLOWS);
	__type(key, struct datagram_key);
	__type(value, struct flow);
} flows SEC(".maps");

// and from the backend back to the service.
struct {
	__uint(type, BPF_MAP_TYPE_LRU_HASH);
	__uint(max_entries, FLOWS);
	__type(key, struct datagram_key);
	__type(value, struct origin);
} origins SEC(".maps");
