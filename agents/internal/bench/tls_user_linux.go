package bench

import (
	"bytes"
	"crypto/tls"
	"slices"
	"strings"

	"fairlead.dev/agents/internal/bench/sessionapp"
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
	lost    bool   // the application hadn't the data of its session
	keeps   bool   // its sessions and cookies

	cookies []string // each with its name
}

func (c *tlsClient) newUser(target string) *tlsUser {
	u := &tlsUser{target: target, config: c.config, request: c.request, keeps: c.Workload == Return}
	if u.keeps {
		u.config = c.config.Clone()
		u.config.ClientSessionCache = tls.NewLRUClientSessionCache(1)
	}
	return u
}

// read takes what the first bytes of a connection have for the next request. The head of a small reply is one read.
func (u *tlsUser) read(text []byte) {
	if u.replies > 0 && !u.keeps {
		return // it has its cookies, and doesn't return
	}
	if name := field(text, "x-backend"); len(name) > 0 {
		u.backend = string(name)
	}
	u.lost = string(field(text, "x-session")) == string(sessionapp.Lost)
	head, _, _ := bytes.Cut(text, headEnd)
	changed := false
	for cookie := field(head, "set-cookie"); len(cookie) > 0; cookie = field(head, "set-cookie") {
		head = head[bytes.Index(head, cookie)+len(cookie):]
		pair, _, _ := bytes.Cut(cookie, []byte(";"))
		changed = u.keep(string(pair)) || changed
	}
	if changed {
		before, _, _ := bytes.Cut(u.request, headEnd)
		before, _, _ = bytes.Cut(before, []byte("\r\nCookie: "))
		u.request = slices.Concat(before, []byte("\r\nCookie: "+strings.Join(u.cookies, "; ")), headEnd)
	}
}

// keep keeps a cookie in place of the one of its name.
func (u *tlsUser) keep(cookie string) (changed bool) {
	name, _, _ := strings.Cut(cookie, "=")
	at := slices.IndexFunc(u.cookies, func(other string) bool { return strings.HasPrefix(other, name+"=") })
	switch {
	case at < 0:
		u.cookies = append(u.cookies, cookie)
	case u.cookies[at] == cookie:
		return false
	default:
		u.cookies[at] = cookie
	}
	return true
}
