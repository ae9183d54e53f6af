// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// The programs between which a packet can go on. The agent adds them: session.bpf.c.
#pragma once

#include "layout.h"

enum session_program { SESSION_CHOOSES, ENGINE_SENDS, SESSION_PROGRAMS };

struct {
	__uint(type, BPF_MAP_TYPE_PROG_ARRAY);
	__uint(max_entries, SESSION_PROGRAMS);
	__type(key, __u32);
	__type(value, __u32);
} session_programs SEC(".maps");

const enum session_program *session_program_type __attribute__((unused));
