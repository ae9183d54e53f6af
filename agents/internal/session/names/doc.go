// Package names learns by which names servers mark their TLS tickets. Most servers begin a
// ticket with 16 bytes that name its key, in the clear. A balancer that has a server's names
// recognizes the clients of its sessions, without the server's configuration and without its keys.
//
// Probing is separate from judging: a [Prober] collects tickets over real connections, judge
// and [Record] are pure functions of tickets and times, and a [Monitor] schedules both. The
// package neither resumes sessions nor verifies certificates: a false name only sends a client
// to a server that doesn't have its session, and costs a full handshake.
package names
