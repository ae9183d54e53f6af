// Package proxied chooses backends by TLS session for connections that a proxy carries. It owns the
// sessions that are known there: names of ticket keys, which others learn, and session ids of TLS
// 1.2, which it reads in the servers' replies. It never reads a connection.
package proxied
