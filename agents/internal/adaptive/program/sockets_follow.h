// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// The state of TCP connections: which of them end, and which never begin.
#pragma once

#include "sockets_use.h"

// The member is found by name when the program is loaded.
struct sock {
	int sk_err;
} __attribute__((preserve_access_index));

static __always_inline struct chosen *of_socket(struct bpf_sock_ops *ctx)
{
	struct bpf_sock *sk = ctx->sk;

	return sk ? bpf_sk_storage_get(&sockets, sk, 0, 0) : 0;
}

static __always_inline int error_of(struct bpf_sock_ops *ctx)
{
	struct bpf_sock *sk = ctx->sk;
	struct sock *tcp = sk ? (struct sock *)bpf_skc_to_tcp_sock(sk) : 0;

	return tcp ? tcp->sk_err : 0;
}

// A lost SYN is no failure if the backend has accepted another connection since.
static __always_inline void unanswered(struct chosen *chosen, __u64 now)
{
	struct use *use = use_of_backend(chosen->backend);

	if (use && use->answered_at < chosen->at)
		fail(chosen, now);
}

static __always_inline void established(struct chosen *chosen, __u64 now)
{
	struct use *use = use_of_backend(chosen->backend);

	chosen->started = 0;
	if (use)
		use->answered_at = now;
}

// ended_unanswered is for a connect that failed, or that its application gave up or aborted.
static __always_inline void ended_unanswered(struct bpf_sock_ops *ctx, struct chosen *chosen, __u64 now)
{
	int error = error_of(ctx);

	chosen->started = 0;
	if (error == ETIMEDOUT || (!error && now - chosen->at >= UNANSWERED_NS))
		unanswered(chosen, now);
	else if (error && error != ECONNABORTED)
		fail(chosen, now);
}

static __always_inline void follow_state(struct bpf_sock_ops *ctx, struct chosen *chosen)
{
	__u64 now = bpf_ktime_get_boot_ns();

	if (ctx->args[0] == BPF_TCP_SYN_SENT && chosen->started) {
		if (ctx->args[1] == BPF_TCP_ESTABLISHED)
			established(chosen, now);
		else if (ctx->args[1] == BPF_TCP_CLOSE)
			ended_unanswered(ctx, chosen, now);
	}
	if (ctx->args[1] == BPF_TCP_CLOSE)
		end_connection(chosen);
}

static __always_inline void follow_connection(struct bpf_sock_ops *ctx)
{
	struct chosen *chosen;

	switch (ctx->op) {
	case BPF_SOCK_OPS_TCP_CONNECT_CB:
		chosen = of_socket(ctx);
		if (!chosen || !chosen->live)
			return;
		chosen->started = 1;
		bpf_sock_ops_cb_flags_set(ctx, ctx->bpf_sock_ops_cb_flags | BPF_SOCK_OPS_STATE_CB_FLAG | BPF_SOCK_OPS_RTO_CB_FLAG);
		return;
	case BPF_SOCK_OPS_RTO_CB:
		chosen = of_socket(ctx);
		if (chosen && chosen->started)
			unanswered(chosen, bpf_ktime_get_boot_ns());
		return;
	case BPF_SOCK_OPS_STATE_CB:
		chosen = of_socket(ctx);
		if (chosen)
			follow_state(ctx, chosen);
	}
}
