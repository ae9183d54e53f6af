//go:build ignore

// The program of a backend that is reached by tunnel: it takes the outer header
// off, and the kernel goes on with the packet of the client. IPIP and IP6IP6
// need no device of the kernel then.
#include "tcx.h"

SEC("tcx/ingress")
int unwrap(struct __sk_buff *skb)
{
	if (!make_readable(skb))
		return TCX_NEXT;

	void *data = (void *)(long)skb->data, *end = (void *)(long)skb->data_end;
	struct ethhdr *ethernet = data;

	if ((void *)(ethernet + 1) > end)
		return TCX_NEXT;
	if (ethernet->h_proto == bpf_htons(ETH_P_IP)) {
		struct iphdr *outer = (void *)(ethernet + 1);

		if ((void *)(outer + 1) > end || outer->protocol != IPPROTO_IPIP || outer->ihl != 5 || outer->frag_off & bpf_htons(IPV4_FRAGMENT))
			return TCX_NEXT;
		return bpf_skb_adjust_room(skb, -(int)sizeof(*outer), BPF_ADJ_ROOM_MAC, 0) ? TCX_DROP : TCX_NEXT;
	}
	if (ethernet->h_proto == bpf_htons(ETH_P_IPV6)) {
		struct ipv6hdr *outer = (void *)(ethernet + 1);

		if ((void *)(outer + 1) > end || outer->nexthdr != IPPROTO_IPV6)
			return TCX_NEXT;
		return bpf_skb_adjust_room(skb, -(int)sizeof(*outer), BPF_ADJ_ROOM_MAC, 0) ? TCX_DROP : TCX_NEXT;
	}
	return TCX_NEXT;
}

char LICENSE[] SEC("license") = "GPL";
