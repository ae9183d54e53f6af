// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// Where a socket sends: at connect, and for datagrams of sockets that don't connect.
#pragma once

#include "costs_choose.h"
#include "sockets_endpoint.h"
#include "sockets_use.h"

static __always_inline bool can_use(const struct backend *backend) { return backend->up; }

enum verdict { REFUSE = 0, PASS = 1, TRANSLATE = 2 };

// The caller gets the error that it would get if the backend's host refused.
static __always_inline enum verdict refuse(void)
{
	bpf_set_retval(-ECONNREFUSED);
	return REFUSE;
}

static __always_inline void remember(struct chosen *chosen, const struct endpoint *service, const struct backend *to)
{
	chosen->address = service->address;
	chosen->port = service->port;
	chosen->to = to->address;
	chosen->to_port = to->port;
	chosen->started = 0;
	chosen->failed = 0;
}

// connect_socket changes an address to that of the chosen backend.
static __always_inline enum verdict connect_socket(struct bpf_sock_addr *ctx, struct endpoint *at)
{
	struct service *service = service_at(ctx, at);
	struct chosen *chosen;

	if (!ctx->sk)
		return PASS;
	if (!service) {
		chosen = bpf_sk_storage_get(&sockets, ctx->sk, 0, 0);
		if (chosen) { // it was connected to a service before
			end_connection(chosen);
			bpf_sk_storage_delete(&sockets, ctx->sk);
		}
		return PASS;
	}

	__u64 now = bpf_ktime_get_boot_ns();
	__u32 slot = choose(service, now);
	struct backend *backend = bpf_map_lookup_elem(&backends, &slot);

	if (!slot || !backend)
		return refuse();
	chosen = bpf_sk_storage_get(&sockets, ctx->sk, 0, BPF_SK_STORAGE_GET_F_CREATE);
	if (!chosen) { // no memory: it isn't counted, and shows the backend's address
		at->address = backend->address;
		at->port = backend->port;
		return TRANSLATE;
	}
	begin_connection(chosen, backend->place, slot);
	remember(chosen, at, backend);
	chosen->at = now;
	chosen->connected = 1;
	at->address = backend->address;
	at->port = backend->port;
	return TRANSLATE;
}

// known_backend returns the slot of the backend that a socket used for this service, if that takes
// datagrams. Not inlined, because choose needs the room on the stack.
__attribute__((noinline)) int known_backend(__u64 socket, const struct endpoint *at, __u64 now)
{
	if (!at)
		return 0;

	struct datagram_key key = { .socket = socket, .address = at->address, .port = at->port };
	struct flow *flow = bpf_map_lookup_elem(&flows, &key);

	if (!flow || now - flow->used_at > IDLE_NS)
		return 0;

	__u32 slot = flow->backend;
	struct backend *backend = bpf_map_lookup_elem(&backends, &slot);

	if (!backend || !backend->up || backend->place != flow->place)
		return 0;
	if (now - flow->used_at > SECOND_NS) // not for each datagram
		flow->used_at = now;
	return slot;
}

__attribute__((noinline)) int store_flow(__u64 socket, const struct endpoint *at, __u32 slot, __u64 now)
{
	struct backend *backend = bpf_map_lookup_elem(&backends, &slot);

	if (!at || !backend)
		return 0;

	struct datagram_key to = { .socket = socket, .address = at->address, .port = at->port };
	struct flow flow = { .used_at = now, .place = backend->place, .backend = slot };

	bpf_map_update_elem(&flows, &to, &flow, BPF_ANY);

	struct datagram_key back = { .socket = socket, .address = backend->address, .port = backend->port };
	struct origin origin = { .address = at->address, .port = at->port };

	bpf_map_update_elem(&origins, &back, &origin, BPF_ANY);
	return 0;
}

// send_datagram changes the address of a datagram. A socket counts as one connection, to the
// backend of its last datagram.
static __always_inline enum verdict send_datagram(struct bpf_sock_addr *ctx, struct endpoint *at)
{
	struct service *service = service_at(ctx, at);

	if (!service || !ctx->sk)
		return PASS;

	__u64 now = bpf_ktime_get_boot_ns(), socket = bpf_get_socket_cookie(ctx);
	__u32 slot = known_backend(socket, at, now);

	if (!slot) {
		slot = choose(service, now);
		if (slot)
			store_flow(socket, at, slot, now);
	}

	struct backend *backend = bpf_map_lookup_elem(&backends, &slot);

	if (!slot || !backend)
		return refuse();

	struct chosen *chosen = bpf_sk_storage_get(&sockets, ctx->sk, 0, BPF_SK_STORAGE_GET_F_CREATE);

	if (chosen && !chosen->connected && (!chosen->live || chosen->backend != slot)) {
		begin_connection(chosen, backend->place, slot);
		remember(chosen, at, backend);
		chosen->at = now;
	}
	at->address = backend->address;
	at->port = backend->port;
	return TRANSLATE;
}
