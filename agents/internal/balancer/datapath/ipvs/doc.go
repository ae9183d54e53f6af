// Package ipvs carries packets with IP_VS of the kernel, by netlink. It owns the
// services that it made, which carry a mark, and touches no others. It doesn't begin
// where there are others: its network namespace is a pod's, never a host's where
// kube-proxy deletes what it doesn't know.
//
// Schedulers are the kernel's: rr, wrr, lc, wlc, sh, dh, sed, nq and mh, which is
// ours when none is named: Maglev over client address and port. A backend that
// drains or is down has weight 0, one that is inactive isn't there, and its
// connections end with their next packet.
//
// What it can't do:
//   - Each replica remembers its own connections. Another one can't go on with
//     them: the order in which backends came decides the kernel's Maglev table.
//   - Delivery NAT rewrites the destination only. The backends' way back has to
//     lead through this pod, as their default route does in the lab, and then
//     they see the client's address.
//   - It doesn't make service addresses the host's own, which they have to be.
//   - Drops aren't counted, by whatever reason: IP_VS counts connections, packets and
//     bytes (/proc/net/ip_vs_stats), and what it refuses is in none of them. Nor are
//     times of set-up and of first bytes.
//   - Counts are up to two seconds old, connections and packets in 32 bits, which
//     begin again. A backend that was away only shortly goes on where it was.
//
// Fragments of UDP are put together before a backend is chosen. A packet that has
// nowhere to go is answered with an ICMP error by the kernel. Connections live in the
// kernel and go on when the process ends.
package ipvs
