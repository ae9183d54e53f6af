// Package nftables carries packets with nf_tables alone: no BPF, and no
// privileges beyond a user namespace of one's own. It talks netlink, never runs nft.
//
// Direct is done where packets come in, in a netdev table: the client's address
// and port are hashed to a row of the Maglev tables, which are maps of the kernel,
// and fwd sends the packet to the backend's link address, which the kernel finds
// as for its own packets. Flows are remembered in maps that packets fill. NAT is
// done in an inet table by connection tracking.
//
// What it can't do:
//   - Nothing is evicted from a full map of flows. A flow that found no place goes
//     where the settled table says, packet by packet, and breaks only when a
//     backend begins or goes while it lives.
//   - Fragments for a service by Direct are dropped and counted: only the first
//     has ports. With NAT they are put together first.
//   - Drops are counted for a service without a backend to go to, and of fragments,
//     whose service can't be said; not on the way to a backend.
//   - Times of set-up and of first bytes aren't counted, nor bytes of link headers.
//   - With NAT another replica can't go on with a connection, nor can the backend
//     see the client.
//   - A table of rows takes about 1.5 MB of the kernel and 30 ms to fill, two for a
//     service whose backends come or go: it is meant for tens of services, not thousands.
//
// A packet that has nowhere to go by Direct is left to the host itself, which has
// the service's address and answers with RST or an ICMP error; with NAT the host
// may not have it, so it is answered in the table. Everything is in tables named
// for the replica, which stay when the process ends.
package nftables
