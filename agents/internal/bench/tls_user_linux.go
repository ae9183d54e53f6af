package bench

import (
	"bytes"
	"crypto/tls"
	"slices"
)

// mostConnections is after how many connections another client takes the place of one that returns, so that the
// sessions of a measurement are at all backends.
const mostConnections = 50

// tlsUser is one client, with its TLS session and its cookie.
type tlsUser struct {
	target  string
	config  *tls.Config
	request []byte
	replies int
	backend string // of its last reply
	before  string // of the one before that
}

func (c *tlsClient) newUser(target string) *tlsUser {
	u := &tlsUser{target: target, config: secured, request: c.request}
	if c.Workload == Return {
		u.config = secured.Clone()
		u.config.ClientSessionCache = tls.NewLRUClientSessionCache(1)
	}
	return u
}

// read takes what the first bytes of a connection have for the next request. The head of a small reply is one read.
func (u *tlsUser) read(text []byte) {
	if u.replies > 0 && u.config == secured {
		return // it has its cookie, and doesn't return
	}
	if name := field(text, "x-backend"); len(name) > 0 {
		u.backend = string(name)
	}
	cookie, _, _ := bytes.Cut(field(text, "set-cookie"), []byte(";"))
	if len(cookie) > 0 {
		head, _, _ := bytes.Cut(u.request, []byte("\r\n\r\n"))
		head, _, _ = bytes.Cut(head, []byte("\r\nCookie: "))
		u.request = slices.Concat(head, []byte("\r\nCookie: "), cookie, headEnd)
	}
}
