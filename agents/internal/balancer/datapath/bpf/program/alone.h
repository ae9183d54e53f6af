// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// The choice for an unknown flow as a function of its own: the verifier checks it once, and
// not again for each way to it. It needs a stack that TCX, with NAT, has no room for.
#pragma once

#include "choose.h"

// It can't return pointers.
__attribute__((noinline)) int choose_alone(struct choice *into, struct packet *p, struct service *service)
{
	if (!into || !p || !service)
		return NO_CHOICE;

	struct choice c = { .key = into->key, .replaces = into->replaces, .forgets = into->forgets, .former = into->former };
	enum chosen chosen = choose_unknown(&c, p, service);

	into->slot = c.slot;
	into->begun = c.begun;
	into->waits = c.waits;
	return chosen;
}

static __always_inline enum chosen choose_unknown_alone(struct choice *c, struct packet *p, struct service *service)
{
	enum chosen chosen = choose_alone(c, p, service);

	c->backend = chosen == CHOSEN ? live(c->slot) : NULL;
	return chosen;
}
