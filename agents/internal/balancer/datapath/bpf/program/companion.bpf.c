// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
//go:build ignore

// Next to a server whose connections balancers place by TLS session. It makes the kernel
// create a connection from the first packet that a balancer sends on, if that proves by its
// cookie that the handshake took place. The server accepts the connection as any other.
#include "cookie.h"
#include "plain.h"
#include "service.h"
#include "sockets.h"
#include "tcx.h"
#include "tls.h"

struct {
	__uint(type, BPF_MAP_TYPE_RINGBUF);
	__uint(max_entries, SESSION_QUESTION_BYTES);
} companion_events SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_PERCPU_ARRAY);
	__uint(max_entries, COMPANION_COUNTS);
	__type(key, __u32);
	__type(value, __u64);
} companion_counts SEC(".maps");

// Of each service. The companion adds the entries.
struct {
	__uint(type, BPF_MAP_TYPE_PERCPU_HASH);
	__uint(max_entries, SESSION_SERVICES);
	__uint(map_flags, BPF_F_NO_PREALLOC);
	__type(key, struct service_key);
	__type(value, __u64);
} companion_accepted SEC(".maps");

static __always_inline void count_accepted(const struct packet *p)
{
	struct service_key key = { .address = p->destination, .port = p->destination_port, .protocol = p->protocol };
	__u64 *count = bpf_map_lookup_elem(&companion_accepted, &key);

	if (count)
		(*count)++;
}

static __always_inline void count_companion(__u32 what)
{
	__u64 *count = bpf_map_lookup_elem(&companion_counts, &what);

	if (count)
		(*count)++;
}

static __always_inline struct companion_event *new_event(enum companion_event_kind kind, const struct flow_key *key, enum allowed allowed)
{
	struct companion_event *event = is_allowed(allowed) ? bpf_ringbuf_reserve(&companion_events, sizeof(*event), 0) : NULL;

	if (!event)
		return NULL;
	event->kind = kind;
	event->key = *key;
	__builtin_memset(event->id, 0, sizeof(event->id));
	return event;
}

// A reset would end a connection that another backend has, so the packet is dropped, and the
// balancer learns that its hint was wrong.
static __always_inline int not_mine(const struct packet *p)
{
	struct flow_key key = key_of(p);
	struct companion_event *event = new_event(NOT_MINE, &key, ALLOWED_EVENTS);

	if (event)
		bpf_ringbuf_submit(event, 0);
	count_companion(COUNT_NOT_MINE);
	return TCX_DROP;
}

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

static __always_inline int segment(struct __sk_buff *skb, struct session_service *service, struct packet *p)
{
	int is_first = p->carries && follows_cookie(service, p), is_again = skb->mark == RESET_BEFORE;
	struct bpf_sock *sk;
	__u32 expected = 0;

	if (is_again)
		skb->mark = 0; // it is for this program only
	sk = socket_of(skb, p);

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
	struct tcp_options o;
	__u8 b[HELLO_START];

	if (!parse_plain(skb, &p) || !p.carries || !session_at(&p.source, p.source_port) || !read_options(skb, p.layer4, &o))
		return TCX_NEXT;

	__u32 at = p.layer4 + o.words * 4;
	struct flow_key key = key_of_answer(&p);

	if (bpf_skb_load_bytes(skb, at, b, sizeof(b)) || b[0] != HANDSHAKE || b[5] != SERVER_HELLO)
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
