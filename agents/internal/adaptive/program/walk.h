// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// What a program gets that the kernel calls for each socket, of all network namespaces, that has an
// entry in a map. The members are found by name when the program is loaded.
#pragma once

struct seq_file;
struct sock;

struct bpf_iter_meta {
	struct seq_file *seq;
} __attribute__((preserve_access_index));

struct bpf_iter__bpf_sk_storage_map {
	struct bpf_iter_meta *meta;
	struct sock *sk;	// 0 after the last one
	void *value;
} __attribute__((preserve_access_index));
