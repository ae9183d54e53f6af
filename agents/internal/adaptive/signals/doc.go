// Package signals measures what the backends of a node do: for each service, and for each node
// that its clients are at, how many connections are open, how many requests are in flight, arrived
// and were done, and how much CPU time they took. eBPF programs in the cgroup of all processes
// count (signals.bpf.c); pods and interfaces stay as they are. It never changes or drops a packet.
//
// # What a request is
//
// Over TCP a request is a turn: the client's bytes that follow the server's, or the first ones. It
// is in flight from its first byte until the server's first byte after it. These don't count: bytes
// that are sent again, a banner of the server, and connections whose handshake isn't complete. If
// the server hasn't read all of the client's bytes when it answers, the rest is another request,
// which is in flight from then on: so the tickets of TLS 1.3 don't end a request that waits behind
// them, unless the server reads ahead. A TLS handshake is one turn, or two with TLS 1.2. Requests
// that share a connection at the same time, as with HTTP/2, are one.
//
// A request is done when the server answers it, or closes the connection instead. It ends without
// being done when the connection is reset, or after a minute: whatever takes longer, such as a long
// poll, waits for something other than the CPU.
//
// Over UDP each datagram of a client is a request, and each datagram of the server answers one of
// the same flow. What isn't answered within two seconds ends without being done.
//
// # Why the answer's first byte ends it
//
// The service time is ∫min(requests in flight, cores)dt / requests done. That is the CPU time of a
// request if the cores are busy exactly while requests are in flight. A server computes between the
// last byte of a request and the first byte of its answer, so there the integral is right at any
// load: with fewer requests than cores each has one, with more all cores are busy.
//
//   - The answer's last byte would be too late: a client on a slow path receives a large answer for
//     seconds, in which the server computes nothing. The last byte can't be recognized either.
//   - The end of the connection would be too late where the client closes: one round trip later, at
//     18 ms nine times the 2 ms that a request takes.
//   - The request's last byte would be the better beginning, but it is known only when the answer
//     begins, and the queue must be known before. So a slow upload counts as if it were computed.
//
// Too long a service time costs little, too short a one costs much: the policy then sends requests
// to a node that has no room. Only a server that computes after its answer began is measured too
// short, such as one that streams as it computes.
package signals
