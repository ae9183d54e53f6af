package userspace

import (
	"errors"
	"io"
	"net"
	"net/netip"

	"fairlead.dev/agents/internal/balancer/datapath"
	"fairlead.dev/agents/internal/hello"
	"fairlead.dev/agents/internal/pump"
	"fairlead.dev/agents/internal/session/proxied"
)

// PlaceBySession sets the sessions of services whose chooser is BySession, from the next Set on.
func (e *Engine) PlaceBySession(tables map[datapath.Key]*proxied.Table) { e.tables = tables }

// byTable is by the table that replicas share, for a client without a session.
const byTable = ""

// placeBySession waits for a client's hello, and connects it to the backend of its session. First
// data that is no hello is of a new session: the backend answers it as it does without us.
func (f *tcpFront) placeBySession(client *net.TCPConn, from netip.AddrPort) {
	limits, table := f.service.limits, f.service.table.Load()
	visit := limits.hellos.Enter(f, client, limits.helloTime)
	if f.ctx.Err() != nil { // close may have ended all waits already
		_ = client.Close()
	}
	backend := byTable
	err := hello.Peek(client, helloMost, func(h *hello.Hello) {
		if table != nil {
			backend = table.Choose(h)
		}
	})
	stays := limits.hellos.Leave(visit)
	unreadable := errors.Is(err, hello.ErrInvalid) || errors.Is(err, hello.ErrTooLarge) || errors.Is(err, io.ErrUnexpectedEOF)
	switch {
	case err == nil && stays:
	case unreadable && stays:
		if table != nil {
			table.CountUnreadable()
		}
	case errors.Is(err, io.EOF):
		_ = client.Close()
		return
	default:
		f.service.drop(noHello)
		pump.Reset(client)
		return
	}
	v := f.service.view.Load() // not earlier: the hello may have taken seconds
	f.forward(client, from, v, &v.all, backend)
}

// learn returns what reads the first bytes of a backend's reply; nil if nothing does.
func (f *tcpFront) learn(v *view, backend string) func(reply []byte) {
	table := f.service.table.Load()
	if table == nil || v.wanted.Chooser != datapath.BySession {
		return nil
	}
	return func(reply []byte) { table.Learn(backend, reply) }
}
