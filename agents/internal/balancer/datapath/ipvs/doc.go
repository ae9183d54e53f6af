// Package ipvs carries packets with the kernel's IP_VS, configured by netlink. It owns
// the services that it created, which carry a mark, and changes no others. It doesn't
// start where there are others: its network namespace is a pod's, never a host's, where
// kube-proxy deletes services that it didn't create.
//
// Schedulers are the kernel's: rr, wrr, lc, wlc, sh, dh, sed, nq and mh, which is
// the default: Maglev over client address and port. A backend that drains or is down
// has weight 0. An inactive one is removed, and its connections end with their next
// packet.
//
// Limitations:
//   - Each replica has its own connections, which another one can't take over: the
//     kernel's Maglev table depends on the order in which backends were added.
//   - Delivery NAT rewrites the destination only. Replies of backends have to be
//     routed through this pod, as by their default route in the lab. Backends see
//     the client's address.
//   - A SYN moves a connection off a backend with weight 0, even if it is forged: the
//     kernel does so with expire_nodest_conn, without which connections to a removed
//     backend hang.
//   - A single connection can't be placed, and weights are only those of Set: the kernel
//     chooses.
//   - Service addresses must be local on this host. It doesn't add them.
//   - Drops aren't counted: IP_VS counts connections, packets and bytes
//     (/proc/net/ip_vs_stats), without those that it rejects. Times of set-up and of
//     first bytes aren't measured.
//   - Counts are up to two seconds old. Connections and packets are 32-bit counters,
//     which wrap. A backend that was removed only briefly keeps its counts.
//
// Fragments of UDP are reassembled before a backend is chosen. The kernel answers a
// packet without a backend with an ICMP error. Connections are in the kernel and
// survive the process.
package ipvs
