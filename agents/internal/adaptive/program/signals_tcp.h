// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// Requests over TCP. A request is in flight from its first byte, which follows bytes of the
// server or none, until the server answers, closes, or the connection ends otherwise.
#pragma once

#include "signals_count.h"
#include "signals_find.h"

struct {
	__uint(type, BPF_MAP_TYPE_SK_STORAGE);
	__uint(map_flags, BPF_F_NO_PREALLOC);
	__type(key, int);
	__type(value, struct signal_connection);
} signal_connections SEC(".maps");

// Only what is read of the kernel's struct.
struct tcp_sock___signals {
	__u32 rcv_nxt;
	__u32 copied_seq;
} __attribute__((preserve_access_index));

enum tcp_event { CLIENT_BYTES, SERVER_BYTES, SERVER_CLOSED, CONNECTION_ENDED };

enum {
	DATA_OFFSET = 12,	// of the TCP header
	WINDOW_MOST = 1 << 30,
	RECEIVED_FIN = 1,	// counts as a byte
};

static __always_inline int is_after(__u32 a, __u32 b)
{
	return (__s32)(a - b) > 0;
}

// The connection is locked.
static __always_inline void take(struct signal_connection *c, enum tcp_event event, __u32 end, int has_more, __u64 now, struct signal_step *step)
{
	int was_in_flight = c->state & SIGNAL_IN_FLIGHT;

	if (!(c->state & SIGNAL_OPEN))
		return;
	switch (event) {
	case CLIENT_BYTES:
		if (!is_after(end, c->client_end))
			return; // sent again
		c->client_end = end;
		if (was_in_flight)
			return;
		c->state |= SIGNAL_IN_FLIGHT;
		c->began = now;
		step->in_flight = 1;
		step->arrived = 1;
		return;
	case SERVER_BYTES:
		if (!is_after(end, c->server_end))
			return;
		c->server_end = end;
		if (!was_in_flight)
			return;
		step->done = 1;
		if (has_more) {
			c->began = now;
			step->arrived = 1;
			return;
		}
		c->state &= ~SIGNAL_IN_FLIGHT;
		step->in_flight = -1;
		return;
	case SERVER_CLOSED:
	case CONNECTION_ENDED:
		c->state = 0;
		step->open = -1;
		if (was_in_flight) {
			step->in_flight = -1;
			step->done = event == SERVER_CLOSED;
		}
		return;
	}
}

static __always_inline void happen(struct signal_connection *c, enum tcp_event event, __u32 end, int has_more)
{
	struct signal_step step = {};
	struct signal_owner owner;
	__u64 now = bpf_ktime_get_ns();

	bpf_spin_lock(&c->lock);
	take(c, event, end, has_more, now, &step);
	owner = c->owner;
	bpf_spin_unlock(&c->lock);
	count(&owner, &step);
}

// Two CPUs may see the first packets at the same time: one of them opens the connection.
static __always_inline struct signal_connection *open_connection(void *sk, const struct signal_origin_key *of, __u32 client_end, __u32 server_end)
{
	struct signal_connection fresh = {
		.owner = { .of = *of, .epoch = current_epoch() },
		.client_end = client_end,
		.server_end = server_end,
		.state = SIGNAL_FRESH,
	};
	struct signal_connection *c = bpf_sk_storage_get(&signal_connections, sk, &fresh, BPF_SK_STORAGE_GET_F_CREATE);
	struct signal_step step = {};
	struct signal_owner owner;

	if (!c)
		return 0;
	bpf_spin_lock(&c->lock);
	step.open = c->state == SIGNAL_FRESH;
	if (step.open)
		c->state = SIGNAL_OPEN;
	owner = c->owner;
	bpf_spin_unlock(&c->lock);
	count(&owner, &step);
	return c;
}

enum { STATE_ESTABLISHED = 1, STATE_CLOSE_WAIT = 8 };

// A connection that is older than the program, or than its service.
static __always_inline struct signal_connection *adopt(struct bpf_sock *sk, struct bpf_tcp_sock *tcp, const struct packet *p, int from_client)
{
	struct signal_origin_key of;

	if (sk->state != STATE_ESTABLISHED && sk->state != STATE_CLOSE_WAIT)
		return 0;
	if (!find_owner_of_packet(p, from_client, &of))
		return 0;
	return open_connection(sk, &of, tcp->rcv_nxt, tcp->snd_nxt);
}

// Bytes that the server hasn't read when it answers are of another request.
static __always_inline int has_unread(struct bpf_sock *sk)
{
	struct tcp_sock___signals *tcp = (void *)bpf_skc_to_tcp_sock(sk);

	if (!tcp)
		return 0;
	return is_after(tcp->rcv_nxt - (sk->state == STATE_CLOSE_WAIT ? RECEIVED_FIN : 0), tcp->copied_seq);
}

static __always_inline void see_segment(struct __sk_buff *skb, struct bpf_sock *sk, int from_client)
{
	struct signal_connection *c = bpf_sk_storage_get(&signal_connections, sk, 0, 0);
	struct packet p = {};
	__u8 words = 0;

	if (!c && !is_served(SIGNAL_TCP, sk->src_port))
		return;
	if (!parse_socket_packet(skb, &p) || p.protocol != IPPROTO_TCP)
		return;

	struct bpf_tcp_sock *tcp = bpf_tcp_sock(sk);

	if (!tcp)
		return;
	if (!c)
		c = adopt(sk, tcp, &p, from_client);
	if (!c)
		return;
	if (p.carries && !bpf_skb_load_bytes(skb, p.layer4 + DATA_OFFSET, &words, sizeof(words))) {
		__u32 end = bpf_ntohl(p.seq) + p.total - p.layer4 - (words >> 4) * 4;

		if (!from_client)
			happen(c, SERVER_BYTES, end, has_unread(sk));
		else if (end - tcp->rcv_nxt <= WINDOW_MOST)
			happen(c, CLIENT_BYTES, end, 0);
	}
	if (!from_client && p.ends)
		happen(c, p.ends & WITH_RST ? CONNECTION_ENDED : SERVER_CLOSED, 0, 0);
	else if (p.ends & WITH_RST && bpf_ntohl(p.seq) == tcp->rcv_nxt) // any other may be forged
		happen(c, CONNECTION_ENDED, 0, 0);
}
