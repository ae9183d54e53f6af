// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// Tells the packets of a connection from those of an earlier one on the same ports, whose socket
// makes way.
#pragma once

#include "companion_events.h"
#include "cookie.h"
#include "sockets.h"
#include "tcx.h"

// The fields that become a reset's.
struct reset_fields {
	__be32 seq;
	__be16 flags;			// and the length of the header
};

static __always_inline long store_fields(struct __sk_buff *skb, __u32 layer4, const struct reset_fields *from, const struct reset_fields *to)
{
	__u32 check = layer4 + offsetof(struct tcphdr, check);

	return bpf_l4_csum_replace(skb, check, from->seq, to->seq, sizeof(to->seq)) ||
	       bpf_l4_csum_replace(skb, check, from->flags, to->flags, sizeof(to->flags)) ||
	       bpf_skb_store_bytes(skb, layer4 + offsetof(struct tcphdr, seq), &to->seq, sizeof(to->seq), 0) ||
	       bpf_skb_store_bytes(skb, layer4 + 12, &to->flags, sizeof(to->flags), 0);
}

enum {
	RESET_BEFORE = 0x7e57,		// the mark of a packet that waits for its reset
	RESET_FLAG = 4,
};

// A socket of an earlier connection on the same ports is in the way. Its client has
// forgotten it, so a reset ends it, and the packet arrives again after that.
static __always_inline int replace_socket(struct __sk_buff *skb, const struct packet *p, __u32 expected)
{
	struct reset_fields was = { .seq = p->seq }, reset = { .seq = bpf_htonl(expected) };

	if (bpf_skb_load_bytes(skb, p->layer4 + 12, &was.flags, sizeof(was.flags)))
		return TCX_DROP;
	reset.flags = (was.flags & bpf_htons(0xf000)) | bpf_htons(RESET_FLAG);
	count_companion(COUNT_REPLACED);
	if (store_fields(skb, p->layer4, &was, &reset))
		return TCX_DROP;
	bpf_clone_redirect(skb, skb->ifindex, BPF_F_INGRESS);
	if (store_fields(skb, p->layer4, &reset, &was))
		return TCX_DROP;
	skb->mark = RESET_BEFORE;
	return bpf_redirect(skb->ifindex, BPF_F_INGRESS);
}

// Whether a packet echoes our answer's timestamp. A cookie has only 23 secret bits, which are
// too few to end a live connection by a forged packet; this adds 8.
static __always_inline int echoes_answer(struct __sk_buff *skb, const struct session_service *service, const struct packet *p)
{
	struct tcp_options o;

	return read_options(skb, p->layer4, &o) && o.times &&
	       (o.echo >> 24 == mask_of(&service->keys[0], p) || o.echo >> 24 == mask_of(&service->keys[1], p));
}

// A socket of an earlier connection makes way. If it isn't one that has ended, its own first
// number is a cookie, too, or that of a handshake without a balancer.
static __always_inline int keeps_socket(struct __sk_buff *skb, struct bpf_sock *sk, const struct session_service *service, const struct packet *p, __u32 *expected)
{
	if (sk->state == STATE_TIME_WAIT) {
		struct tcp_timewait_sock *ended = bpf_skc_to_tcp_timewait_sock(sk);

		if (!ended)
			return 1;
		*expected = ended->tw_sk.__tw_common.skc_tw_rcv_nxt;
		return 0;
	}

	struct bpf_tcp_sock *tcp = bpf_tcp_sock(sk);

	if (!tcp)
		return 1;

	__u32 first = tcp->snd_una - (__u32)tcp->bytes_acked, next = tcp->rcv_nxt;

	asm volatile("" : "+r"(first), "+r"(next)); // the verifier allows no pointer to a field
	*expected = next;
	return first == bpf_ntohl(p->acknowledges) || !echoes_answer(skb, service, p);
}

enum { NEAR = 1 << 20 };		// bytes

// Whether a packet is of a live connection, by both of its numbers. Most are, and need no look
// at their cookie.
static __always_inline int continues(struct bpf_sock *sk, const struct packet *p)
{
	struct bpf_tcp_sock *tcp = sk->state == STATE_ESTABLISHED ? bpf_tcp_sock(sk) : NULL;

	if (!tcp)
		return 0;

	__u32 acknowledged = tcp->snd_una, sent = tcp->snd_nxt, next = tcp->rcv_nxt;

	asm volatile("" : "+r"(acknowledged), "+r"(sent), "+r"(next)); // the verifier allows no pointer to a field
	return bpf_ntohl(p->acknowledges) - acknowledged <= sent - acknowledged && bpf_ntohl(p->seq) - next + NEAR < 2 * NEAR;
}
