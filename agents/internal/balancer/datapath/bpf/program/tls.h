// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// Reads a ClientHello that is in one packet and in one record, and looks up the backend of
// the session that it resumes. The agent reads all others: internal/session/replica.
#pragma once

#include "maps.h"
#include "session.h"

// The keys have the slot of a service.
struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, SESSION_NAMES);
	__type(key, struct session_name);
	__type(value, struct session_place);
} session_names SEC(".maps");

// Not an LRU, which evicts long before it is full: the agent removes the oldest.
struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(map_flags, BPF_F_NO_PREALLOC);
	__uint(max_entries, SESSION_IDS);
	__type(key, struct session_id);
	__type(value, struct session_id_entry);
} session_ids SEC(".maps");

enum {
	HANDSHAKE = 22,
	CLIENT_HELLO = 1,
	RECORD_HEADER = 5,
	MESSAGE_HEADER = 4,
	HELLO_START = RECORD_HEADER + MESSAGE_HEADER,
	ID_AT = HELLO_START + 2 + 32,	// after the version and the random bytes
	EXTENSION_TICKET = 35,
	EXTENSION_KEYS = 41,
	EXTENSION_VERSIONS = 43,
	HELLO_EXTENSIONS = 64,
	TLS_1_3 = 0x0304,
	VERSIONS_MOST = 16,		// that a client lists: only a few exist
};

// What a hello names its session by. With TLS 1.3 every hello has an id, which names none.
enum hello_has {
	HAS_KEY = 1,
	HAS_TICKET = 2,
	HAS_ID = 4,
	HAS_VERSIONS = 8,		// some clients that list TLS 1.2 alone have a random id, too
	HAS_UNKNOWN_ID = 16,		// of the size that is learned
	OFFERS_TLS_1_3 = 32,
};

enum hello_in { NO_HELLO, HELLO_IN_PARTS, WHOLE_HELLO };

struct hello {
	__u32 service;			// slot
	__u32 at;			// where the data begins in the frame
	__u32 end;			// where the frame ends
	struct session_place by_key;	// incarnation 0: not known
	struct session_place by_ticket;
	struct session_place by_id;
	__u32 has;			// hello_has
};

static __always_inline __u32 pair(const __u8 *at) { return (__u32)at[0] << 8 | at[1]; }

// Where the data of a stream begins as a hello does, there may be more to come.
static __always_inline enum hello_in measure_hello(struct __sk_buff *skb, struct hello *h)
{
	__u8 b[HELLO_START] = {};
	__u32 length = h->end - h->at;

	if (bpf_skb_load_bytes(skb, h->at, b, 1) || b[0] != HANDSHAKE)
		return NO_HELLO;
	if (length < HELLO_START)
		return HELLO_IN_PARTS;
	if (bpf_skb_load_bytes(skb, h->at, b, sizeof(b)) || b[1] != 3 || b[5] != CLIENT_HELLO)
		return NO_HELLO;

	__u32 record = pair(b + 3), message = MESSAGE_HEADER + ((__u32)b[6] << 16 | pair(b + 7));

	if (message > record || RECORD_HEADER + message > length)
		return HELLO_IN_PARTS;
	h->end = h->at + RECORD_HEADER + message;
	return WHOLE_HELLO;
}

static __always_inline void find_name(struct __sk_buff *skb, struct session_name *name, __u32 at, struct session_place *into)
{
	struct session_place *place;

	if (bpf_skb_load_bytes(skb, at, name->name, NAME_BYTES))
		return;
	place = bpf_map_lookup_elem(&session_names, name);
	if (place)
		*into = *place;
}

static __always_inline void find_id(struct __sk_buff *skb, struct hello *h, __u32 at)
{
	struct session_id key = { .service = h->service };
	struct session_id_entry *entry;

	if (bpf_skb_load_bytes(skb, at, key.id, ID_BYTES))
		return;
	entry = bpf_map_lookup_elem(&session_ids, &key);
	if (entry)
		h->by_id = entry->place;
	else
		h->has |= HAS_UNKNOWN_ID;
}

// An empty ticket only requests one.
static __always_inline __u32 named_in(__u32 type, __u32 length)
{
	switch (type) {
	case EXTENSION_TICKET:
		return length ? HAS_TICKET : 0;
	case EXTENSION_KEYS:
		return HAS_KEY;
	case EXTENSION_VERSIONS:
		return HAS_VERSIONS;
	}
	return 0;
}

// Clients that offer TLS 1.2 alone may list versions, too.
static __always_inline __u32 offered_in(struct __sk_buff *skb, __u32 at, __u32 length)
{
	__u8 list, b[2];

	if (bpf_skb_load_bytes(skb, at, &list, 1) || 1 + (__u32)list != length)
		return 0;
	for (int i = 0; i < VERSIONS_MOST && 2 * i + 2 <= list; i++) {
		if (bpf_skb_load_bytes(skb, at + 1 + 2 * i, b, 2))
			return 0;
		if (pair(b) == TLS_1_3)
			return OFFERS_TLS_1_3;
	}
	return 0;
}

// A malformed hello names no session; its backend rejects it. A global function, so that the
// verifier checks it once.
__noinline int read_hello(struct __sk_buff *skb, struct hello *h)
{
	if (!h)
		return NO_HELLO;

	enum hello_in found = measure_hello(skb, h);
	struct session_name name = { .service = h->service };
	__u8 b[4];
	__u32 at = h->at + ID_AT, versions_at = 0, versions_length = 0;

	if (found != WHOLE_HELLO || bpf_skb_load_bytes(skb, at, b, 1))
		return found;
	if (b[0])
		h->has |= HAS_ID;
	if (b[0] == ID_BYTES)
		find_id(skb, h, at + 1);
	at += 1 + b[0];
	if (bpf_skb_load_bytes(skb, at, b, 2))
		return found;
	at += 2 + pair(b); // cipher suites
	if (bpf_skb_load_bytes(skb, at, b, 1))
		return found;
	at += 1 + b[0] + 2; // compressions, and the length of the extensions
	for (int i = 0; i < HELLO_EXTENSIONS; i++) {
		if (at + 4 > h->end || bpf_skb_load_bytes(skb, at, b, 4))
			break;

		__u32 type = pair(b), length = pair(b + 2);

		at += 4;
		h->has |= named_in(type, length);
		if (type == EXTENSION_TICKET && length >= NAME_BYTES)
			find_name(skb, &name, at, &h->by_ticket);
		else if (type == EXTENSION_KEYS && length >= 4 + NAME_BYTES)
			find_name(skb, &name, at + 4, &h->by_key); // after the lengths of the list and of the first
		else if (type == EXTENSION_VERSIONS) {
			versions_at = at;
			versions_length = length;
		}
		at += length;
	}
	if (versions_length)
		h->has |= offered_in(skb, versions_at, versions_length);
	return found;
}
