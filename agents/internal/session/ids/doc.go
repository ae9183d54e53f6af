// Package ids stores the newest session ids of TLS 1.2, for as long as clients may use them. It never sends or reads
// one.
package ids
