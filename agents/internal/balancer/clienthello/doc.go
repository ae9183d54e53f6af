// Package clienthello parses a TLS client's first message. It owns the format of that
// message (RFC 8446, section 4.1.2, and RFC 6066, section 3). It never answers and keeps
// no state: callers try again when they have more bytes.
//
// A client that encrypts its hello (ECH) sends an outer one in the clear, which is the
// one that is parsed.
package clienthello
