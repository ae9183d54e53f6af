// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// Constants and map values of connections that aren't placed by the tables: one by one, or by
// a private chooser.
#pragma once

#include "layout.h"
#include "steered.h"

enum placed_limits {
	KEPT_BYTES = 1 << 22,	// when full, packets of held connections are dropped
	KEPT_FRAME = 1 << 14,	// longer packets of held connections are dropped
	WEIGHED = 256,		// services with a private chooser
	PICKS = 1024,		// backends of a service with a private chooser
};

// The weights of a service with a private chooser, as an alias table: each pick is as
// likely as any other, and has two backends.
struct pick {
	__u32 share;		// of 2^32, of the first backend
	__u16 slot;
	__u16 other;
};

struct picks {
	__u32 count;
	__u32 zero;
	struct pick pick[PICKS];
};

// The weight that Weigh set for a backend.
struct backend_weight {
	__u32 incarnation;	// of the backend's slot. 0: none was set
	__u32 weight;
};

// A packet of a connection that is held. The frame follows.
struct kept_packet {
	struct flow_key key;
	__u64 at;
	__u32 length;
	__u32 interface;	// where it arrived
	__u16 gso_size;		// of one that the kernel merged
	__u16 zero[3];
};

struct kept_frame {
	struct kept_packet packet;
	__u8 frame[KEPT_FRAME];
};

// Each type is used once here, because clang omits unused ones from BTF.
const enum placed_limits *placed_limits_type __attribute__((unused));
const struct pick *pick_type __attribute__((unused));
const struct picks *picks_type __attribute__((unused));
const struct kept_packet *kept_type __attribute__((unused));
const struct kept_frame *kept_frame_type __attribute__((unused));
