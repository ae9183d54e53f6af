// Package pathmtu has what the paths of tunnels carry: it parses routers' packet-too-big
// messages, creates the probes that confirm them, and limits how many of both count. Anyone
// can send a message, so one alone never changes a size (docs/decisions/0034). It sends
// nothing and writes no map: the engine does.
package pathmtu
