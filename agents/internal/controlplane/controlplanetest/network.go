package controlplanetest

import (
	"context"
	"errors"
	"net"
	"sync"
)

// Network connects dialers to one listener at a time.
type Network struct {
	mu       sync.Mutex
	listener *listener
	conns    map[*conn]struct{}
	away     bool
	frozen   bool
	dials    int
}

// NewNetwork returns a network without a listener.
func NewNetwork() *Network { return &Network{conns: map[*conn]struct{}{}} }

var errAway = errors.New("connection refused")

// Dial connects to the listener, whatever the address.
func (n *Network) Dial(ctx context.Context, _, _ string) (net.Conn, error) {
	n.mu.Lock()
	n.dials++
	listener, away := n.listener, n.away
	if away || listener == nil {
		n.mu.Unlock()
		return nil, errAway
	}
	client, server := n.pair()
	n.mu.Unlock()

	select {
	case listener.accepting <- server:
		return client, nil
	case <-listener.closed:
		return nil, errAway
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// Dials is the number of connection attempts.
func (n *Network) Dials() int {
	n.mu.Lock()
	defer n.mu.Unlock()
	return n.dials
}

// Cut ends every connection and refuses new ones until Mend.
func (n *Network) Cut() {
	n.mu.Lock()
	n.away = true
	conns := n.conns
	n.conns = map[*conn]struct{}{}
	n.mu.Unlock()
	for c := range conns {
		c.sever()
	}
}

// Mend ends Cut.
func (n *Network) Mend() {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.away = false
}

// Freeze accepts bytes but delivers none, like a stopped process or a path that drops packets.
func (n *Network) Freeze() { n.setFrozen(true) }

// Thaw ends Freeze, and delivers what was written meanwhile.
func (n *Network) Thaw() { n.setFrozen(false) }

func (n *Network) setFrozen(frozen bool) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.frozen = frozen
	for c := range n.conns {
		c.in.setFrozen(frozen)
	}
}

// pair is called with the lock held.
func (n *Network) pair() (client, server *conn) {
	up, down := newFlow(n.frozen), newFlow(n.frozen)
	client, server = &conn{in: down, out: up, network: n}, &conn{in: up, out: down, network: n}
	n.conns[client], n.conns[server] = struct{}{}, struct{}{}
	return client, server
}

func (n *Network) remove(c *conn) {
	n.mu.Lock()
	defer n.mu.Unlock()
	delete(n.conns, c)
}

// Listen replaces the previous listener.
func (n *Network) Listen() net.Listener {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.listener = &listener{accepting: make(chan net.Conn), closed: make(chan struct{})}
	return n.listener
}

type listener struct {
	accepting chan net.Conn
	closed    chan struct{}
	once      sync.Once
}

func (l *listener) Accept() (net.Conn, error) {
	select {
	case c := <-l.accepting:
		return c, nil
	case <-l.closed:
		return nil, net.ErrClosed
	}
}

func (l *listener) Close() error {
	l.once.Do(func() { close(l.closed) })
	return nil
}

func (l *listener) Addr() net.Addr { return address{} }

type address struct{}

func (address) Network() string { return "memory" }
func (address) String() string  { return "fairlead-gateway:443" }
