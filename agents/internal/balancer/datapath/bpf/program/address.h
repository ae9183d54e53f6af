// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// Addresses as all programs and the agent have them, also the programs of strategy adaptive.
#pragma once

#include <linux/bpf.h>
#include <linux/in.h>
#include <linux/in6.h>
#include <bpf/bpf_endian.h>
#include <bpf/bpf_helpers.h>

enum {
	MAPPED = 0xffff,
	FAMILY_OF_IPV4 = 2,	// AF_INET, whose header needs a C library
};

// IPv4 as ::ffff:a.b.c.d, so that one map is enough for both families.
struct address {
	__be32 word[4];
};

struct service_key {
	struct address address;
	__be16 port;		// 0 with protocol 0: some service has this address
	__u8 protocol;
	__u8 zero;
};

static __always_inline void set_ipv4(struct address *a, __be32 ip)
{
	a->word[0] = 0;
	a->word[1] = 0;
	a->word[2] = bpf_htonl(MAPPED);
	a->word[3] = ip;
}

static __always_inline void set_ipv6(struct address *a, const struct in6_addr *ip)
{
	__builtin_memcpy(a, ip, sizeof(*a));
}

static __always_inline int is_ipv4(const struct address *a)
{
	return a->word[0] == 0 && a->word[1] == 0 && a->word[2] == bpf_htonl(MAPPED);
}

// The last words differ most often, so they are compared first.
static __always_inline int same_address(const struct address *a, const struct address *b)
{
	return a->word[3] == b->word[3] && a->word[2] == b->word[2] && a->word[1] == b->word[1] && a->word[0] == b->word[0];
}
