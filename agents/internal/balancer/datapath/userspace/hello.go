package userspace

import (
	"errors"
	"io"
	"net"

	"fairlead.dev/agents/internal/hello"
	"fairlead.dev/agents/internal/pump"
)

const (
	// helloMost is the maximum size of a hello.
	helloMost = 64 << 10

	// hellosPart is the share of all connections that may wait for a hello at once.
	hellosPart = 8
)

// choose waits for a client's hello, and returns the backends with the server name that it
// requests. If there is no hello, or no such name, it closes the connection and returns
// false.
func (f *tcpFront) choose(client *net.TCPConn) (*view, *group, bool) {
	limits := f.service.limits
	visit := limits.hellos.Enter(f, client, limits.helloTime)
	if f.ctx.Err() != nil { // close may have ended all waits already
		_ = client.Close()
	}
	var v *view
	var chosen *group
	err := hello.Peek(client, helloMost, func(h *hello.Hello) {
		v = f.service.view.Load() // not earlier: the hello may have taken seconds
		chosen = v.groupOf(h.ServerName)
	})
	stays := limits.hellos.Leave(visit)
	switch {
	case err == nil && stays && chosen != nil:
		return v, chosen, true
	case err == nil && stays:
		f.service.drop(unknownServerName)
		f.refuse(client)
	case errors.Is(err, io.EOF):
		_ = client.Close()
	default:
		f.service.drop(noHello)
		pump.Reset(client)
	}
	return nil, nil, false
}

// groupOf returns the backends of a server name, or all if the service has no names (any
// more).
func (v *view) groupOf(serverName []byte) *group {
	if v.names == nil {
		return &v.all
	}
	return v.names.find(serverName)
}
