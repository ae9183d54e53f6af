// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// What the programs share that keep TLS sessions at their backends: the one at a replica
// (session.bpf.c) and the one next to a server (companion.bpf.c). The agent writes all maps
// but the events and the parts.
#pragma once

#include "placed.h"

enum session_limits {
	SESSION_SERVICES = 1024,
	SESSION_NAMES = 16384,
	SESSION_IDS = 1 << 20,
	SESSION_HINTS = 16384,
	SESSION_HINTED = 65536,		// connections that were placed by their timestamps last
	SESSION_PARTS = 4096,		// hellos that are incomplete at the same time
	SESSION_PART_BYTES = 1 << 22,	// when full, parts are dropped, and their clients send them again
	SESSION_QUESTION_BYTES = 1 << 18,
	SESSION_ALLOWED = 1000,		// events for the agent, per CPU and second: anyone can cause them by forged packets
	SESSION_PARTS_ALLOWED = 20000,	// the same for parts of hellos, and next to a server for ids of new sessions, which only real clients can cause
	SESSION_SEARCHES_ALLOWED = 5000, // the same for hellos with unknown session ids
	NAME_BYTES = 16,		// of a ticket key
	ID_BYTES = 32,			// of a TLS 1.2 session
	EPOCH_SHIFT = 36,		// of nanoseconds: an epoch is 69 s
	WINDOW_SCALE = 7,		// that servers use: a cookie has no room for one per server
	HELLO_MOST = 5 + (1 << 14),	// bytes
	SESSION_SEARCHED = 0x1d5,	// the mark of a hello that is placed now, even if its session id isn't known
	LAST_NUMBER = 127,		// of a backend: a larger step of a timestamp would be one backwards
};

struct session_key {
	__u64 word[2];
};

struct session_keys {
	struct session_key cookie;
	struct session_key mask;	// of the timestamps
};

struct session_service {
	struct session_keys keys[2];	// current and previous
	__u16 mss;			// that a replica announces to clients
	__u8 number;			// of a companion's backend
	__u8 without_ids;		// clients don't return by session ids
	__u8 searches_ids;		// companions can be queried for them
	__u8 zero[3];
};

// Names are in the clear at the start of every ticket.
struct session_name {
	__u32 service;			// slot
	__u8 name[NAME_BYTES];
};

struct session_id {
	__u32 service;			// slot
	__u8 id[ID_BYTES];
};

struct session_hint {
	__u32 service;			// slot
	__u32 number;			// of backends
};

struct session_place {
	__u32 incarnation;		// 0: several backends have this number
	__u16 slot;
	__u16 zero;
};

struct session_id_entry {
	struct session_place place;
	__u64 learnt;			// by the companion: CLOCK_BOOTTIME in nanoseconds
};

enum session_part_of { FIRST_PART = 1, LATER_PART = 2 };

enum companion_event_kind { SESSION_LEARNT = 1, NOT_MINE = 2 };

struct companion_event {
	enum companion_event_kind kind;
	struct flow_key key;
	__u8 id[ID_BYTES];
};

// A packet that has a part of a hello. The frame follows.
struct session_part {
	struct kept_packet packet;
	enum session_part_of part_of;
	__u32 zero;
};

struct session_part_frame {
	struct session_part part;
	__u8 frame[KEPT_FRAME];
};

// A packet of a connection whose backend this replica can't know.
struct session_question {
	struct flow_key key;
	__u8 link[2 * ETH_ALEN];
	__u32 interface;
	__u32 seq;
	__u32 ack;
	__u8 ends;			// packet_ends
	__u8 may_begin;			// it may be of a hello whose first part was lost
	__u8 zero[2];
};

enum session_count {
	COUNT_SYNS,
	COUNT_BARE_ACKS,
	COUNT_BY_KEY,
	COUNT_BY_TICKET,
	COUNT_BY_ID,
	COUNT_NEW,
	COUNT_PARTS,
	COUNT_HINTED,
	COUNT_QUESTIONS,
	COUNT_OVER_LIMIT,
	COUNT_RESETS,
	COUNT_UNANSWERED,	// SYNs with data, and packets with IP options or extensions
	SESSION_COUNTS,
};

// What became of a session that a hello names. GONE: its backend is known, but takes nothing.
enum session_outcome { SESSION_HOME, SESSION_GONE, SESSION_UNKNOWN, SESSION_OUTCOMES };

// What happened to the clients of one service.
struct session_service_counts {
	__u64 syns;
	__u64 questions;
	__u64 by_key[SESSION_OUTCOMES];	// hellos, by what names their session
	__u64 by_ticket[SESSION_OUTCOMES];
	__u64 by_id[SESSION_OUTCOMES];
	__u64 without_session;
	__u64 unreadable;
};

enum companion_count {
	COUNT_ACCEPTED,
	COUNT_REFUSED,			// by the kernel
	COUNT_NOT_MINE,
	COUNT_REPLACED,			// sockets of earlier connections on the same ports
	COUNT_LEARNT,
	COMPANION_COUNTS,
};

struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, SESSION_SERVICES);
	__type(key, struct service_key);
	__type(value, struct session_service);
} session_services SEC(".maps");

static __always_inline struct session_service *session_at(const struct address *address, __be16 port)
{
	struct service_key key = { .address = *address, .port = port, .protocol = IPPROTO_TCP };

	return bpf_map_lookup_elem(&session_services, &key);
}

enum allowed { ALLOWED_EVENTS, ALLOWED_PARTS, ALLOWED_SEARCHES, ALLOWANCES };

// Limits what the agent is asked to do.
struct allowance {
	__u64 second;
	__u64 used;
};

struct {
	__uint(type, BPF_MAP_TYPE_PERCPU_ARRAY);
	__uint(max_entries, ALLOWANCES);
	__type(key, __u32);
	__type(value, struct allowance);
} session_allowance SEC(".maps");

static __always_inline __u64 most_allowed(__u32 what)
{
	switch (what) {
	case ALLOWED_PARTS:
		return SESSION_PARTS_ALLOWED;
	case ALLOWED_SEARCHES:
		return SESSION_SEARCHES_ALLOWED;
	default:
		return SESSION_ALLOWED;
	}
}

static __always_inline int is_allowed(__u32 what)
{
	__u64 second = bpf_ktime_get_ns() >> 30;
	struct allowance *a = bpf_map_lookup_elem(&session_allowance, &what);

	if (!a)
		return 0;
	if (a->second != second) {
		a->second = second;
		a->used = 0;
	}
	return a->used++ < most_allowed(what);
}

const enum session_limits *session_limits_type __attribute__((unused));
const enum session_part_of *session_part_of_type __attribute__((unused));
const enum session_count *session_count_type __attribute__((unused));
const enum session_outcome *session_outcome_type __attribute__((unused));
const struct session_service_counts *session_service_counts_type __attribute__((unused));
const enum companion_count *companion_count_type __attribute__((unused));
const enum companion_event_kind *companion_kind_type __attribute__((unused));
const struct session_part *session_part_type __attribute__((unused));
const struct session_part_frame *session_part_frame_type __attribute__((unused));
const struct session_question *session_question_type __attribute__((unused));
const struct companion_event *companion_event_type __attribute__((unused));
