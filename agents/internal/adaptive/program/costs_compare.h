// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// The nodes that are compared for a connection, and which of them has it.
#pragma once

#include "costs_value.h"

#define TOO_OLD (~0ULL)

enum mode {
	REGULAR = 0,
	STANDBY = 1,	// backends with weight 0
	FORGIVING = 2,	// also those whose connect failed a moment ago
};

static __always_inline bool has_standby(__u32 slot)
{
	struct place *place = bpf_map_lookup_elem(&places, &slot);

	return place && place->count > place->regular;
}

// Functions that aren't inlined are verified once, not for each call.
__attribute__((noinline)) int add(struct decision *decision, __u32 slot, bool is_local, __u32 mode)
{
	if (!decision)
		return 0;

	struct cost *cost = bpf_map_lookup_elem(&costs, &slot);
	struct use *use = use_of_place(slot);
	__u32 index = decision->count;

	if (!cost || !use || (mode & STANDBY && !has_standby(slot)) || index >= CANDIDATES)
		return 0;

	struct candidate *candidate = &decision->candidates[index];
	__u64 open = open_of(use), written_at = cost->written_at;

	open = open < OPEN_MOST ? open : OPEN_MOST;

	candidate->place = slot;
	candidate->beside = 0;
	candidate->cost = TOO_OLD;
	// The agent may have written it after this program read the time.
	if (written_at && (__s64)(decision->at - written_at) <= (__s64)FIGURES_NS) {
		__u64 beside = is_local ? beside_here(decision->service) : beside_there(cost, open, entered_since(slot, cost));

		candidate->beside = beside < REQUESTS_MOST ? beside : REQUESTS_MOST;
		candidate->cost = cost_of(cost, open, beside);
	}
	decision->count = index + 1;
	return 1;
}

// draw returns distinct indexes below n, which is more than their number.
static __always_inline void draw(__u32 n, __u32 drawn[DRAWN_OTHERS])
{
	__u32 first = bpf_get_prandom_u32() % n, second = bpf_get_prandom_u32() % (n - 1), third = bpf_get_prandom_u32() % (n - 2);

	if (second >= first)
		second++;

	__u32 low = first < second ? first : second, high = first < second ? second : first;

	if (third >= low)
		third++;
	if (third >= high)
		third++;
	drawn[0] = first;
	drawn[1] = second;
	drawn[2] = third;
}

__attribute__((noinline)) int list(struct decision *decision, const struct service *service, __u32 mode)
{
	if (!decision || !service)
		return 0;

	__u32 n = mode & STANDBY ? service->count : service->regular, drawn[DRAWN_OTHERS];

	decision->count = 0;
	decision->has_local = 0;
	if (service->local && (mode & STANDBY || service->local_regular)) {
		add(decision, service->local, true, mode);
		decision->has_local = decision->count;
	}
	if (n <= ALL_OTHERS) {
		for (__u32 i = 0; i < ALL_OTHERS && i < n; i++)
			add(decision, service->others[i], false, mode);
		return decision->count;
	}
	draw(n, drawn);
	for (__u32 i = 0; i < DRAWN_OTHERS; i++)
		add(decision, service->others[drawn[i] & (OTHERS - 1)], false, mode);
	return decision->count;
}

__attribute__((noinline)) int weight_of(__u32 slot, __u32 mode)
{
	struct place *place = bpf_map_lookup_elem(&places, &slot);

	if (!place)
		return 0;
	return mode & STANDBY ? place->count - place->regular : place->weight;
}

// Places whose figures are too old have the share of connections that their weight is of all.
// It returns the number of candidates for "none of them".
__attribute__((noinline)) int by_weight(const struct decision *decision, __u32 mode, __u32 excluded)
{
	if (!decision)
		return CANDIDATES;

	__u64 all = 0, old = 0;

	for (__u32 i = 0; i < CANDIDATES && i < decision->count; i++) {
		if (excluded & 1 << i)
			continue;

		__u32 weight = weight_of(decision->candidates[i].place, mode);

		all += weight;
		if (decision->candidates[i].cost == TOO_OLD)
			old += weight;
	}
	if (!old)
		return CANDIDATES;

	__u64 at = bpf_get_prandom_u32() % all;

	for (__u32 i = 0; i < CANDIDATES && i < decision->count; i++) {
		if (excluded & 1 << i || decision->candidates[i].cost != TOO_OLD)
			continue;

		__u32 weight = weight_of(decision->candidates[i].place, mode);

		if (at < weight)
			return i;
		at -= weight;
	}
	return CANDIDATES;
}

// Of equal costs, this node's wins, and else one at random.
__attribute__((noinline)) int by_cost(const struct decision *decision, __u32 excluded)
{
	if (!decision)
		return CANDIDATES;

	__u64 least = TOO_OLD;
	__u32 best = CANDIDATES, equal = 0;

	for (__u32 i = 0; i < CANDIDATES && i < decision->count; i++) {
		__u64 cost = decision->candidates[i].cost;

		if (excluded & 1 << i || cost > least || cost == TOO_OLD)
			continue;
		if (cost < least) {
			least = cost;
			best = i;
			equal = 1;
			continue;
		}
		if (best == 0 && decision->has_local)
			continue;
		equal++;
		if (bpf_get_prandom_u32() % equal == 0)
			best = i;
	}
	return best;
}

// select returns the index of a candidate, or CANDIDATES.
__attribute__((noinline)) int select(struct decision *decision, __u32 mode, __u32 excluded)
{
	if (!decision)
		return CANDIDATES;

	bool is_old = false;

	for (__u32 i = 0; i < CANDIDATES && i < decision->count; i++)
		is_old |= decision->candidates[i].cost == TOO_OLD;
	if (is_old) {
		__u32 found = by_weight(decision, mode, excluded);

		if (found < CANDIDATES) {
			decision->reason = BY_WEIGHT;
			return found;
		}
	}
	decision->reason = BY_COST;
	return by_cost(decision, excluded);
}
