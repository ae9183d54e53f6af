// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// Requests in flight at this node's backends, from all nodes, by the number of the service.
// signals.bpf.c writes them, and sockets.bpf.c reads them.
#pragma once

#include <linux/bpf.h>
#include <bpf/bpf_helpers.h>

enum service_numbers { SERVICE_NUMBERS = 4096 };	// 0 isn't one

struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(max_entries, SERVICE_NUMBERS);
	__type(key, __u32);
	__type(value, __s64);
} in_flight SEC(".maps");

// Used once, because clang omits unused types from BTF.
const enum service_numbers *service_numbers_type __attribute__((unused));
