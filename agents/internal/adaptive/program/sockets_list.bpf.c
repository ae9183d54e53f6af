// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
//go:build ignore

// The program that lists sockets for the agent.
#include "sockets_list.h"

SEC("iter/bpf_sk_storage_map")
int list_sockets(struct bpf_iter__bpf_sk_storage_map *ctx)
{
	struct sock *sk = ctx->sk;
	struct chosen *chosen = ctx->value;

	if (!sk || !chosen || !chosen->live)
		return 0;

	struct listed listed = {
		.cookie = bpf_get_socket_cookie(sk),
		.space = sk->__sk_common.skc_net.net->ns.inum,
		.place = chosen->place,
		.backend = chosen->backend,
		.to = chosen->to,
		.source_port = bpf_htons(sk->__sk_common.skc_num),
		.to_port = chosen->to_port,
		.family = sk->__sk_common.skc_family,
		.protocol = sk->sk_protocol,
	};

	for (int i = 0; i < 4; i++)
		listed.source.word[i] = sk->__sk_common.skc_v6_rcv_saddr.word[i];
	if (listed.family == FAMILY_OF_IPV4)
		set_ipv4(&listed.source, sk->__sk_common.skc_rcv_saddr);
	bpf_seq_write(ctx->meta->seq, &listed, sizeof(listed));
	return 0;
}

char LICENSE[] SEC("license") = "Dual BSD/GPL";
