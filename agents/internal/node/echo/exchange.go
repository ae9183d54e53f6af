package echo

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"net"
	"net/netip"
	"time"
)

const controlMost = 128 // bytes; one time of arrival takes 32

var errMoved = errors.New("its address changed")

// run measures until it is stopped, and retries when it can't.
func (m *Meter) run(ctx context.Context) {
	logged := ""
	for ctx.Err() == nil {
		err := m.measure(ctx)
		m.listening("")
		if ctx.Err() == nil && err.Error() != logged {
			logged = err.Error()
			m.options.Log.Info("round trips to other nodes are not measured", "err", err)
		}
		if !errors.Is(err, errMoved) {
			pause(ctx, retryEvery)
		}
	}
}

// measure sends and receives until it fails, or the host's address changes.
func (m *Meter) measure(ctx context.Context) error {
	at, err := m.options.Listen(ctx)
	if err != nil {
		return err
	}
	conn, err := net.ListenUDP("udp", net.UDPAddrFromAddrPort(at))
	if err != nil {
		return fmt.Errorf("listen for echoes: %w", err)
	}
	here, end := context.WithCancelCause(ctx)
	received, watched := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(received)
		end(m.receive(conn))
	}()
	go func() {
		defer close(watched)
		for here.Err() == nil {
			pause(here, retryEvery)
			if now, err := m.options.Listen(here); err != nil || now != at {
				end(errors.Join(errMoved, err))
			}
		}
	}()
	defer func() {
		end(nil)
		_ = conn.Close()
		<-received
		<-watched
	}()
	if err := requestArrivals(conn); err != nil {
		return fmt.Errorf("request times of arrival: %w", err)
	}
	m.listening(conn.LocalAddr().String())
	tick := time.NewTicker(every)
	defer tick.Stop()
	for {
		m.send(conn)
		select {
		case <-here.Done():
			return context.Cause(here)
		case <-tick.C:
		}
	}
}

// send sends a request to each peer. An error is like a lost datagram: the peer may be unreachable.
func (m *Meter) send(conn *net.UDPConn) {
	m.mu.Lock()
	defer m.mu.Unlock()
	var buffer [packetLength]byte
	for _, peer := range m.peers {
		peer.number = rand.Uint64() // so that only its receiver can reply
		out := packet{kind: request, number: peer.number, to: peer.to}
		content := out.append(buffer[:0])
		peer.sent = time.Now()
		_, _ = conn.WriteToUDPAddrPort(content, peer.Address)
	}
}

// receive answers requests and records replies until the socket is closed.
func (m *Meter) receive(conn *net.UDPConn) error {
	var buffer [packetLength + 1]byte // one more, to detect a longer datagram
	var control [controlMost]byte
	for {
		n, controlLength, _, from, err := conn.ReadMsgUDPAddrPort(buffer[:], control[:])
		now := time.Now()
		if err != nil {
			return fmt.Errorf("receive echoes: %w", err)
		}
		got, valid := parsePacket(buffer[:n])
		if !valid {
			continue
		}
		arrived := arrival(control[:controlLength])
		from = netip.AddrPortFrom(from.Addr().Unmap(), from.Port())
		switch {
		case got.kind == reply:
			m.record(from, &got, now, arrived)
		case m.serves(from, &got):
			got.kind, got.residence = reply, 0
			if !arrived.IsZero() {
				got.residence = max(0, time.Now().Round(0).Sub(arrived))
			}
			_, _ = conn.WriteToUDPAddrPort(got.append(buffer[:0]), from)
		}
	}
}

// serves reports whether a request is for this agent, and from one of its peers.
func (m *Meter) serves(from netip.AddrPort, got *packet) bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	return got.to == m.self && m.peers[from] != nil
}

func (m *Meter) record(from netip.AddrPort, got *packet, received, arrived time.Time) {
	m.mu.Lock()
	defer m.mu.Unlock()
	peer := m.peers[from]
	if peer == nil || peer.sent.IsZero() || got.number != peer.number || got.to != peer.to {
		return
	}
	if took, possible := roundTrip(peer.sent, received, arrived, got.residence); possible {
		peer.measured.add(took, received)
	}
	peer.sent = time.Time{}
}

func (m *Meter) listening(address string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.address = address
}

func pause(ctx context.Context, span time.Duration) {
	select {
	case <-ctx.Done():
	case <-time.After(span):
	}
}
