// Package keys manages the keys of TLS tickets of servers that accept them from outside: nginx,
// HAProxy, Envoy, Node and Go. Each server begins its tickets with its own name, and all have the
// same secret. So a balancer sees which server a ticket is from, and another server can still
// resume the session if that one is gone.
//
// An [Epoch] is one secret. [For] returns the keys of a server, and the formats write them as the server's
// software reads them. The control plane rotates epochs, see docs/decisions/0044-rotation-of-ticket-keys.md. The
// package doesn't run or reload servers.
//
// Servers resume each other's tickets only if they run the same software.
//
// Go has no format: SetSessionTicketKeys begins tickets with random bytes. An application sets
// WrapSession to put its own name before EncryptTicket's result, and UnwrapSession to cut it off and call
// DecryptTicket of a config that has the key of that name. [Go] returns the names and keys for that.
package keys
