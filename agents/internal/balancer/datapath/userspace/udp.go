package userspace

import (
	"bytes"
	"cmp"
	"container/list"
	"context"
	"errors"
	"fmt"
	"net"
	"net/netip"
	"sync"
	"time"
)

const (
	sessionIdleMost = time.Minute
	datagramMost    = 64 << 10
)

// udpFront gives each client a socket of its own towards a backend.
type udpFront struct {
	service *service
	conn    *net.UDPConn

	mu       sync.Mutex
	sessions map[netip.AddrPort]*session
	young    young
	closed   bool
}

// session is one client's datagrams.
type session struct {
	front   *udpFront
	client  netip.AddrPort
	backend *backend
	server  *net.UDPConn
	counts  both
	request clock

	young    *list.Element // nil once the client has sent a second datagram
	replaced bool          // its place is used by another session
}

func listenUDP(s *service) (front, error) {
	config := net.ListenConfig{Control: freely(s.key.Address)}
	conn, err := config.ListenPacket(context.Background(), family("udp", s.key.Address), destination(s.key).String())
	if err != nil {
		return nil, fmt.Errorf("service %s: listen: %w", s.key, err)
	}
	f := &udpFront{service: s, conn: conn.(*net.UDPConn), sessions: map[netip.AddrPort]*session{}}
	s.limits.crowd.join(f)
	return f, nil
}

func (f *udpFront) close() {
	_ = f.conn.Close()
	f.service.limits.crowd.leave(f)
	f.mu.Lock()
	defer f.mu.Unlock()
	f.closed = true
	for _, s := range f.sessions {
		s.abort()
	}
}

func (f *udpFront) ended() {}

// run passes datagrams to their sessions.
func (f *udpFront) run() {
	datagram := make([]byte, datagramMost)
	for {
		size, client, err := f.conn.ReadFromUDPAddrPort(datagram)
		if errors.Is(err, net.ErrClosed) {
			return
		}
		if err != nil { // an ICMP error of a client that is gone, or a lasting error
			time.Sleep(time.Millisecond)
			continue
		}
		client = netip.AddrPortFrom(client.Addr().Unmap(), client.Port())
		if s := f.known(client); s != nil {
			s.send(datagram[:size])
		} else if !f.holds(client, datagram[:size]) {
			f.start(client, datagram[:size])
		}
	}
}

// holds reports whether a client's datagrams are held, and keeps this one then.
func (f *udpFront) holds(client netip.AddrPort, datagram []byte) bool {
	steering := f.service.limits.steering
	if !steering.isHeld(f.service.key, client) {
		return false
	}
	datagram = bytes.Clone(datagram)
	held, _ := steering.waits(f.service.key, client, func(goesOn bool) {
		if !goesOn {
			return
		}
		if s := f.known(client); s != nil {
			s.send(datagram)
		} else {
			f.start(client, datagram)
		}
	})
	return held
}

// start starts a client's session with a datagram.
func (f *udpFront) start(client netip.AddrPort, datagram []byte) {
	if s := f.session(client); s != nil {
		s.send(datagram)
	}
}

func (s *session) send(datagram []byte) {
	s.request.start()
	s.counts.received(len(datagram), headerBytes(s.front.service.key))
	_ = s.server.SetReadDeadline(time.Now().Add(sessionIdleMost))
	if _, err := s.server.Write(datagram); err != nil && !errors.Is(err, net.ErrClosed) {
		s.front.service.lose(s.backend)
	}
}

// session starts a client's session; nil when there is no backend for it.
func (f *udpFront) session(client netip.AddrPort) *session {
	v, key := f.service.view.Load(), f.service.key
	b := cmp.Or(f.service.limits.steering.backendOf(v, key, client), v.all.pick(key, client))
	if b == nil {
		f.service.drop(noBackend)
		return nil
	}
	if !f.place() {
		f.service.drop(tableFull)
		return nil
	}
	server, err := net.DialUDP("udp", nil, net.UDPAddrFromAddrPort(b.address))
	if err != nil {
		f.service.limits.sessions.leave()
		f.service.lose(b)
		return nil
	}
	return f.begin(&session{front: f, client: client, backend: b, server: server, counts: both{&f.service.own, &b.counter}})
}

func (f *udpFront) known(client netip.AddrPort) *session {
	f.mu.Lock()
	defer f.mu.Unlock()
	s := f.sessions[client]
	if s != nil {
		f.young.remove(s)
	}
	return s
}

// place finds room for one more session. If there is none, it ends the oldest session
// with a single datagram, of the service that has the most of those: a flood from spoofed
// addresses ends only its own sessions.
func (f *udpFront) place() bool {
	limits := f.service.limits
	return limits.sessions.admit() || limits.crowd.largest(f).giveWay()
}

func (f *udpFront) giveWay() bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	oldest := f.young.Front()
	if oldest == nil {
		return false
	}
	s := oldest.Value.(*session)
	f.young.remove(s)
	s.replaced = true
	delete(f.sessions, s.client)
	s.abort()
	return true
}

func (f *udpFront) begin(s *session) *session {
	f.mu.Lock()
	defer f.mu.Unlock()
	known := f.sessions[s.client] // since a moment: held datagrams are released by another goroutine
	if known != nil || f.closed || !s.backend.take(s) {
		_ = s.server.Close()
		f.service.limits.sessions.leave()
		return known
	}
	s.counts.begin(-1)
	f.sessions[s.client] = s
	f.young.add(s)
	f.service.work.Go(s.run)
	return s
}

// run forwards replies until the session is idle.
func (s *session) run() {
	s.answer()
	_ = s.server.Close()
	s.backend.forget(s)
	s.counts.end()
	if !s.front.forget(s) {
		s.front.service.limits.sessions.leave()
	}
}

// forget reports whether the session's place was already given to another one.
func (f *udpFront) forget(s *session) (replaced bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.sessions[s.client] == s {
		delete(f.sessions, s.client)
	}
	f.young.remove(s)
	return s.replaced
}

// abort makes run end. New datagrams of the client start another session.
func (s *session) abort() { _ = s.server.Close() }
