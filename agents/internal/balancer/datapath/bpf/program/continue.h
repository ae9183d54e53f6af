// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// The programs between which a packet can go on. The agent adds them: session.bpf.c, and
// entry.bpf.c of strategy adaptive.
#pragma once

#include <linux/bpf.h>
#include <bpf/bpf_helpers.h>

enum next_program { SESSION_CHOOSES, ENGINE_SENDS, COST_CHOOSES, COST_FOLLOWS, NEXT_PROGRAMS };

struct {
	__uint(type, BPF_MAP_TYPE_PROG_ARRAY);
	__uint(max_entries, NEXT_PROGRAMS);
	__type(key, __u32);
	__type(value, __u32);
} next_programs SEC(".maps");

const enum next_program *next_program_type __attribute__((unused));
