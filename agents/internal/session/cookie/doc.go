// Package cookie has the SYN cookies of services whose clients return to their backend by TLS
// session: their layout, their keys, and how long they are valid. It must agree with
// cookie.h of the programs bit by bit.
package cookie
