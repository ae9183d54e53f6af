package steering

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/cilium/ebpf"

	"fairlead.dev/agents/internal/balancer/datapath"
	"fairlead.dev/agents/internal/balancer/datapath/bpf/neighbour"
	"fairlead.dev/agents/internal/balancer/datapath/bpf/program"
	"fairlead.dev/agents/internal/balancer/datapath/bpf/state"
)

// Table is the table of connections that were placed one by one.
type Table struct {
	maps      map[string]*ebpf.Map
	published *state.Published
	sender    *sender

	mutex sync.Mutex // an entry must not change between a lookup and its update
	kept  *kept
}

var _ datapath.Steering = (*Table)(nil)

// New returns one for a program. sent is its verdict on a packet for a backend.
func New(maps map[string]*ebpf.Map, program *ebpf.Program, sent uint32, network *neighbour.Network, published *state.Published) *Table {
	return &Table{maps: maps, published: published, sender: &sender{maps, program, sent, network, published}, kept: newKept()}
}

// Put sends a connection that begins before that time to a backend.
func (t *Table) Put(flow datapath.Flow, until time.Time) error {
	b := t.published.Names().ByKey[flow.Service][flow.Backend]
	if b == nil {
		return fmt.Errorf("place a connection of %s: service %s has no backend %q: set it first", flow.Client, flow.Service, flow.Backend)
	}
	if !b.Keeps() {
		return fmt.Errorf("place a connection of %s: backend %q of service %s has no connections: make it active or draining", flow.Client, flow.Backend, flow.Service)
	}
	return t.change(program.ToFlowKey(flow.Service, flow.Client), func(entry *program.SteeredFlow) {
		entry.Until, entry.Incarnation, entry.Slot = program.MonotonicAt(until), b.Incarnation, b.Slot
	})
}

// Hold keeps the packets of a connection.
func (t *Table) Hold(flow datapath.Flow, until time.Time) error {
	if err := cmp.Or(datapath.CheckHold(until), t.sender.network.RawError); err != nil {
		return fmt.Errorf("hold a connection of %s: %w", flow.Client, err)
	}
	key := program.ToFlowKey(flow.Service, flow.Client)
	return t.change(key, func(entry *program.SteeredFlow) {
		entry.HeldUntil = program.MonotonicAt(until)
		t.kept.expect(key, program.Monotonic(), entry.HeldUntil)
	})
}

// Release ends a Hold, and sends what was kept.
func (t *Table) Release(flow datapath.Flow) error {
	key := program.ToFlowKey(flow.Service, flow.Client)
	var packets []*Packet
	err := t.change(key, func(entry *program.SteeredFlow) {
		entry.HeldUntil = 0
		packets = t.kept.take(key)
	})
	for _, one := range packets {
		err = errors.Join(err, t.sender.send(one))
	}
	return err
}

func (t *Table) change(key program.FlowKey, change func(*program.SteeredFlow)) error {
	t.mutex.Lock()
	defer t.mutex.Unlock()
	var entry program.SteeredFlow
	err := t.maps[program.TcxMapSteeredFlows].Lookup(key, &entry)
	if err == nil || errors.Is(err, ebpf.ErrKeyNotExist) {
		change(&entry)
		err = t.maps[program.TcxMapSteeredFlows].Put(key, entry)
	}
	if err != nil {
		return fmt.Errorf("steer a connection: %w", err)
	}
	return nil
}

// Send sends a packet to where its connection is placed now.
func (t *Table) Send(p *Packet) error { return t.sender.send(p) }

// Follow keeps the packets of held connections, until these events are closed. A packet
// that arrives after its connection was released is sent.
func (t *Table) Follow(events *program.Events) {
	for {
		one := new(Packet)
		frame, open := events.NextFrame(&one.KeptPacket)
		if !open {
			return
		}
		if one.Length > uint32(len(frame)) {
			continue
		}
		one.Frame = bytes.Clone(frame[:one.Length])
		if t.keep(one) {
			continue
		}
		_ = t.sender.send(one) // it is lost if that fails, as by a full queue
	}
}

// keep keeps a packet while its connection is held, and reports whether there is nothing to
// send: then it is kept, or the hold has ended by itself. Another program may have begun it.
func (t *Table) keep(one *Packet) bool {
	t.mutex.Lock()
	defer t.mutex.Unlock()
	var entry program.SteeredFlow
	if err := t.maps[program.TcxMapSteeredFlows].Lookup(one.Key, &entry); err != nil || entry.HeldUntil == 0 {
		return false
	}
	if now := program.Monotonic(); entry.HeldUntil > now && !one.isLate(now) {
		t.kept.add(one, entry.HeldUntil)
	}
	return true
}
