// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// Finds the service of a server's socket, and the node of its client. Sockets of other
// programs are rejected by their port, before their packets are read.
#pragma once

#include "parse.h"
#include "signals.h"

struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, SIGNAL_BACKENDS);
	__uint(map_flags, BPF_F_NO_PREALLOC);
	__type(key, struct service_key);
	__type(value, struct signal_backend);
} signal_backends SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_LPM_TRIE);
	__uint(max_entries, SIGNAL_PREFIXES);
	__uint(map_flags, BPF_F_NO_PREALLOC);
	__type(key, struct signal_prefix);
	__type(value, __u32);
} signal_nodes SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(max_entries, SIGNAL_PROTOCOLS);
	__type(key, __u32);
	__type(value, struct signal_port_set);
} signal_ports SEC(".maps");

static __always_inline int is_served(__u32 protocol, __u32 port)
{
	struct signal_port_set *ports = bpf_map_lookup_elem(&signal_ports, &protocol);

	return ports && ports->bits[(port / 64) % SIGNAL_PORT_WORDS] >> (port % 64) & 1;
}

// Returns whether it is a backend's.
static __always_inline int find_owner(const struct service_key *local, const struct address *remote, struct signal_origin_key *of)
{
	struct signal_backend *backend = bpf_map_lookup_elem(&signal_backends, local);
	struct signal_prefix prefix = { .length = 128, .address = *remote };

	if (!backend)
		return 0;

	__u32 *node = bpf_map_lookup_elem(&signal_nodes, &prefix);

	of->service = backend->service;
	of->incarnation = backend->incarnation;
	of->node = node ? *node : 0;
	return 1;
}

// Packets of sockets begin with the IP header. Those that the kernel has merged, or will
// split, may have no length in it.
static __always_inline int parse_socket_packet(struct __sk_buff *skb, struct packet *p)
{
	void *data = (void *)(long)skb->data, *end = (void *)(long)skb->data_end;

	if (skb->protocol == bpf_htons(ETH_P_IP))
		return parse_ipv4(data, end, 0, skb->len, skb->len, p, 0) == SEGMENT;
	return skb->protocol == bpf_htons(ETH_P_IPV6) && parse_ipv6(data, end, 0, skb->len, skb->len, p, 0) == SEGMENT;
}

static __always_inline int find_owner_of_packet(const struct packet *p, int from_client, struct signal_origin_key *of)
{
	struct service_key local = { .protocol = p->protocol };

	local.address = from_client ? p->destination : p->source;
	local.port = from_client ? p->destination_port : p->source_port;
	return find_owner(&local, from_client ? &p->source : &p->destination, of);
}
