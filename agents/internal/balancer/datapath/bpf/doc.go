// Package bpf carries packets by programs in the kernel. It holds what the
// engines tcx and xdp share: the C headers that read, choose and rewrite, one
// program file per hook, the code generated from them, and the agent's side,
// which makes maps equal to what is wanted and reads back what was counted. It
// never checks a backend's health and never decides what a service is.
//
// # What it does with a packet
//
// A packet to a service goes to a backend by the rules of
// docs/decisions/0007: known flows stay, new ones go by one table, those of
// unknown age by another. Everything else is the kernel's, untouched, except:
//
//   - A fragment of TCP or UDP to a service address is dropped and counted as
//     "fragment", the first one too. Only the first has ports, so the others
//     can't be told apart, and no backend could put them together. Senders that
//     discover the path's MTU, as nearly all do, send none.
//   - A packet to a service address whose headers contradict its length is
//     dropped and counted as "malformed".
//   - An ICMP error that quotes a service's packet goes to the backend that owns
//     the flow. What a translated one quotes is translated.
//   - A packet too big for a tunnel is answered with the ICMP message that says
//     so, in the service's name. How much fits is the MTU of the replica's own
//     interface, or what a router on the way says: that is believed for ten minutes.
//
// # What is in the kernel
//
// Everything is pinned below /sys/fs/bpf/fairlead/<replica>/<hook>: `link`, which
// holds the program to its interface, and `maps-<layout>`. It works on without the
// agent. The next agent finds slots and ids in the maps, so flows keep their
// meaning; it replaces the program in one step. If its layout is another one it
// makes maps of its own, copies what it understands, and removes the old ones.
//
// A new connection is placed by its first packet and remembered from its second
// on. In between a small table that newer ones overwrite knows where the first
// one went, in case both Maglev tables change in that moment.
//
// A service's two Maglev tables are one frozen inner map, replaced as a whole. A
// backend has a slot as long as it lives; the slot's incarnation makes flows of
// its former owner strangers. Connections, half-open ones and learnt ones are
// bounded maps that forget what was silent longest. With room for 262 144
// connections all maps take about 100 MiB on two CPUs, half of it for NAT, and
// 64 KiB more for each service.
//
// Connections are counted when they are remembered: at the second packet of TCP,
// at the first of UDP. Live ones have been heard of within 15 minutes (TCP) or
// one (UDP). Set-ups and first bytes are timed; under many at once some are not. The
// first byte is that of the answer to a connection's first request, known by the
// client's acknowledgement of it.
//
// NAT and a change of replica don't go together: the next replica doesn't know the
// port. It lends the packet another one for a moment, for the backend's reset.
//
// The replica's own health checks keep the kernel's neighbour table true, and the
// agent follows it. It asks for what isn't in there: nobody may check the backends.
package bpf
