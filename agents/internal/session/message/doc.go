// Package message has what replicas and companions send each other in datagrams: who has a
// connection, and which TLS 1.2 sessions a server knows. Each is signed with a key of the
// exposure and expires soon. A lost one is harmless: clients send packets again, and session
// ids are requested regularly.
package message
