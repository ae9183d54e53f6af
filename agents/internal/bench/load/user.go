package load

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"net"
	"net/http"
	"net/http/cookiejar"
	"time"
)

// user has its own session, cookies and connection. One goroutine at a time owns it.
type user struct {
	number   int
	freeFrom time.Duration // when it may have its next request
	released time.Duration // when its last request was done

	session session
	cookies http.CookieJar
	conn    *connection
	opened  int    // connections so far
	backend string // of its last reply
	buffer  bytes.Buffer
}

// outcome is what is measured of a request.
type outcome struct {
	due, free, sent, done time.Duration // free is when the subject had released the user
	opened                *opening      // nil on an open connection
	reopened              bool          // the server had closed the user's idle connection
	user                  int
	replied               bool // the whole reply was read, also one that reports an error
	status                int
	backend, before       string
	phase                 string // in which it failed
	err                   error
}

// opening is what is measured of a connection.
type opening struct {
	number    int // 1 is the user's first
	shake     shake
	handshake time.Duration
}

// request sends a user's request that was due, and records its outcome.
func (g *generator) request(u *user, due time.Duration) {
	o := outcome{due: due, free: max(due, u.released), user: u.number, before: u.backend, sent: -1}
	o.err = g.attempt(u, &o)
	if errors.Is(o.err, errClosedIdle) {
		o.reopened = true
		o.err = g.attempt(u, &o)
	}
	o.done = g.now()
	if o.replied = o.err == nil; o.replied {
		o.backend = u.backend
		if o.status >= http.StatusBadRequest {
			o.err = errStatus(o.status)
		}
	}
	g.record.add(o)
	if g.Connections > 0 && u.conn == nil && u.opened >= g.Connections {
		g.replace(u)
	}
}

// attempt sends the request on the user's connection, or on a new one.
func (g *generator) attempt(u *user, o *outcome) (err error) {
	defer func() {
		if err != nil {
			u.close()
		}
	}()
	if u.conn == nil {
		if err := g.open(u, o); err != nil {
			return err
		}
	}
	o.phase = "reply"
	last := u.conn.used+1 >= g.Requests
	request := g.requestOf(u, last)
	if o.sent < 0 {
		o.sent = g.now()
	}
	if err := g.setDeadline(u.conn, o.sent); err != nil {
		return err
	}
	reply, err := u.conn.send(request, &u.buffer, g.Backend)
	if err != nil {
		return err
	}
	o.status, u.backend = reply.status, reply.backend
	if len(reply.cookies) > 0 {
		u.cookies.SetCookies(g.URL, reply.cookies)
	}
	if last || reply.last {
		u.close()
	}
	return nil
}

// open connects and does the handshake.
func (g *generator) open(u *user, o *outcome) error {
	o.opened = &opening{}
	if o.sent < 0 {
		o.sent = g.now()
	}
	o.phase = "connect"
	dialed, err := g.dial(o.sent)
	if err != nil {
		return err
	}
	stop := context.AfterFunc(g.closing, func() { _ = dialed.SetDeadline(time.Unix(1, 0)) })
	conn := net.Conn(closer{dialed, stop})
	if err := g.setDeadline(conn, o.sent); err != nil {
		return errors.Join(err, conn.Close())
	}
	over := conn
	if u.session != nil {
		o.phase = "handshake"
		began := g.now()
		if over, o.opened.shake, err = u.session.handshake(g.TLS.split(conn)); err != nil {
			return errors.Join(err, conn.Close())
		}
		o.opened.handshake = g.now() - began
	}
	u.opened++ // only now: a user without a connection so far doesn't return
	o.opened.number = u.opened
	u.conn = &connection{Conn: over, reader: bufio.NewReader(over)}
	return nil
}

func (g *generator) dial(sent time.Duration) (net.Conn, error) {
	source, address := g.ends.next()
	dialer := net.Dialer{Deadline: g.start.Add(sent + g.Timeout)}
	if source.IsValid() {
		dialer.LocalAddr = &net.TCPAddr{IP: source.AsSlice()}
	}
	return dialer.DialContext(g.closing, "tcp", address.String())
}

// requestOf is the user's request, with its cookies.
func (g *generator) requestOf(u *user, last bool) *http.Request {
	request := &http.Request{Method: http.MethodGet, URL: g.URL, Host: g.Header.Get("Host"), Header: g.Header, Close: last}
	cookies := u.cookies.Cookies(g.URL)
	if len(cookies) == 0 {
		return request
	}
	request.Header = g.Header.Clone()
	for _, cookie := range cookies {
		request.AddCookie(cookie)
	}
	return request
}

// replace makes the user a new one, without a session or cookies.
func (g *generator) replace(u *user) {
	u.opened, u.backend = 0, ""
	u.session = g.TLS.newSession(g.URL)
	u.cookies = newCookies()
}

func newCookies() http.CookieJar {
	jar, _ := cookiejar.New(nil) // never fails
	return jar
}

func (u *user) close() {
	if u.conn != nil {
		_ = u.conn.Close()
		u.conn = nil
	}
}

// closer removes a connection from the run's context when it closes.
type closer struct {
	net.Conn
	stop func() bool
}

func (c closer) Close() error {
	c.stop()
	return c.Conn.Close()
}
