// Package backend is the role of an agent next to servers whose clients return by TLS session. For each
// server, it finds the network namespace with the server's address, adds the service address to that
// namespace's loopback interface, and runs a companion in it.
//
// Companions are pinned: while no agent runs, servers accept connections, and the next agent continues.
// The role removes only addresses that it added itself. It never changes a server or its process.
package backend
