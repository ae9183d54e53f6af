// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// Addresses of system calls, of both families.
#pragma once

#include "sockets_maps.h"

struct endpoint {
	struct address address;
	__be16 port;
	__u16 zero;
};

static __always_inline struct endpoint read4(const struct bpf_sock_addr *ctx)
{
	struct endpoint at = { .port = ctx->user_port };

	set_ipv4(&at.address, ctx->user_ip4);
	return at;
}

static __always_inline void write4(struct bpf_sock_addr *ctx, const struct address *address, __be16 port)
{
	ctx->user_ip4 = address->word[3];
	ctx->user_port = port;
}

// A socket of IPv6 can have a destination of IPv4, which has the same form as in the maps.
static __always_inline struct endpoint read6(const struct bpf_sock_addr *ctx)
{
	return (struct endpoint){ { { ctx->user_ip6[0], ctx->user_ip6[1], ctx->user_ip6[2], ctx->user_ip6[3] } }, ctx->user_port, 0 };
}

static __always_inline void write6(struct bpf_sock_addr *ctx, const struct address *address, __be16 port)
{
	ctx->user_ip6[0] = address->word[0];
	ctx->user_ip6[1] = address->word[1];
	ctx->user_ip6[2] = address->word[2];
	ctx->user_ip6[3] = address->word[3];
	ctx->user_port = port;
}

static __always_inline struct service *service_at(const struct bpf_sock_addr *ctx, const struct endpoint *at)
{
	struct service_key key = { .address = at->address, .port = at->port, .protocol = ctx->protocol };

	return bpf_map_lookup_elem(&services, &key);
}
