// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// The sockets of all network namespaces that count as open connections.
#pragma once

#include "sockets_maps.h"
#include "walk.h"

// Only what is read of the kernel's structs.
struct ns_common {
	unsigned int inum;
} __attribute__((preserve_access_index));

struct net {
	struct ns_common ns;
} __attribute__((preserve_access_index));

typedef struct {
	struct net *net;
} __attribute__((preserve_access_index)) possible_net_t;

struct in6_address {
	__be32 word[4];
};

struct sock_common {
	__be32 skc_daddr;
	__be32 skc_rcv_saddr;
	__be16 skc_dport;
	__u16 skc_num;
	unsigned short skc_family;
	possible_net_t skc_net;
	struct in6_address skc_v6_daddr;
	struct in6_address skc_v6_rcv_saddr;
} __attribute__((preserve_access_index));

struct sock {
	struct sock_common __sk_common;
	__u16 sk_protocol;
} __attribute__((preserve_access_index));
