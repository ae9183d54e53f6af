// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
//go:build ignore

// The programs of the sockets in a cgroup (doc.go of package sockets has the table of hooks).
#include "sockets_follow.h"
#include "sockets_send.h"
#include "sockets_show.h"

SEC("cgroup/connect4")
int fairlead_conn4(struct bpf_sock_addr *ctx)
{
	struct endpoint at = read4(ctx);
	enum verdict verdict = connect_socket(ctx, &at);

	if (verdict == TRANSLATE)
		write4(ctx, &at.address, at.port);
	return verdict != REFUSE;
}

SEC("cgroup/connect6")
int fairlead_conn6(struct bpf_sock_addr *ctx)
{
	struct endpoint at = read6(ctx);
	enum verdict verdict = connect_socket(ctx, &at);

	if (verdict == TRANSLATE)
		write6(ctx, &at.address, at.port);
	return verdict != REFUSE;
}

SEC("cgroup/sendmsg4")
int fairlead_send4(struct bpf_sock_addr *ctx)
{
	struct endpoint at = read4(ctx);
	enum verdict verdict = send_datagram(ctx, &at);

	if (verdict == TRANSLATE)
		write4(ctx, &at.address, at.port);
	return verdict != REFUSE;
}

SEC("cgroup/sendmsg6")
int fairlead_send6(struct bpf_sock_addr *ctx)
{
	struct endpoint at = read6(ctx);
	enum verdict verdict = send_datagram(ctx, &at);

	if (verdict == TRANSLATE)
		write6(ctx, &at.address, at.port);
	return verdict != REFUSE;
}

SEC("cgroup/recvmsg4")
int fairlead_recv4(struct bpf_sock_addr *ctx)
{
	struct endpoint at = read4(ctx);

	if (show_source(ctx, &at))
		write4(ctx, &at.address, at.port);
	return 1;
}

SEC("cgroup/recvmsg6")
int fairlead_recv6(struct bpf_sock_addr *ctx)
{
	struct endpoint at = read6(ctx);

	if (show_source(ctx, &at))
		write6(ctx, &at.address, at.port);
	return 1;
}

SEC("cgroup/getpeername4")
int fairlead_peer4(struct bpf_sock_addr *ctx)
{
	struct endpoint at = read4(ctx);

	if (show_peer(ctx, &at))
		write4(ctx, &at.address, at.port);
	return 1;
}

SEC("cgroup/getpeername6")
int fairlead_peer6(struct bpf_sock_addr *ctx)
{
	struct endpoint at = read6(ctx);

	if (show_peer(ctx, &at))
		write6(ctx, &at.address, at.port);
	return 1;
}

SEC("cgroup/sock_release")
int fairlead_close(struct bpf_sock *ctx)
{
	struct chosen *chosen = bpf_sk_storage_get(&sockets, ctx, 0, 0);

	if (chosen)
		end_connection(chosen);
	return 1;
}

SEC("sockops")
int fairlead_state(struct bpf_sock_ops *ctx)
{
	follow_connection(ctx);
	return 1;
}

// The agent can't add to counts that other programs add to at the same time.
SEC("syscall")
int correct_use(struct correction *by)
{
	struct use *use = by->place ? use_of_place(by->place) : use_of_backend(by->backend);

	if (!use)
		return 0;
	__sync_fetch_and_add(&use->opened, by->opened);
	__sync_fetch_and_add(&use->closed, by->closed);
	return 0;
}

char LICENSE[] SEC("license") = "Dual BSD/GPL";
