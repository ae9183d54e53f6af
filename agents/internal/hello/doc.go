// Package hello reads the first message of TLS clients. It owns the format of that message
// (RFC 8446, section 4.1.2), the extensions by which a balancer finds a backend, and the
// wait for the message: by peeking, so that the next reader of the connection still finds
// every byte in the socket, and bounded in bytes, time and the number of clients. It never
// answers a client, and never chooses a backend.
//
// A client that encrypts its hello (ECH) sends an outer one in the clear, which is the one
// that is parsed. Its pre-shared keys, if any, are random.
package hello
