// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// The counts of services and of the nodes that their requests come from.
#pragma once

#include "in_flight.h"
#include "signals.h"

struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(max_entries, SERVICE_NUMBERS);
	__type(key, __u32);
	__type(value, struct signal_service);
} signal_services SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, SIGNAL_ORIGINS);
	__uint(map_flags, BPF_F_NO_PREALLOC);
	__type(key, struct signal_origin_key);
	__type(value, struct signal_origin);
} signal_origins SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(max_entries, 1);
	__type(key, __u32);
	__type(value, __u32);
} signal_epoch SEC(".maps");

static __always_inline __u32 current_epoch(void)
{
	__u32 zero = 0, *epoch = bpf_map_lookup_elem(&signal_epoch, &zero);

	return epoch ? *epoch & 1 : 0;
}

// What happened to one connection or flow.
struct signal_step {
	__s32 open;
	__s32 in_flight;
	__u32 arrived;
	__u32 done;
};

// Brings the integral up to now. Another CPU may have done so for a later time.
static __always_inline void integrate(struct signal_service *s, __u64 now)
{
	if (now <= s->at)
		return;

	__u64 jobs = s->in_flight > 0 ? (__u64)s->in_flight * SIGNAL_CORE : 0;
	__u64 parts = (jobs < s->cores ? jobs : s->cores) * (now - s->at) + s->rest;

	s->busy += parts / SIGNAL_CORE;
	s->rest = parts % SIGNAL_CORE;
	s->at = now;
}

// Returns whether the service is still the one that was counted before.
static __always_inline int count_in_flight(const struct signal_origin_key *of, __s32 change)
{
	__u32 number = of->service;
	struct signal_service *s = bpf_map_lookup_elem(&signal_services, &number);
	__s64 *shared = bpf_map_lookup_elem(&in_flight, &number);
	__u64 now = bpf_ktime_get_ns();
	int is_same;

	if (!s || !shared)
		return 0;
	bpf_spin_lock(&s->lock);
	is_same = s->incarnation == of->incarnation;
	if (is_same && change) {
		integrate(s, now);
		s->in_flight += change;
		*shared = s->in_flight > 0 ? s->in_flight : 0;
	}
	bpf_spin_unlock(&s->lock);
	return is_same;
}

static __always_inline struct signal_origin *origin_of(const struct signal_origin_key *of)
{
	struct signal_origin *origin = bpf_map_lookup_elem(&signal_origins, of);
	struct signal_origin none = {};

	if (origin)
		return origin;
	bpf_map_update_elem(&signal_origins, of, &none, BPF_NOEXIST);
	return bpf_map_lookup_elem(&signal_origins, of);
}

static __always_inline void count(const struct signal_owner *owner, const struct signal_step *step)
{
	if (!step->open && !step->in_flight && !step->arrived && !step->done)
		return;
	if (!count_in_flight(&owner->of, step->in_flight))
		return;

	struct signal_origin *origin = origin_of(&owner->of);
	__u32 epoch = owner->epoch & 1;

	if (!origin)
		return;
	if (step->open)
		__sync_fetch_and_add(&origin->open[epoch], (__s64)step->open);
	if (step->open > 0)
		__sync_fetch_and_add(&origin->opened, 1);
	if (step->in_flight)
		__sync_fetch_and_add(&origin->in_flight[epoch], (__s64)step->in_flight);
	if (step->arrived)
		__sync_fetch_and_add(&origin->arrived, step->arrived);
	if (step->done)
		__sync_fetch_and_add(&origin->done, step->done);
}

// Gives what a connection or a flow has the other epoch. If its service was removed and added since,
// it isn't counted: then the former epoch gets below 0, which is corrected like any drift.
static __always_inline void change_epoch(const struct signal_origin_key *of, __u32 to, __s64 open, __s64 waiting)
{
	struct signal_origin *origin = count_in_flight(of, 0) ? origin_of(of) : 0;

	to &= 1;
	if (!origin)
		return;
	if (open) {
		__sync_fetch_and_add(&origin->open[to], open);
		__sync_fetch_and_add(&origin->open[to ^ 1], -open);
	}
	if (waiting) {
		__sync_fetch_and_add(&origin->in_flight[to], waiting);
		__sync_fetch_and_add(&origin->in_flight[to ^ 1], -waiting);
	}
}
