// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// TCP options.
#pragma once

#include "parse.h"

enum {
	TCP_HEADER = sizeof(struct tcphdr),
	TCP_OPTIONS = 40,		// bytes at most
	SCALE_MOST = 14,
};

enum tcp_option { OPTION_END = 0, OPTION_NOTHING = 1, OPTION_MSS = 2, OPTION_SCALE = 3, OPTION_SACK = 4, OPTION_TIMES = 8 };

struct tcp_options {
	__u32 value;			// timestamp
	__u32 echo;
	__u16 mss;			// 0: none
	__u8 scale;			// 15: none
	__u8 sack;
	__u8 times;			// there are timestamps
	__u8 words;			// of the whole header
	__u8 zero[2];
};

static __always_inline __u32 number_at(const __u8 *at)
{
	return (__u32)at[0] << 24 | (__u32)at[1] << 16 | (__u32)at[2] << 8 | at[3];
}

// Returns whether the header is readable. Unknown options are skipped. A global function, so
// that the verifier checks it once.
__noinline int read_options(struct __sk_buff *skb, __u32 layer4, struct tcp_options *o)
{
	__u8 bytes[TCP_OPTIONS + 12] = {}, words = 0; // an option at the end may claim to be longer
	__u32 next = 0;

	if (!o)
		return 0;
	*o = (struct tcp_options){ .scale = 15 };
	if (bpf_skb_load_bytes(skb, layer4 + 12, &words, 1))
		return 0;
	o->words = words >> 4;

	__u32 size = o->words * 4 - TCP_HEADER;

	if (o->words * 4 == TCP_HEADER)
		return 1;
	if (size > TCP_OPTIONS || size < 4 || bpf_skb_load_bytes(skb, layer4 + TCP_HEADER, bytes, size))
		return 0;
	for (__u32 i = 0; i < TCP_OPTIONS; i++) {
		if (i < next)
			continue;
		if (i >= size || bytes[i] == OPTION_END)
			break;
		next = i + 1;
		if (bytes[i] == OPTION_NOTHING)
			continue;

		__u8 length = bytes[i + 1];

		if (length < 2 || i + length > size)
			break;
		if (bytes[i] == OPTION_MSS && length == 4)
			o->mss = bytes[i + 2] << 8 | bytes[i + 3];
		else if (bytes[i] == OPTION_SCALE && length == 3)
			o->scale = bytes[i + 2] > SCALE_MOST ? SCALE_MOST : bytes[i + 2];
		else if (bytes[i] == OPTION_SACK && length == 2)
			o->sack = 1;
		else if (bytes[i] == OPTION_TIMES && length == 10) {
			o->times = 1;
			o->value = number_at(&bytes[i + 2]);
			o->echo = number_at(&bytes[i + 6]);
		}
		next = i + length;
	}
	return 1;
}
