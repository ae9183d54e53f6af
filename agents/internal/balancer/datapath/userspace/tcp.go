package userspace

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net"
	"net/netip"
	"time"

	"fairlead.dev/agents/internal/balancer/datapath"
	"fairlead.dev/agents/internal/pump"
)

const (
	dialMost     = 3 * time.Second
	dialAttempts = 3 // each to another backend
	acceptPause  = 5 * time.Millisecond
)

// tcpFront accepts connections and connects each with one to a backend.
type tcpFront struct {
	service  *service
	listener *net.TCPListener
	ctx      context.Context
	cancel   context.CancelFunc
}

func listenTCP(s *service) (front, error) {
	address := destination(s.key).String()
	config := net.ListenConfig{Control: freely(s.key.Address)}
	config.SetMultipathTCP(false) // a companion gives its connections only to plain listeners
	listener, err := config.Listen(context.Background(), family("tcp", s.key.Address), address)
	if err != nil {
		return nil, fmt.Errorf("service %s: listen: %w", s.key, err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	f := &tcpFront{service: s, listener: listener.(*net.TCPListener), ctx: ctx, cancel: cancel}
	s.limits.connections.join(f)
	return f, nil
}

func family(network string, address netip.Addr) string {
	if address.Is4() {
		return network + "4"
	}
	return network + "6"
}

func (f *tcpFront) close() {
	f.cancel()
	_ = f.listener.Close()
	f.service.limits.hellos.Clear(f)
}

func (f *tcpFront) ended() { f.service.limits.connections.part(f) }

func (f *tcpFront) run() {
	for {
		client, err := f.listener.AcceptTCP()
		if errors.Is(err, net.ErrClosed) {
			return
		}
		if err != nil { // out of descriptors, or the client is gone already
			time.Sleep(acceptPause)
			continue
		}
		if !f.service.limits.connections.admit(f) {
			f.service.drop(tableFull)
			pump.Reset(client)
			continue
		}
		f.service.work.Go(func() {
			defer f.service.limits.connections.leave(f)
			f.serve(client)
		})
	}
}

// serve connects a client with a backend until both are done.
func (f *tcpFront) serve(client *net.TCPConn) {
	from := client.RemoteAddr().(*net.TCPAddr).AddrPort()
	from = netip.AddrPortFrom(from.Addr().Unmap(), from.Port())
	if !f.wait(from) {
		pump.Reset(client)
		return
	}
	v := f.service.view.Load() // not earlier: the wait may have taken a minute
	if v.wanted.Chooser == datapath.BySession {
		f.placeBySession(client, from)
	} else if v.names == nil {
		f.forward(client, from, v, &v.all, byTable)
	} else if v, group, ok := f.choose(client); ok {
		f.forward(client, from, v, group, byTable)
	}
}

// forward connects a client to the backend of its session, or to one of a group.
func (f *tcpFront) forward(client *net.TCPConn, from netip.AddrPort, v *view, to *group, session string) {
	began := time.Now()
	b, server := f.connect(v, to, from, session)
	if server == nil {
		pump.Reset(client)
		return
	}
	p := &pair{client: client, server: server, headers: headerBytes(f.service.key), counts: both{&f.service.own, &b.counter}}
	if !b.take(p) {
		p.abort()
		return
	}
	defer b.forget(p)
	p.counts.begin(time.Since(began).Nanoseconds())
	defer p.counts.end()
	if v.wanted.ProxyProtocol {
		if _, err := server.Write(proxyHeader(from, destination(f.service.key))); err != nil {
			p.abort()
			return
		}
	}
	pump.JoinReading(client, server, p.countRequest, p.countAnswer, f.learn(v, b.id))
}

// wait waits while a client's connection is held, and reports whether to continue.
func (f *tcpFront) wait(from netip.AddrPort) bool {
	ready := make(chan bool, 1)
	held, called := f.service.limits.steering.waits(f.service.key, from, func(goesOn bool) { ready <- goesOn })
	if !held || !called {
		return !held
	}
	select {
	case goesOn := <-ready:
		return goesOn
	case <-f.ctx.Done():
		return false
	}
}

// connect tries other backends if the chosen one can't be reached: health checks will
// detect it later, but this client is here now. If all fail, the loss counts for the
// chosen one.
func (f *tcpFront) connect(v *view, to *group, from netip.AddrPort, session string) (*backend, *net.TCPConn) {
	var tried []*backend
	for len(tried) < dialAttempts {
		b := to.pick(f.service.key, from, tried...)
		if len(tried) == 0 {
			b = cmp.Or(f.service.limits.steering.backendOf(v, f.service.key, from), v.upKeeper(session), b)
		}
		if b == nil && len(tried) == 0 {
			f.service.drop(noBackend)
			return nil, nil
		}
		if b == nil {
			break
		}
		tried = append(tried, b)
		if conn, err := f.dial(b); err == nil {
			return b, conn
		}
		if f.ctx.Err() != nil {
			break
		}
	}
	f.service.lose(tried[0])
	return nil, nil
}

func (f *tcpFront) dial(b *backend) (*net.TCPConn, error) {
	ctx, cancel := context.WithTimeout(f.ctx, dialMost)
	defer cancel()
	conn, err := f.service.limits.dial(ctx, "tcp", b.address.String())
	if err != nil {
		return nil, err
	}
	return conn.(*net.TCPConn), nil
}

// pair is a client's connection and the one to its backend.
type pair struct {
	client, server *net.TCPConn
	counts         both
	headers        int
	request        clock
}

// countRequest counts what the client sent.
func (p *pair) countRequest(bytes int) {
	p.request.start()
	p.counts.received(bytes, p.headers)
}

// countAnswer counts what the backend sent.
func (p *pair) countAnswer(bytes int) {
	p.counts.sent(bytes, p.headers)
	if waited, first := p.request.stop(); first {
		p.counts.answered(waited)
	}
}

// abort ends both at once.
func (p *pair) abort() {
	pump.Reset(p.client)
	pump.Reset(p.server)
}

// headerBytes is the header size of a packet without options.
func headerBytes(key datapath.Key) int {
	network, transport := 20, 8
	if key.Address.Is6() {
		network = 40
	}
	if key.Protocol == datapath.TCP {
		transport = 20
	}
	return network + transport
}

func destination(key datapath.Key) netip.AddrPort { return netip.AddrPortFrom(key.Address, key.Port) }
