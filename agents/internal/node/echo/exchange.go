package echo

import (
	"context"
	"fmt"
	"net"
	"net/netip"
	"time"
)

const controlMost = 128 // bytes; one time of arrival takes 32

// exchange sends and receives the datagrams of a meter.
type exchange struct{ *Meter }

// Send sends requests until it is stopped.
func (m exchange) Send(ctx context.Context, conn *net.UDPConn) {
	tick := time.NewTicker(every)
	defer tick.Stop()
	for {
		m.send(conn)
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
	}
}

// writer is a UDP connection.
type writer interface {
	WriteToUDPAddrPort(content []byte, to netip.AddrPort) (int, error)
}

// send sends a request to each peer. An error is like a lost datagram: the peer may be unreachable. It
// doesn't hold the lock while it writes, because reports wait for the lock.
func (m *Meter) send(conn writer) {
	m.mu.Lock()
	targets := m.targets
	m.mu.Unlock()
	var buffer [packetLength]byte
	for _, peer := range targets {
		m.mu.Lock()
		out, due := peer.request()
		m.mu.Unlock()
		if due {
			_, _ = conn.WriteToUDPAddrPort(out.append(buffer[:0]), peer.Address)
		}
	}
}

// Receive answers requests and records replies until the socket is closed.
func (m exchange) Receive(conn *net.UDPConn) error {
	if err := addArrivals(conn); err != nil {
		return fmt.Errorf("set socket options: %w", err)
	}
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
		from = netip.AddrPortFrom(from.Addr().Unmap(), from.Port())
		switch {
		case got.kind == reply:
			m.record(from, &got, now, control[:controlLength])
		case m.serves(from, &got, now):
			got.kind, got.residence = reply, 0
			if arrived := arrival(control[:controlLength]); !arrived.IsZero() {
				got.residence = max(0, time.Now().Round(0).Sub(arrived))
			}
			_, _ = conn.WriteToUDPAddrPort(got.append(buffer[:0]), from)
		}
	}
}

// serves reports whether a request is for this agent, and from one of its peers.
func (m *Meter) serves(from netip.AddrPort, got *packet, now time.Time) bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	known := m.sources[from]
	return known != nil && got.to == m.self && known.allows(now)
}

func (m *Meter) record(from netip.AddrPort, got *packet, received time.Time, control []byte) {
	m.mu.Lock()
	defer m.mu.Unlock()
	known := m.sources[from]
	if known == nil {
		return
	}
	for _, peer := range known.targets {
		if peer.takes(got) {
			peer.record(got, received, arrival(control))
		}
	}
}
