// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// SYN cookies. A replica answers a SYN and stores nothing: the sequence number of its answer
// proves later, to any replica and to the backend, that the client got it. internal/session/cookie
// has the same in Go.
//
// 23 bits of a MAC | 1 of the epoch | 4 of the client's window scale | 1 of SACK | 3 of the MSS
#pragma once

#include "options.h"
#include "parse.h"
#include "session.h"

enum {
	COOKIE_LOW = 0x1ff,		// all but the MAC
	COOKIE_EPOCH = 8,
	COOKIE_SCALE = 4,
	COOKIE_SACK = 3,
	COOKIE_SIZES = 7,
	NO_SCALE = 15,
	SIZE_LEAST6 = 1220,		// that the kernel accepts for IPv6
};

static const __u16 cookie_sizes[COOKIE_SIZES + 1] = { 536, 1220, 1300, 1360, 1400, 1440, 1460, 8960 };

struct cookie_input {
	struct address client;
	struct address service;
	__be16 client_port;
	__be16 service_port;
	__u32 seq;			// of the SYN
	__u32 epoch;
	__u32 low;			// bits of the cookie
} __attribute__((aligned(8)));

static __always_inline __u64 rotated(__u64 word, int bits) { return word << bits | word >> (64 - bits); }

static __always_inline void sip_round(__u64 v[4])
{
	v[0] += v[1];
	v[1] = rotated(v[1], 13) ^ v[0];
	v[0] = rotated(v[0], 32);
	v[2] += v[3];
	v[3] = rotated(v[3], 16) ^ v[2];
	v[0] += v[3];
	v[3] = rotated(v[3], 21) ^ v[0];
	v[2] += v[1];
	v[1] = rotated(v[1], 17) ^ v[2];
	v[2] = rotated(v[2], 32);
}

static __always_inline void sip_word(__u64 v[4], __u64 word)
{
	v[3] ^= word;
	sip_round(v);
	sip_round(v);
	v[0] ^= word;
}

// SipHash-2-4. A global function, so that the verifier checks it once.
__noinline __u64 siphash(const struct session_key *key, const struct cookie_input *input)
{
	if (!key || !input)
		return 0;

	const __u64 *word = (const void *)input;
	__u64 v[4] = {
		key->word[0] ^ 0x736f6d6570736575, key->word[1] ^ 0x646f72616e646f6d,
		key->word[0] ^ 0x6c7967656e657261, key->word[1] ^ 0x7465646279746573,
	};

	for (int i = 0; i < (int)(sizeof(*input) / sizeof(*word)); i++)
		sip_word(v, word[i]);
	sip_word(v, (__u64)sizeof(*input) << 56);
	v[2] ^= 0xff;
	for (int i = 0; i < 4; i++)
		sip_round(v);
	return v[0] ^ v[1] ^ v[2] ^ v[3];
}

// By the wall clock, so that hosts agree; TAI may be ahead of it by less than a minute.
static __always_inline __u32 epoch_now(void) { return bpf_ktime_get_tai_ns() >> EPOCH_SHIFT; }

static __always_inline struct cookie_input input_of(const struct packet *p)
{
	return (struct cookie_input){
		.client = p->source, .service = p->destination,
		.client_port = p->source_port, .service_port = p->destination_port,
	};
}

static __always_inline __u32 cookie_for(const struct session_service *service, const struct packet *p, const struct tcp_options *o)
{
	struct cookie_input input = input_of(p);
	__u32 size = 0;

	for (int i = 1; i <= COOKIE_SIZES; i++) {
		if (o->mss >= cookie_sizes[i])
			size = i;
	}
	input.seq = bpf_ntohl(p->seq);
	input.epoch = epoch_now();
	input.low = (input.epoch & 1) << COOKIE_EPOCH | (__u32)o->scale << COOKIE_SCALE | (__u32)o->sack << COOKIE_SACK | size;
	return ((__u32)siphash(&service->keys[0].cookie, &input) & ~COOKIE_LOW) | input.low;
}

// Whether this is the cookie for a SYN with that number, of the current epoch or of a
// neighbouring one: clocks differ.
__noinline int is_cookie(struct session_service *service, struct packet *p, __u32 syn)
{
	if (!service || !p)
		return 0;

	__u32 cookie = bpf_ntohl(p->acknowledges) - 1, now = epoch_now();
	struct cookie_input input = input_of(p);

	input.seq = syn;
	input.low = cookie & COOKIE_LOW;
	for (int i = 0; i < 3; i++) {
		input.epoch = now + 1 - i;
		if ((input.epoch & 1) != (cookie >> COOKIE_EPOCH & 1))
			continue;
		for (int j = 0; j < 2; j++) {
			if ((((__u32)siphash(&service->keys[j].cookie, &input) ^ cookie) & ~COOKIE_LOW) == 0)
				return 1;
		}
	}
	return 0;
}

// The first packet after the handshake, which has the number after the SYN's.
static __always_inline int follows_cookie(struct session_service *service, struct packet *p)
{
	return is_cookie(service, p, bpf_ntohl(p->seq) - 1);
}

// The upper 8 bits of our timestamps: a mask of the addresses, plus the backend's number,
// which is 0 until it has the connection. Clients echo that, so a replica finds the backend
// of a connection that it never saw. The bits stand still for at least three hours.
static __always_inline __u8 mask_of(const struct session_keys *keys, const struct packet *p)
{
	struct cookie_input input = input_of(p);

	return siphash(&keys->mask, &input);
}
