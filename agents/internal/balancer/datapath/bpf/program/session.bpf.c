// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
//go:build ignore

// Chooses the backend of a connection by its TLS session, for services whose chooser is that.
// The engine's program continues here with packets of connections that it doesn't know, and
// this program continues there once it has placed one. So the packets after the hello cost
// what all others cost.
#include "answer.h"
#include "continue.h"
#include "hello_parts.h"
#include "known.h"
#include "place.h"
#include "plain.h"

// Connections that were placed by a hint. If that named a backend that doesn't have them: until
// when no hint is used.
struct {
	__uint(type, BPF_MAP_TYPE_LRU_HASH);
	__uint(max_entries, SESSION_HINTED);
	__type(key, struct flow_key);
	__type(value, __u64);
} session_hinted SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, SESSION_HINTS);
	__type(key, struct session_hint);
	__type(value, struct session_place);
} session_hints SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_RINGBUF);
	__uint(max_entries, SESSION_QUESTION_BYTES);
} session_questions SEC(".maps");

// The backends that get the clients of their sessions, by incarnation.
struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, SESSION_HINTS);
	__type(key, __u32);
	__type(value, __u32);
} session_resuming SEC(".maps");

static __always_inline int send_by_engine(struct __sk_buff *skb, const struct flow_key *key, const struct session_place *place)
{
	store_placed(key, place->slot, place->incarnation);
	bpf_tail_call(skb, &next_programs, ENGINE_SENDS);
	return TCX_DROP;
}

static __always_inline int has_flags(const struct session_place *place, __u8 flags)
{
	struct backend *backend = place->incarnation ? live(place->slot) : NULL;

	return backend && backend->incarnation == place->incarnation && (backend->flags & flags) == flags;
}

// A backend that resumes sessions now. Its connections go there even if it doesn't.
static __always_inline int resumes(const struct session_place *place)
{
	return has_flags(place, KEEPS | UP) && bpf_map_lookup_elem(&session_resuming, &place->incarnation);
}

// A new session goes where any replica would place it.
static __always_inline int place_new(const struct flow_key *key, const struct service *service, struct session_place *place)
{
	struct choice c = {};
	struct row *row = row_of(&c, hash_of(key, service->seed), service->slot);
	struct backend *backend = row ? live(row->fresh) : NULL;

	if (!backend)
		return 0;
	place->slot = row->fresh;
	place->incarnation = backend->incarnation;
	return 1;
}

// The first data of a connection.
static __always_inline int place_first(struct __sk_buff *skb, const struct packet *p, const struct flow_key *key, const struct service *service, const struct session_service *own, const struct tcp_options *o)
{
	struct hello h = { .service = service->slot, .at = p->layer4 + o->words * 4, .end = ETH_HLEN + p->total };
	struct session_place *place = &h.by_id;
	int found = read_hello(skb, &h);

	if (found == HELLO_IN_PARTS || is_searched(skb, own, &h)) {
		struct part_of_flow first = { .seq = bpf_ntohl(p->seq) };

		bpf_map_update_elem(&session_pending, key, &first, BPF_ANY);
		if (give_part(skb, key, FIRST_PART, found == HELLO_IN_PARTS ? ALLOWED_PARTS : ALLOWED_SEARCHES))
			return drop_as(COUNT_PARTS);
		if (found == HELLO_IN_PARTS)
			return drop_as(COUNT_OVER_LIMIT);
	}

	struct session_service_counts *counts = counts_of(h.service);

	if (resumes(&h.by_key)) {
		place = &h.by_key;
		count_session(COUNT_BY_KEY);
		if (counts)
			counts->by_key[SESSION_HOME]++;
	} else if (resumes(&h.by_ticket)) {
		place = &h.by_ticket;
		count_session(COUNT_BY_TICKET);
		if (counts)
			counts->by_ticket[SESSION_HOME]++;
	} else if (!own->without_ids && resumes(&h.by_id)) {
		count_session(COUNT_BY_ID);
		if (counts)
			counts->by_id[SESSION_HOME]++;
	} else {
		count_session(COUNT_NEW);
		if (counts && found == WHOLE_HELLO)
			count_lost_session(counts, &h, own->without_ids);
		else if (counts)
			counts->unreadable++;
		if (!place_new(key, service, place)) {
			count_drop(service->slot, DROP_NO_BACKEND);
			return TCX_DROP;
		}
	}
	bpf_map_delete_elem(&session_pending, key);
	bpf_map_delete_elem(&session_hinted, key); // it is of an earlier connection
	return send_by_engine(skb, key, place);
}

// The agent finds out who has the connection. Until then its packets are kept.
static __always_inline int question(struct __sk_buff *skb, const struct packet *p, const struct flow_key *key, __u32 service, __u8 may_begin)
{
	struct session_service_counts *counts = counts_of(service);
	struct session_question *q;

	if (!is_allowed(ALLOWED_EVENTS))
		return drop_as(COUNT_OVER_LIMIT);
	q = bpf_ringbuf_reserve(&session_questions, sizeof(*q), 0);
	if (!q)
		return drop_as(COUNT_OVER_LIMIT);
	q->key = *key;
	q->interface = skb->ifindex;
	q->seq = bpf_ntohl(p->seq);
	q->ack = bpf_ntohl(p->acknowledges);
	q->ends = p->ends;
	q->may_begin = may_begin;
	__builtin_memset(q->zero, 0, sizeof(q->zero));
	if (bpf_skb_load_bytes(skb, 0, q->link, sizeof(q->link))) {
		bpf_ringbuf_discard(q, 0);
		return TCX_DROP;
	}
	hold_placed(key);
	bpf_ringbuf_submit(q, 0);
	count_session(COUNT_QUESTIONS);
	if (counts)
		counts->questions++;
	bpf_tail_call(skb, &next_programs, ENGINE_SENDS);
	return TCX_DROP;
}

static __always_inline int has_wrong_hint(const struct flow_key *key)
{
	__u64 *until = bpf_map_lookup_elem(&session_hinted, key);

	return until && bpf_ktime_get_ns() < *until;
}

// A later packet of a connection that began elsewhere, or whose hello isn't complete.
static __always_inline int place_later(struct __sk_buff *skb, const struct packet *p, const struct flow_key *key, const struct service *service, const struct session_service *own, const struct tcp_options *o)
{
	struct session_hint hint = { .service = service->slot };
	int without_backend = 0;

	if (continues_hello(key, p))
		return p->carries ? pass_part(skb, key, LATER_PART, ALLOWED_PARTS) : TCX_DROP;
	for (int i = 0; i < 2 && o->times; i++) {
		hint.number = ((o->echo >> 24) - mask_of(&own->keys[i], p)) & 0xff;
		without_backend |= hint.number == 0;

		struct session_place *place = bpf_map_lookup_elem(&session_hints, &hint);

		if (place && has_flags(place, KEEPS) && !has_wrong_hint(key)) {
			__u64 right = 0;

			bpf_map_update_elem(&session_hinted, key, &right, BPF_ANY);
			count_session(COUNT_HINTED);
			return send_by_engine(skb, key, place);
		}
	}
	// It overtook the first part of its hello, or that was lost. Anyone can forge it.
	if (without_backend && !p->ends)
		return p->carries ? pass_part(skb, key, LATER_PART, ALLOWED_EVENTS) : TCX_DROP;
	return question(skb, p, key, service->slot, p->carries && !p->ends && !o->times);
}

// The next connection on the ports of a known one is placed by itself, once it proves that
// the SYN wasn't forged: by a packet that follows it.
static __always_inline void expect_another(const struct flow_key *key, const struct packet *p)
{
	struct flow *flow = bpf_map_lookup_elem(&connections, key);

	if (flow)
		note_syn(flow, p);
}

static __always_inline int segment(struct __sk_buff *skb, struct packet *p)
{
	struct flow_key key = key_of(p);
	struct service *service = service_at(&p->destination, p->destination_port, IPPROTO_TCP);
	struct session_service *own = session_at(&p->destination, p->destination_port);
	struct tcp_options o;

	if (!service || !own || !read_options(skb, p->layer4, &o)) {
		count_drop(service ? service->slot : NO_SERVICE, DROP_MALFORMED);
		return TCX_DROP;
	}
	if (p->syn) {
		forget_placed(&key); // it is of an earlier connection
		bpf_map_delete_elem(&session_pending, &key);
		if (p->carries)
			return drop_as(COUNT_UNANSWERED);
		if (!is_probe(skb))
			count_syn(service->slot);
		expect_another(&key, p);
		return answer_syn(skb, own, p, &o);
	}
	if (follows_cookie(own, p)) {
		if (p->ends & WITH_RST)
			return TCX_DROP; // there is nothing to end
		if (p->carries)
			return place_first(skb, p, &key, service, own, &o);
		if (!(p->ends & WITH_FIN))
			return drop_as(COUNT_BARE_ACKS);
		count_session(COUNT_RESETS);
		return answer_reset(skb, p);
	}
	if (!p->ends && is_cookie(own, p, bpf_ntohl(p->seq)))
		return drop_as(COUNT_BARE_ACKS); // a client's keepalive before its hello
	return place_later(skb, p, &key, service, own, &o);
}

SEC("tcx/ingress")
int place_by_session(struct __sk_buff *skb)
{
	struct packet p = {};

	return parse_plain(skb, &p) ? segment(skb, &p) : drop_as(COUNT_UNANSWERED);
}

const enum packet_ends *packet_ends_type __attribute__((unused));
const enum syn_limits *syn_limits_type __attribute__((unused));

char LICENSE[] SEC("license") = "Dual BSD/GPL";
