// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// What a companion needs of the kernel's sockets. Linux has it since 6.9.
#pragma once

#include "layout.h"

// Of one connection, as the kernel would have learned it from a SYN.
struct bpf_tcp_req_attrs {
	__u32 rcv_tsval;
	__u32 rcv_tsecr;
	__u16 mss;
	__u8 rcv_wscale;
	__u8 snd_wscale;
	__u8 ecn_ok;
	__u8 wscale_ok;
	__u8 sack_ok;
	__u8 tstamp_ok;
	__u8 usec_ts_ok;
	__u8 reserved[3];
};

// The members are found by name when the program is loaded.
struct sock {
	int sk_err;
} __attribute__((preserve_access_index));

struct sock_common {
	__u32 skc_tw_rcv_nxt;
} __attribute__((preserve_access_index));

struct inet_timewait_sock {
	struct sock_common __tw_common;
} __attribute__((preserve_access_index));

struct tcp_timewait_sock {
	struct inet_timewait_sock tw_sk;
} __attribute__((preserve_access_index));

extern int bpf_sk_assign_tcp_reqsk(struct __sk_buff *s, struct sock *sk, struct bpf_tcp_req_attrs *attrs, int attrs__sz) __ksym;

enum socket_state { STATE_ESTABLISHED = 1, STATE_TIME_WAIT = 6, STATE_LISTEN = 10 };
