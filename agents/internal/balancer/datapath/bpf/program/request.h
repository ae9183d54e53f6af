// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// How long a client waits for the first byte of a response, for the first request of each
// connection that began here. Replies may bypass the balancer (DSR), so the response is
// detected by the client's acknowledgement, which adds the time that takes to arrive.
#pragma once

#include "hash.h"
#include "maps.h"
#include "parse.h"
#include "timing.h"

static __always_inline struct request *request_of(__u64 hash)
{
	__u32 index = (hash >> 8) % REQUESTS;

	return bpf_map_lookup_elem(&requests, &index);
}

// Newer requests overwrite older ones, so that the table never grows.
static __always_inline __u8 note_request(__u64 hash, __u32 acknowledged)
{
	struct request *request = request_of(hash);

	if (!request)
		return 0;
	request->began = bpf_ktime_get_ns();
	request->what = hash >> 32 << 32 | acknowledged;
	return AWAITS_RESPONSE;
}

// Returns the flags for a connection that begins with this packet.
static __always_inline __u8 request_begins(const struct flow_key *key, const struct packet *p)
{
	return p->carries ? note_request(hash_of(key, 0), p->acknowledges) : AWAITS_REQUEST;
}

// Returns the duration until the first byte, if this packet ends it, or 0. Not inlined, to
// keep the path of all other packets short, and global, so that the verifier checks it once.
__noinline __u64 first_byte_time(struct flow *flow, const struct flow_key *key, const struct packet *p)
{
	__u64 took = 0;

	if (!flow || !key || !p)
		return 0;

	__u64 hash = hash_of(key, 0);

	if (flow->flags & AWAITS_REQUEST) {
		if (p->carries)
			flow->flags = (flow->flags & ~AWAITS_REQUEST) | note_request(hash, p->acknowledges);
		return 0;
	}

	struct request *request = request_of(hash);

	if (!request)
		return 0;
	if (request->what >> 32 == hash >> 32) {
		if ((__u32)request->what == p->acknowledges)
			return 0; // not answered yet
		took = bpf_ktime_get_ns() - request->began;
		request->what = 0;
	}
	flow->flags &= ~AWAITS_RESPONSE;
	return took;
}

// Adds it here and not there, because the stacks of nested functions add up.
static __always_inline void time_request(struct flow *flow, const struct flow_key *key, const struct packet *p, const struct backend *backend)
{
	__u64 took = first_byte_time(flow, key, p);

	if (took)
		add_first_byte(backend->service, backend->incarnation, took);
}
