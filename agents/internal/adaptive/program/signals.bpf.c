// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
//go:build ignore

// Counts requests and connections at their servers, for each service and each node that they
// come from. The programs run in the cgroup of all processes of a node, see the packets of its
// sockets and the states of its connections, and never change or drop any.
#include "signals_orders.h"

enum { ALLOW = 1 };

static __always_inline int see(struct __sk_buff *skb, int from_client)
{
	struct bpf_sock *sk = skb->sk;

	if (!sk)
		return ALLOW;
	sk = bpf_sk_fullsock(sk);
	if (!sk)
		return ALLOW;
	if (sk->protocol == IPPROTO_TCP)
		see_segment(skb, sk, from_client);
	else if (sk->protocol == IPPROTO_UDP)
		see_datagram(skb, sk, from_client);
	return ALLOW;
}

SEC("cgroup_skb/ingress")
int see_received(struct __sk_buff *skb)
{
	return see(skb, 1);
}

SEC("cgroup_skb/egress")
int see_sent(struct __sk_buff *skb)
{
	return see(skb, 0);
}

// All fields are read, each by a volatile access: otherwise the compiler selects between pointers
// to the context, which the verifier rejects.
static __always_inline int owner_of_socket(struct bpf_sock_ops *ops, struct signal_origin_key *of)
{
	volatile struct bpf_sock_ops *from = ops;
	__be32 local4 = from->local_ip4, remote4 = from->remote_ip4;
	struct service_key local = {
		.address.word = { from->local_ip6[0], from->local_ip6[1], from->local_ip6[2], from->local_ip6[3] },
		.port = bpf_htons(from->local_port),
		.protocol = IPPROTO_TCP,
	};
	struct address remote = { { from->remote_ip6[0], from->remote_ip6[1], from->remote_ip6[2], from->remote_ip6[3] } };

	if (from->family == FAMILY_OF_IPV4) {
		set_ipv4(&local.address, local4);
		set_ipv4(&remote, remote4);
	}
	return find_owner(&local, &remote, of);
}

// The packet that completes the handshake may have the first bytes of a request. It was
// received before its socket existed.
static __always_inline __u32 first_bytes(struct bpf_sock_ops *ops)
{
	struct tcphdr *header = ops->skb_data;

	if (!ops->skb_len || (void *)(header + 1) > ops->skb_data_end)
		return 0;

	__u32 size = header->doff * 4;

	return ops->skb_len > size ? ops->skb_len - size : 0;
}

static __always_inline void establish(struct bpf_sock_ops *ops)
{
	struct signal_origin_key of;
	struct bpf_sock *sk = ops->sk;

	if (!sk || !is_served(SIGNAL_TCP, ops->local_port) || !owner_of_socket(ops, &of))
		return;

	__u32 from = ops->rcv_nxt, bytes = first_bytes(ops);
	struct signal_connection *c = open_connection(sk, &of, from, ops->snd_nxt);

	if (!c)
		return;
	bpf_sock_ops_cb_flags_set(ops, ops->bpf_sock_ops_cb_flags | BPF_SOCK_OPS_STATE_CB_FLAG);
	if (bytes)
		happen(c, CLIENT_BYTES, from + bytes, 0);
}

static __always_inline void change_state(struct bpf_sock_ops *ops)
{
	struct bpf_sock *sk = ops->sk;
	struct signal_connection *c = sk ? bpf_sk_storage_get(&signal_connections, sk, 0, 0) : 0;

	if (!c)
		return;
	switch (ops->args[1]) {
	case BPF_TCP_FIN_WAIT1:
	case BPF_TCP_LAST_ACK:
		happen(c, SERVER_CLOSED, 0, 0);
		break;
	case BPF_TCP_CLOSE:
		happen(c, CONNECTION_ENDED, 0, 0);
		break;
	}
}

SEC("sockops")
int see_state(struct bpf_sock_ops *ops)
{
	if (ops->op == BPF_SOCK_OPS_PASSIVE_ESTABLISHED_CB)
		establish(ops);
	else if (ops->op == BPF_SOCK_OPS_STATE_CB)
		change_state(ops);
	return ALLOW;
}

char LICENSE[] SEC("license") = "Dual BSD/GPL";
