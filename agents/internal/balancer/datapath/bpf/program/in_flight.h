// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// Requests in flight at this node's backends, from all nodes, by service. signals.bpf.c counts
// them; who chooses a node reads them.
#pragma once

#include <linux/bpf.h>
#include <bpf/bpf_helpers.h>

struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(max_entries, 4096);
	__type(key, __u32);
	__type(value, __s64);
} in_flight SEC(".maps");
