// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// What the application sees: the address of the service, not of the backend.
#pragma once

#include "sockets_endpoint.h"

// show_peer is for the peer of a connected socket.
static __always_inline bool show_peer(struct bpf_sock_addr *ctx, struct endpoint *at)
{
	struct chosen *chosen = ctx->sk ? bpf_sk_storage_get(&sockets, ctx->sk, 0, 0) : 0;

	if (!chosen || !chosen->connected || chosen->to_port != at->port || !same_address(&chosen->to, &at->address))
		return false;
	at->address = chosen->address;
	at->port = chosen->port;
	return true;
}

// show_source is for the sender of a datagram.
static __always_inline bool show_source(struct bpf_sock_addr *ctx, struct endpoint *at)
{
	struct chosen *chosen = ctx->sk ? bpf_sk_storage_get(&sockets, ctx->sk, 0, 0) : 0;

	if (!chosen)
		return false; // it never sent to a service
	if (chosen->to_port == at->port && same_address(&chosen->to, &at->address)) {
		at->address = chosen->address;
		at->port = chosen->port;
		return true;
	}

	struct datagram_key key = { .socket = bpf_get_socket_cookie(ctx), .address = at->address, .port = at->port };
	struct origin *origin = bpf_map_lookup_elem(&origins, &key);

	if (!origin)
		return false;
	at->address = origin->address;
	at->port = origin->port;
	return true;
}
