// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// A packet's flow key and its service.
#pragma once

#include "maps.h"
#include "parse.h"

static __always_inline struct flow_key key_of(const struct packet *p)
{
	return (struct flow_key){
		.client = p->source, .service = p->destination,
		.client_port = p->source_port, .service_port = p->destination_port, .protocol = p->protocol,
	};
}

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
