package echo

import (
	"context"
	"errors"
	"fmt"
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
		if m.Address() != "" {
			logged = "" // it worked in the meantime
		}
		m.listening("", troubleOf(err))
		if ctx.Err() == nil && err.Error() != logged {
			logged = err.Error()
			m.options.Log.Info("round trips to other nodes are not measured", "err", err)
		}
		if !errors.Is(err, errMoved) {
			pause(ctx, m.retry)
		}
	}
}

// troubleOf is empty if no port is refused, such as without an address to listen at.
func troubleOf(err error) string {
	if refused := new(net.OpError); errors.As(err, &refused) && refused.Op == "listen" {
		return err.Error()
	}
	return ""
}

// measure sends and receives until it fails, or the host's address changes.
func (m *Meter) measure(ctx context.Context) error {
	at, err := m.options.Listen(ctx)
	if err != nil {
		return err
	}
	conn, err := net.ListenUDP("udp", net.UDPAddrFromAddrPort(at))
	if err != nil {
		return err // with the address
	}
	here, end := context.WithCancelCause(ctx)
	// At once, because a write may block: the kernel's buffer is full while a link is paused.
	context.AfterFunc(here, func() { _ = conn.Close() })
	received, watched := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(received)
		end(m.receive(conn))
	}()
	go func() {
		defer close(watched)
		for here.Err() == nil {
			pause(here, m.retry)
			// A name that can't be resolved doesn't mean that the address changed.
			if now, err := m.options.Listen(here); err == nil && now != at {
				end(errMoved)
			}
		}
	}()
	defer func() {
		end(nil)
		_ = conn.Close()
		<-received
		<-watched
	}()
	if err := setOptions(conn); err != nil {
		return fmt.Errorf("set socket options: %w", err)
	}
	m.listening(conn.LocalAddr().String(), "")
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

func (m *Meter) listening(address, trouble string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.address, m.trouble = address, trouble
}

func pause(ctx context.Context, span time.Duration) {
	select {
	case <-ctx.Done():
	case <-time.After(span):
	}
}
