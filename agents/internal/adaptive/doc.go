// Package adaptive is the role of an agent whose node sends each connection to the node where one more request costs
// least. It composes the parts: programs at sockets choose (package sockets), with costs (policy) that it calculates
// from what it counts here (signals) and from what other nodes send (mesh). It never carries a packet.
//
// # Health
//
// Each node checks its own backends. If none of them is up, it sends figures with 0 cores, and the other nodes stop
// choosing it at once. So n nodes make n checks of a backend, not n². A node whose figures are missing for three
// seconds is checked by all others, because it may have failed: until then, connections that fail are retried by the
// programs' own rule.
//
// # Without the agent
//
// The programs are pinned and work by weights once costs are three seconds old. Close leaves them; only a config without
// the role removes them.
package adaptive
