package mesh

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"net"
	"slices"
	"time"
)

const (
	// quietAfter is how long a peer that sends nothing gets a hello at each of its turns. Later it gets
	// one a second: the node may be down, or its agent may report the address of another host.
	quietAfter = 10 * time.Second
	quietEvery = time.Second
)

// exchange sends and receives the datagrams of a mesh.
type exchange struct{ *Mesh }

// Send sends figures until it is stopped: when it is prompted, or in its own pace if prompts are missing.
func (m exchange) Send(ctx context.Context, conn *net.UDPConn) {
	m.begin()
	out := newBatch(conn)
	pace := time.NewTimer(every)
	defer pace.Stop()
	for gather := m.gather; ; {
		gather(out)
		failed := out.send() // without a lock, because a write may block
		m.mu.Lock()
		m.former.Failed += uint64(failed)
		m.mu.Unlock()
		select {
		case <-ctx.Done():
			return
		case <-m.hurried:
			gather = m.gatherBusy
		case <-m.prompted:
			pace.Reset(promptedEvery)
			gather = m.gather
		case <-pace.C:
			pace.Reset(every)
			gather = m.gather
		}
	}
}

// begin gives peers time to reply to another address of this node.
func (m *Mesh) begin() {
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, one := range m.links {
		one.since = m.now()
	}
}

// Receive keeps the figures of peers until the socket is closed.
func (m exchange) Receive(conn *net.UDPConn) error {
	if err := errors.Join(enlarge(conn), stamp(conn)); err != nil {
		return fmt.Errorf("set socket options: %w", err)
	}
	join(conn)
	in := newInbox(conn)
	for {
		if err := in.receive(m.take); err != nil {
			return fmt.Errorf("receive figures: %w", err)
		}
		m.announce()
	}
}

// gather collects the datagrams to those peers whose turn it is.
func (m *Mesh) gather(out *batch) {
	m.gathering.Lock()
	defer m.gathering.Unlock()
	m.mu.Lock()
	now := m.now()
	links := m.rounds.turn(make([]*link, 0, receiversMost), func(l *link) bool { return l.isDue(now) })
	m.mu.Unlock()
	for _, one := range links {
		figures, unusable := m.figuresFor(one.Node, all)
		m.mu.Lock()
		m.former.Unusable += uint64(unusable)
		m.compose(out, one, figures, m.now())
		m.mu.Unlock()
	}
}

// gatherBusy collects the datagrams of busy services. Where peers take turns, these would delay all other figures.
func (m *Mesh) gatherBusy(out *batch) {
	m.gathering.Lock()
	defer m.gathering.Unlock()
	if len(m.spec.Peers) > receiversMost || !slices.ContainsFunc(m.spec.Services, Service.isBusy) {
		return
	}
	m.mu.Lock()
	links := slices.Collect(maps.Values(m.links))
	m.mu.Unlock()
	for _, one := range links {
		figures, _ := m.figuresFor(one.Node, Service.isBusy) // gather counts unusable ones
		m.mu.Lock()
		if now := m.now(); one.isHeard(now) && len(figures) > 0 {
			m.compose(out, one, figures, now)
		}
		m.mu.Unlock()
	}
}

func (s Service) isBusy() bool { return s.Figures != nil && s.IsBusy != nil && s.IsBusy() }

func all(Service) bool { return true }

// figuresFor doesn't hold mu, so that the functions that it calls may use the mesh.
func (m *Mesh) figuresFor(receiver string, has func(Service) bool) (all []numbered, unusable int) {
	all = m.scratch[:0]
	for i, service := range m.spec.Services {
		if service.Figures == nil || !has(service) {
			continue
		}
		one := numbered{m.numbers[i], service.Figures(receiver)}
		if areWithin(figureMost, &one.Figures) {
			all = append(all, one)
		} else {
			unusable++
		}
	}
	m.scratch = all
	return all, unusable
}

// isDue reports whether the peer gets a datagram at its turn.
func (l *link) isDue(now time.Duration) bool {
	quiet := now - max(l.since, l.heardAt)
	return quiet < quietAfter || now-l.sentAt >= quietEvery
}

// compose appends the datagrams to a peer: its figures, or a hello while it sends nothing.
func (m *Mesh) compose(out *batch, to *link, figures []numbered, now time.Duration) {
	if !to.isHeard(now) {
		figures = nil
	}
	for isFirst := true; isFirst || len(figures) > 0; isFirst = false {
		h := to.header(m.own, m.incarnation, now)
		b := h.append(out.next())
		for len(figures) > 0 && len(b)+serviceBytes+macBytes <= packetMost {
			b = appendFigures(b, &figures[0])
			figures = figures[1:]
		}
		out.add(append(b, to.out.sign(b)...), to.at)
	}
}

// take decides about a datagram, which waited for this process before.
func (m *Mesh) take(datagram []byte, from net.Addr, waited time.Duration) {
	m.mu.Lock()
	defer m.mu.Unlock()
	h, valid := parseHeader(datagram)
	if !valid {
		m.former.Received[Malformed]++
		return
	}
	one := m.senders[h.sender]
	if one == nil {
		m.former.Received[Unknown]++
		return
	}
	one.counts[m.takeFrom(one, &h, datagram, from, waited)]++
}

func (m *Mesh) takeFrom(one *link, h *header, datagram []byte, from net.Addr, waited time.Duration) (reason Reason) {
	if !one.in[0].signed(datagram) && !one.in[1].signed(datagram) {
		one.forger = from
		return Forged
	}
	figures, valid := parseFigures(m.parsed[:0], datagram[headerBytes:len(datagram)-macBytes])
	m.parsed = figures
	if !valid {
		return Malformed
	}
	reason, sent := one.take(h, m.incarnation, m.now()-waited)
	if reason == Accepted || reason == Reordered {
		one.store(figures, h.number, sent, m.services)
		one.isNew = true
	}
	return reason
}
