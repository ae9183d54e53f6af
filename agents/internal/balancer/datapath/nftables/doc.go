// Package nftables carries packets with nf_tables alone: no BPF, and no
// privileges beyond its own user namespace. It uses netlink and never runs nft.
//
// Direct works at ingress, in a netdev table: the client's address and port are
// hashed to a row of the Maglev tables, which are kernel maps, and fwd sends the
// packet to the backend's link address, which the kernel resolves as for its own
// packets. Flows are kept in maps that packets fill. NAT is done in an inet table
// by connection tracking.
//
// Limitations:
//   - Nothing is evicted from a full map of flows. The packets of a flow that found
//     no room go by the settled table, and it breaks only when a backend is added or
//     removed meanwhile.
//   - Fragments for a service by Direct are dropped and counted: only the first
//     has ports. With NAT they are reassembled first.
//   - With Direct, a SYN after a client's FIN or RST begins a new connection, even if it
//     is forged: sequence numbers aren't tracked. So a half-closed connection may move.
//   - Drops are counted for a service without a backend, and for fragments, whose
//     service is unknown; not on the way to a backend.
//   - Times of set-up and of first bytes aren't counted, nor bytes of link headers.
//   - A single connection can't be placed, and there is no private chooser.
//   - With NAT another replica can't take over a connection, and the backend can't
//     see the client's address.
//   - A table of rows takes about 1.5 MB of kernel memory and 30 ms to fill. A service
//     whose backends change has two. So it is meant for tens of services, not thousands.
//
// With Direct, a packet without a backend is passed to the host itself, which has the
// service's address and answers with RST or an ICMP error. With NAT the host may not
// have the address, so the table answers. Everything is in tables named after the
// replica, which stay when the process ends.
package nftables
