// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// The hash that distinguishes flows and selects rows of a table.
#pragma once

#include "layout.h"

// It must be the same on all replicas and in all versions. layout.go has a copy for the agent.
static __always_inline __u64 hash_of(const struct flow_key *key, __u32 seed)
{
	__u64 high = key->client.word[0] | (__u64)key->client.word[1] << 32;
	__u64 low = key->client.word[2] | (__u64)key->client.word[3] << 32;
	__u64 hash = (high ^ seed) * 0x9e3779b97f4a7c15;

	hash = (hash ^ hash >> 32 ^ low) * 0xbf58476d1ce4e5b9;
	hash = (hash ^ hash >> 29 ^ key->client_port) * 0x94d049bb133111eb;
	return hash ^ hash >> 32;
}
