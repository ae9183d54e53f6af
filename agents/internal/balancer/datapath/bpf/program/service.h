// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// A packet's flow key and its service.
#pragma once

#include "maps.h"
#include "parse.h"

// For a packet from the service to the client, such as one quoted in an ICMP error.
static __always_inline struct flow_key key_of_answer(const struct packet *p)
{
	return (struct flow_key){
		.client = p->destination, .service = p->source,
		.client_port = p->destination_port, .service_port = p->source_port, .protocol = p->protocol,
	};
}

static __always_inline struct service *service_at(const struct address *address, __be16 port, __u8 protocol)
{
	struct service_key key = { .address = *address, .port = port, .protocol = protocol };

	return bpf_map_lookup_elem(&services, &key);
}

// Whether any service has this address.
static __always_inline int serves(const struct address *address)
{
	return service_at(address, 0, 0) != NULL;
}

// Frames to other hosts, multicast and broadcast are ignored, even if the interface receives them.
static __always_inline int is_for_us(void *data, void *end, const struct settings *settings)
{
	struct ethhdr *ethernet = data;

	if ((void *)(ethernet + 1) > end)
		return 0;

	const __u16 *to = (void *)ethernet->h_dest, *us = (void *)settings->hardware;

	return to[0] == us[0] && to[1] == us[1] && to[2] == us[2];
}
