// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
//go:build ignore

// Next to a server whose connections balancers place by TLS session. It makes the kernel
// create a connection from the first packet that a balancer sends on, if that proves by its
// cookie that the handshake took place. The server accepts the connection as any other.
#include "companion_events.h"
#include "former_socket.h"
#include "plain.h"
#include "service.h"
#include "tls.h"

static __always_inline struct bpf_sock *socket_of(struct __sk_buff *skb, const struct packet *p)
{
	struct bpf_sock_tuple tuple = {};

	if (p->ipv6) {
		__builtin_memcpy(tuple.ipv6.saddr, &p->source, sizeof(tuple.ipv6.saddr));
		__builtin_memcpy(tuple.ipv6.daddr, &p->destination, sizeof(tuple.ipv6.daddr));
		tuple.ipv6.sport = p->source_port;
		tuple.ipv6.dport = p->destination_port;
		return bpf_skc_lookup_tcp(skb, &tuple, sizeof(tuple.ipv6), BPF_F_CURRENT_NETNS, 0);
	}
	tuple.ipv4.saddr = p->source.word[3];
	tuple.ipv4.daddr = p->destination.word[3];
	tuple.ipv4.sport = p->source_port;
	tuple.ipv4.dport = p->destination_port;
	return bpf_skc_lookup_tcp(skb, &tuple, sizeof(tuple.ipv4), BPF_F_CURRENT_NETNS, 0);
}

static __always_inline int accept_first(struct __sk_buff *skb, const struct session_service *service, const struct packet *p, struct bpf_sock *listener)
{
	__u32 cookie = bpf_ntohl(p->acknowledges) - 1, scale = cookie >> COOKIE_SCALE & 15;
	struct tcp_options o;

	if (!read_options(skb, p->layer4, &o))
		return -1;

	struct bpf_tcp_req_attrs attributes = {
		.mss = cookie_sizes[cookie & COOKIE_SIZES],
		.sack_ok = cookie >> COOKIE_SACK & 1,
		.tstamp_ok = o.times,
		.rcv_tsval = o.value,
		// The connection's timestamps continue those of the replica's answer, with our number.
		.rcv_tsecr = o.echo + ((__u32)service->number << 24),
	};

	if (p->ipv6 && attributes.mss < SIZE_LEAST6)
		attributes.mss = SIZE_LEAST6;
	if (scale != NO_SCALE) {
		attributes.wscale_ok = 1;
		attributes.snd_wscale = scale > SCALE_MOST ? SCALE_MOST : scale;
		attributes.rcv_wscale = WINDOW_SCALE;
	}

	struct sock *sk = (struct sock *)bpf_skc_to_tcp_sock(listener);

	return sk ? bpf_sk_assign_tcp_reqsk(skb, sk, &attributes, sizeof(attributes)) : -1;
}

static __always_inline int segment(struct __sk_buff *skb, struct session_service *service, struct packet *p)
{
	int is_first, is_again = skb->mark == RESET_BEFORE;
	struct bpf_sock *sk;
	__u32 expected = 0;

	if (is_again)
		skb->mark = 0; // it is for this program only
	sk = socket_of(skb, p);
	if (sk && continues(sk, p)) {
		bpf_sk_release(sk);
		return TCX_NEXT;
	}
	is_first = p->carries && follows_cookie(service, p);
	if (!sk)
		return is_first ? TCX_NEXT : not_mine(p); // the server is gone: the kernel answers that
	if (sk->state == STATE_LISTEN) {
		int failed = is_first ? accept_first(skb, service, p, sk) : 0;

		bpf_sk_release(sk);
		if (!is_first)
			return not_mine(p);
		count_companion(failed ? COUNT_REFUSED : COUNT_ACCEPTED);
		if (!failed)
			count_accepted(p);
		return failed ? TCX_DROP : TCX_NEXT;
	}
	if (is_first && !keeps_socket(skb, sk, service, p, &expected)) {
		bpf_sk_release(sk);
		return is_again ? TCX_DROP : replace_socket(skb, p, expected);
	}
	bpf_sk_release(sk);
	return TCX_NEXT;
}

// Packets of other services and handshakes without a balancer are left to the kernel.
SEC("tcx/ingress")
int accept_session(struct __sk_buff *skb)
{
	struct packet p = {};

	if (!parse_plain(skb, &p) || p.syn || p.ends & WITH_RST)
		return TCX_NEXT;

	struct session_service *service = session_at(&p.destination, p.destination_port);

	return service ? segment(skb, service, &p) : TCX_NEXT;
}

enum {
	SERVER_HELLO = 2,
	SERVER_EXTENSIONS = 16,
	AFTER_ID = 3,			// the cipher suite and the compression
};

// Whether a ServerHello begins a session that its client can resume by its id alone: not one
// of TLS 1.3, and none with a ticket.
static __always_inline int gives_id(struct __sk_buff *skb, __u32 at, __u32 end)
{
	__u8 b[4];

	for (int i = 0; i < SERVER_EXTENSIONS; i++) {
		if (at + 4 > end || bpf_skb_load_bytes(skb, at, b, 4))
			break;
		if (pair(b) == EXTENSION_VERSIONS || pair(b) == EXTENSION_TICKET)
			return 0;
		at += 4 + pair(b + 2);
	}
	return 1;
}

// Session ids are in the clear in TLS 1.2.
SEC("tcx/egress")
int learn_session(struct __sk_buff *skb)
{
	struct packet p = {};
	__u8 b[HELLO_START], words;

	if (!parse_plain(skb, &p))
		return TCX_NEXT;
	if (p.ends & WITH_RST)
		return note_reset(&p);
	if (!p.carries || bpf_skb_load_bytes(skb, p.layer4 + TCP_WORDS, &words, sizeof(words)))
		return TCX_NEXT;

	__u32 at = p.layer4 + (words >> 4) * 4;
	struct flow_key key = key_of_answer(&p);

	if (bpf_skb_load_bytes(skb, at, b, sizeof(b)) || b[0] != HANDSHAKE || b[5] != SERVER_HELLO || !session_at(&p.source, p.source_port))
		return TCX_NEXT;

	__u32 end = at + HELLO_START + pair(b + 7);

	if (bpf_skb_load_bytes(skb, at + ID_AT, b, 1) || b[0] != ID_BYTES || !gives_id(skb, at + ID_AT + 1 + ID_BYTES + AFTER_ID + 2, end))
		return TCX_NEXT;

	struct companion_event *event = new_event(SESSION_LEARNT, &key, ALLOWED_PARTS);

	if (!event)
		return TCX_NEXT;
	if (bpf_skb_load_bytes(skb, at + ID_AT + 1, event->id, ID_BYTES)) {
		bpf_ringbuf_discard(event, 0);
		return TCX_NEXT;
	}
	bpf_ringbuf_submit(event, 0);
	count_companion(COUNT_LEARNT);
	return TCX_NEXT;
}

char LICENSE[] SEC("license") = "Dual BSD/GPL";
