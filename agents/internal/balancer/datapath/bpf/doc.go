// Package bpf carries packets with programs in the kernel. It has the engine that tcx and xdp
// share, which updates the maps to the spec and reads the counts, and the other end of its
// tunnels. It never checks a backend's health and never decides what a service is.
//
// The engine connects these packages, none of which imports it:
//
//   - program: the C code, and the maps, events and clock of the programs
//   - attach: where packets pass a program
//   - pins: maps that outlast the process, and their copy to a new layout
//   - state: the wanted content of the maps, with the Maglev tables
//   - neighbour: next hops and link addresses
//   - pathmtu: the sizes that tunnels carry
//   - walk: visits to all flows
//   - lifetime: when a flow counts as live, and when it is over
//   - agreement: which flows are shared with other replicas
//   - hold: first packets that wait for other replicas
//   - checksum: for packets that the agent sends
//
// Tests of these packages that need a running engine are here.
//
// # What it does with a packet
//
// A packet to a service goes to a backend by the rules of
// docs/decisions/0007: known flows stay, new ones go by one table, those of
// unknown age by another. The kernel handles everything else, unchanged, except:
//
//   - A fragment of TCP or UDP to a service address is dropped and counted as
//     "fragment", the first one too. Only the first has ports, so the flow of the
//     others is unknown, and no backend could reassemble them. Senders that
//     discover the path's MTU, as nearly all do, send none. A fragmented reply of a
//     translated flow is dropped and counted so, too: the first fragment counts for its
//     service and backend, and the host discards the others.
//   - A packet to a service address whose headers contradict its length is
//     dropped and counted as "malformed".
//   - A packet longer than 65 535 bytes, which the kernel merged or has not split
//     yet, has the length 0 in its header (BIG TCP). At TCX it is carried by all
//     deliveries, up to the kernel's limit of 512 KiB. XDP sees frames as they are on
//     the wire, where such a length is malformed.
//   - An ICMP error that quotes a service's packet goes to the backend that owns
//     the flow. A quoted translated packet is translated.
//   - A packet too big for a tunnel is answered with a packet-too-big message from
//     the service's address. The limit is the MTU of the replica's own interface,
//     or what a router on the path reports, which is used for ten minutes. Anyone can
//     send such a report, so the agent then sends a probe of the current size, and only
//     a router that rejects it reduces the limit (docs/decisions/0034).
//
// # What is in the kernel
//
// Everything is pinned below /sys/fs/bpf/fairlead/<replica>/<hook>: `link`, which
// attaches the program to its interface, and `maps-<layout>`. On kernels without TCX
// (before 6.6) there is no link: the program of tcx is a filter of clsact, named
// `fairlead/tcx/<replica>`, which the kernel keeps (docs/decisions/0035). It works
// without the agent. The next agent reads slots and ids from the maps, so flows keep their
// meaning; it replaces the program in one step. If its layout is different it
// creates its own maps, copies what it can read, and removes the old ones.
//
// A new connection is placed by its first packet and stored at its second. In
// between, a small table that newer connections overwrite has the backend of the
// first packet, in case both Maglev tables change at that moment.
//
// A service's two Maglev tables are one frozen inner map, replaced as a whole. A
// backend has a slot as long as it exists; the slot's incarnation invalidates flows
// of its former owner. Connections, half-open ones and learnt ones are bounded maps
// that evict the longest idle entries. With room for 262 144 connections all maps
// take about 110 MiB on two CPUs, more than half of it for NAT, and 64 KiB more for each
// service.
//
// Connections are counted when they are stored: at the second packet of TCP, at the
// first of UDP. Live ones had a packet within 15 minutes (TCP) or one (UDP). Set-ups
// and first bytes are timed, but not all of them if many occur at once. The first
// byte is that of the reply to a connection's first request, detected by the
// client's acknowledgement of it.
//
// A translated connection has 32 bytes more in its entry of nat_flows (10 MiB for a
// table of the default size, with the half-open ones): for each side the last sequence
// number that it sent, what it acknowledged, the end of its window, its window scale, and
// whether it sent FIN or RST. Its port goes to another connection two seconds after both
// sides' FINs are acknowledged, or after an RST; 30 seconds after FINs of which one is not
// acknowledged; five minutes after the last packet of a half-closed connection. As in
// conntrack, an RST counts only with exactly the next sequence number, and other segments
// only inside the window; all are forwarded. A later segment of the same side cancels an
// RST. A connection that this replica has not seen begin is tracked from its next packets.
//
// These tables may have millions of entries, so only one goroutine walks them. A walk
// counts live connections, deletes flows that are over, and finds the misplaced ones for
// peers. The agent's loop waits for a walk only while that is short: with many flows, counts
// of live connections may be as old as two walks, and a change of health is applied at once.
//
// NAT and a change of replica don't go together: the next replica doesn't know the
// port. It lends the packet another one for a moment, for the backend's reset.
//
// The replica's own health checks keep the kernel's neighbour table current, and the
// agent follows it. It solicits missing entries, because the backends may have no
// health checks.
package bpf
