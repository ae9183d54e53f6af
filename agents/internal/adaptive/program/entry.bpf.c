// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
//go:build ignore

// Chooses the backend of connections that arrive at a balancer of this node, by the costs that
// the programs of sockets use. The engine's program continues here with packets that begin a
// connection, and again with those by which one has begun or ended.
#include "costs_choose.h"
#include "entry.h"
#include "follow.h"
#include "parse.h"
#include "verdict.h"

// The packet for which a backend is chosen. Not on the stack, which choose needs.
struct entering {
	struct packet packet;
	struct entry_key key;
};

struct {
	__uint(type, BPF_MAP_TYPE_PERCPU_ARRAY);
	__uint(max_entries, 1);
	__type(key, __u32);
	__type(value, struct entering);
} entering SEC(".maps");

static __always_inline bool can_use(const struct backend *backend)
{
	struct entry_target *target = target_of(backend);

	return target && target->takes;
}

// A client that repeats its SYN has no answer. The connection stays where it is, because the answer may be on its way.
static __always_inline bool is_repeated(struct entry_flow *flow, const struct packet *p, __u64 now)
{
	__u32 slot = flow->backend;
	struct backend *backend = bpf_map_lookup_elem(&backends, &slot);
	struct use *use = use_of_backend(slot);

	if (!p->syn || !flow->unanswered || !backend || !use || backend->place != flow->place || !backend->up || !can_use(backend))
		return false;
	if (now - flow->at >= UNANSWERED_NS && use->answered_at < flow->at) {
		skip_backend(slot, now);
		if (!flow->failed) {
			flow->failed = 1;
			count_failure(flow->place, slot);
		}
	}
	return true;
}

// Returns the slot of a backend, or 0.
static __always_inline __u32 chosen_for(const struct packet *p, const struct entry_key *key)
{
	struct service_key at = { .address = p->destination, .port = p->destination_port, .protocol = p->protocol };
	struct service *service = bpf_map_lookup_elem(&services, &at);
	struct entry_flow *known = bpf_map_lookup_elem(&entry_flows, key);
	__u64 now = bpf_ktime_get_boot_ns();

	if (known) {
		__u32 before = known->backend;

		if (is_repeated(known, p, now))
			return before;
		end_entry(key, known); // of another connection on these ports
	}

	__u32 slot = service ? choose(service, now) : 0;
	struct backend *backend = bpf_map_lookup_elem(&backends, &slot);
	struct entry_target *target = slot && backend ? target_of(backend) : NULL;

	if (!target)
		return 0;
	if (p->protocol == IPPROTO_TCP)
		begin_entry(key, backend->place, slot, target->direct, now);
	else
		count_datagrams(backend->place);
	return slot;
}

static __always_inline void place_entering(struct entering *e)
{
	__u32 slot = chosen_for(&e->packet, &e->key);
	struct backend *backend = bpf_map_lookup_elem(&backends, &slot);
	struct entry_target *target = slot && backend ? target_of(backend) : NULL;

	if (target)
		store_placed(&e->key.flow, target->slot, target->incarnation);
}

SEC("tcx/ingress")
int choose_by_cost(struct __sk_buff *skb)
{
	__u32 zero = 0;
	struct entering *e = bpf_map_lookup_elem(&entering, &zero);

	if (e) {
		__builtin_memset(&e->packet, 0, sizeof(e->packet));
		if (parse((void *)(long)skb->data, (void *)(long)skb->data_end, skb->len, skb->gso_size != 0, &e->packet) == SEGMENT) {
			e->key = (struct entry_key){ .flow = key_of(&e->packet), .replica = own_replica() };
			place_entering(e);
		}
	}
	skb->cb[0] = CHOSEN_BY_COST;
	bpf_tail_call(skb, &next_programs, ENGINE_SENDS);
	return TCX_DROP;
}

static __always_inline void happen(const struct followed *to, __u64 now)
{
	struct entry_key key = { .flow = to->key, .replica = own_replica() };
	struct entry_flow *flow = bpf_map_lookup_elem(&entry_flows, &key);

	if (!flow)
		return;
	if (to->what & BEGAN && flow->unanswered) {
		__u32 slot = flow->backend;
		struct use *use = use_of_backend(slot);

		flow->unanswered = 0;
		if (use)
			use->answered_at = now;
	}
	if (!(to->what & ENDED))
		return;
	if (to->what & REFUSED && flow->unanswered) {
		skip_backend(flow->backend, now);
		if (!flow->failed)
			count_failure(flow->place, flow->backend);
	}
	end_entry(&key, flow);
}

SEC("tcx/ingress")
int follow_connection(struct __sk_buff *skb)
{
	__u32 zero = 0;
	struct followed *to = bpf_map_lookup_elem(&followed, &zero);

	if (to)
		happen(to, bpf_ktime_get_boot_ns());
	return TCX_REDIRECT;
}

// For connections whose end no packet showed.
SEC("syscall")
int end_entry_flow(struct entry_key *of_caller)
{
	struct entry_key key = *of_caller;
	struct entry_flow *flow = bpf_map_lookup_elem(&entry_flows, &key);

	if (flow)
		end_entry(&key, flow);
	return 0;
}

char LICENSE[] SEC("license") = "Dual BSD/GPL";
