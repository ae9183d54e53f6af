// Package clienthello reads what a TLS client says first, in the clear. It owns the
// form of that message (RFC 8446, section 4.1.2, and RFC 6066, section 3). It never
// answers, keeps nothing, and knows no connection: whoever has bytes asks again when
// there are more.
//
// A client that encrypts its hello (ECH) says an outer one in the clear, and this is
// the one that is read.
package clienthello
