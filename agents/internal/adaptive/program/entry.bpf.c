// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
//go:build ignore

// Chooses the backend of connections that arrive at a balancer of this node, by the costs that
// the programs of sockets use. The engine's program continues here with packets that begin a
// connection, and again with those by which one has begun or ended.
#include "costs_choose.h"
#include "entry.h"
#include "follow.h"
#include "parse.h"
#include "probe.h"
#include "verdict.h"

// The packet for which a backend is chosen. Not on the stack, which choose needs: Linux 6.1 rounds each function's part of
// its 512 bytes up to 32.
struct entering {
	struct packet packet;
	struct entry_key key;
	struct service_key service;
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

	if (!p->syn || !flow->unanswered || !backend || !use || backend->place != flow->place || !backend->up)
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

// Returns the slot of a backend that a connection has already, or 0.
static __always_inline __u32 known_backend(struct entering *e, __u64 now)
{
	struct entry_flow *known = bpf_map_lookup_elem(&entry_flows, &e->key);

	if (!known)
		return 0;

	__u32 slot = known->backend;

	if (is_repeated(known, &e->packet, now))
		return slot;
	end_entry(&e->key, known); // of another connection on these ports
	return 0;
}

static __always_inline struct entering *entering_now(void)
{
	__u32 zero = 0;

	return bpf_map_lookup_elem(&entering, &zero);
}

// place_at has the connection sent to a backend. Not inlined, because choose needs the room on the stack.
__attribute__((noinline)) int place_at(__u32 slot, bool is_new, __u64 now)
{
	struct entering *e = entering_now();
	struct backend *backend = bpf_map_lookup_elem(&backends, &slot);
	struct entry_target *target = slot && backend ? target_of(backend) : NULL;

	if (!e || !target)
		return 0;
	store_placed(&e->key.flow, target->slot, target->incarnation);
	if (e->packet.protocol == IPPROTO_UDP)
		count_datagrams(backend->place, slot);
	else if (is_new)
		begin_entry(&e->key, backend->place, slot, target->direct, now);
	return 1;
}

static __always_inline void place_entering(struct entering *e)
{
	__u64 now = bpf_ktime_get_boot_ns();
	__u32 known = known_backend(e, now);
	struct service *service = known ? NULL : bpf_map_lookup_elem(&services, &e->service);

	place_at(service ? choose(service, now) : known, !known, now);
}

// Probes are drawn by weight: they are no clients, so they count nowhere.
SEC("tcx/ingress")
int choose_by_cost(struct __sk_buff *skb)
{
	struct entering *e = entering_now();

	if (e && !is_probe(skb)) {
		__builtin_memset(&e->packet, 0, sizeof(e->packet));
		if (parse((void *)(long)skb->data, (void *)(long)skb->data_end, skb->len, skb->gso_size != 0, &e->packet) == SEGMENT) {
			e->key = (struct entry_key){ .flow = key_of(&e->packet), .replica = own_replica() };
			e->service = (struct service_key){ e->packet.destination, e->packet.destination_port, e->packet.protocol, 0 };
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

// For connections whose end no packet showed. Meanwhile another one may have begun on these ports.
SEC("syscall")
int end_entry_flow(struct ended_flow *of_caller)
{
	struct ended_flow ended = *of_caller;
	struct entry_flow *flow = bpf_map_lookup_elem(&entry_flows, &ended.key);

	if (flow && flow->at == ended.at)
		end_entry(&ended.key, flow);
	return 0;
}

char LICENSE[] SEC("license") = "Dual BSD/GPL";
