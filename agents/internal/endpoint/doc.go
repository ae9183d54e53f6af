// Package endpoint keeps a UDP socket at the address where other nodes reach this host: it opens
// another one when that address changes, and retries while the port is in use. It reads and writes
// no datagrams itself.
package endpoint
