// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// The choice of a backend for a connection. The program that includes it defines can_use.
#pragma once

#include "costs_compare.h"

// can_use reports whether a connection can be sent to a backend.
static __always_inline bool can_use(const struct backend *backend);

static __always_inline bool is_skipped(const struct use *use, __u64 now)
{
	return use->failed_at && (__s64)(now - use->failed_at) < (__s64)SKIP_NS;
}

struct pick {
	__u64 now;
	__u64 open;		// of the best one
	__u64 weight;
	__u32 place;
	__u32 mode;
	__u32 backend;		// the best one; 0: none yet
	__u32 zero;
};

// try_member replaces the best one by a better one, and reports whether the member could be used.
__attribute__((noinline)) int try_member(struct pick *best, __u32 slot)
{
	if (!best)
		return 0;

	struct backend *backend = bpf_map_lookup_elem(&backends, &slot);
	struct use *use = use_of_backend(slot);

	if (!backend || !use || backend->place != best->place || slot == best->backend)
		return 0;
	if ((!(best->mode & FORGIVING) && is_skipped(use, best->now)) || !can_use(backend))
		return 0;

	__u64 open = open_of(use) + 1, weight = backend->weight ? backend->weight : 1;

	if (!best->backend || open * best->weight < best->open * weight) {
		best->backend = slot;
		best->open = open;
		best->weight = weight;
	}
	return 1;
}

// pick returns the slot of the backend with the fewest open connections for its weight, or 0.
__attribute__((noinline)) int pick(__u32 place_slot, __u64 now, __u32 mode)
{
	struct place *place = bpf_map_lookup_elem(&places, &place_slot);
	struct pick best = { .now = now, .place = place_slot, .mode = mode };

	if (!place)
		return 0;

	__u32 first = mode & STANDBY ? place->regular : 0, n = (mode & STANDBY ? place->count : place->regular) - first;
	__u32 found = 0;

	if (n == 0 || n > MEMBERS)
		return 0;

	__u32 at = n == 1 ? 0 : bpf_get_prandom_u32() % n; // of equal ones, one at random

	for (__u32 i = 0; i < SCANNED && (i < n || n > SCANNED); i++) {
		found += try_member(&best, place->members[(first + at) & (MEMBERS - 1)]);
		if (n > SCANNED) {
			if (found >= DRAWN)
				break;
			at = bpf_get_prandom_u32() % n;
		} else if (++at == n) {
			at = 0;
		}
	}
	return best.backend;
}

static __always_inline void sample(struct decision *decision)
{
	struct service_use *use = bpf_map_lookup_elem(&service_uses, &decision->service);
	__u32 zero = 0;

	if (!use || (__s64)(decision->at - use->sampled_at) < (__s64)SAMPLE_NS)
		return;
	use->sampled_at = decision->at;

	__u64 *count = bpf_map_lookup_elem(&sampled, &zero);

	if (!count)
		return;

	__u64 sequence = __sync_fetch_and_add(count, 1) + 1;
	__u32 at = sequence % SAMPLES;
	struct decision *to = bpf_map_lookup_elem(&samples, &at);

	if (!to)
		return;
	decision->sequence = 0;
	__builtin_memcpy(to, decision, sizeof(*to));
	__sync_fetch_and_add(&to->sequence, sequence);
}

// choose_in_mode returns the slot of a backend, or 0.
static __always_inline __u32 choose_in_mode(struct decision *decision, const struct service *service, __u32 mode)
{
	__u32 excluded = 0;

	if (!list(decision, service, mode))
		return 0;
	for (__u32 i = 0; i < ATTEMPTS; i++) {
		__u32 index = select(decision, mode, excluded);

		if (index >= CANDIDATES)
			return 0;

		__u32 backend = pick(decision->candidates[index].place, decision->at, mode);

		if (backend) {
			decision->chosen = index;
			return backend;
		}
		excluded |= 1 << index;
	}
	return 0;
}

// choose returns the slot of a backend, or 0 if none is up. Backends whose connect has just
// failed are better than none.
__attribute__((noinline)) int choose(const struct service *service, __u64 now)
{
	if (!service)
		return 0;

	struct decision decision = { .at = now, .service = service->number };
	__u32 backend = 0;

	for (__u32 mode = REGULAR; mode <= (STANDBY | FORGIVING) && !backend; mode++)
		backend = choose_in_mode(&decision, service, mode);
	if (backend) {
		decision.backend = backend;
		sample(&decision);
		return backend;
	}

	struct service_use *use = bpf_map_lookup_elem(&service_uses, &decision.service);

	if (use)
		__sync_fetch_and_add(&use->refused, 1);
	return 0;
}
