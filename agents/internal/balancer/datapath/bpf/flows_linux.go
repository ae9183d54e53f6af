package bpf

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"net/netip"
	"os"
	"time"

	"github.com/cilium/ebpf"
	"github.com/cilium/ebpf/ringbuf"

	"fairlead.dev/agents/internal/balancer/datapath"
)

type reader = ringbuf.Reader

func newReader(m *ebpf.Map) (*reader, error) {
	r, err := ringbuf.NewReader(m)
	if err != nil {
		return nil, fmt.Errorf("read what the programs tell: %w", err)
	}
	return r, nil
}

// Misplaced delivers flows that went elsewhere than another replica would send them.
func (e *Engine) Misplaced() <-chan datapath.Flow { return e.news.out }

// followMisplaced turns the kernel's events to flows until the reader is closed.
func (e *Engine) followMisplaced() {
	var record ringbuf.Record
	for {
		err := e.reads.ReadInto(&record)
		if errors.Is(err, os.ErrClosed) {
			return
		}
		if err != nil {
			e.rest()
			continue
		}
		var event misplacedFlow
		if !decode(record.RawSample, &event) {
			continue
		}
		if b := e.names.Load().keeper(flowEntry{Slot: event.Slot, Incarnation: event.Incarnation}); b != nil {
			e.news.put(b.flow(event.Key))
		}
	}
}

// rest keeps an error that lasts from taking a whole CPU, and says whether to go on.
func (e *Engine) rest() bool {
	select {
	case <-e.done:
		return false
	case <-time.After(100 * time.Millisecond):
		return true
	}
}

// aged is a flow to this backend that was seen some time ago.
func (b *name) aged(key flowKey, seen, now uint32) datapath.Flow {
	flow := b.flow(key)
	if age := ageOf(seen, now); age > ticks(sameTime) {
		flow.Age = time.Duration(age) << TcxLimitsSEEN_SHIFT
	}
	return flow
}

// flow is one to this backend.
func (b *name) flow(key flowKey) datapath.Flow {
	client := netip.AddrPortFrom(fromAddress(key.Client), wire(key.ClientPort))
	return datapath.Flow{Service: b.service, Client: client, Backend: b.backend}
}

// MisplacedNow lists all misplaced flows that are alive.
func (e *Engine) MisplacedNow(ctx context.Context) ([]datapath.Flow, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	var out []datapath.Flow
	every := func(*name) bool { return true }
	return out, e.eachMisplaced(every, func(flow datapath.Flow) { out = append(out, flow) })
}

// tellMoved hands over what a change of tables misplaced.
func (e *Engine) tellMoved(moved []*service) error {
	if len(moved) == 0 {
		return nil
	}
	among := make(map[datapath.Key]bool, len(moved))
	for _, s := range moved {
		among[s.Key] = true
	}
	return e.eachMisplaced(func(b *name) bool { return among[b.service] }, e.news.put)
}

// halfOpenMost is how old half-open connections are at most that are told. A first
// packet is not sent again for as long.
const halfOpenMost = 4 * time.Second

// look reads tables once, for many flows.
type look struct {
	engine *Engine
	names  *names
	tables map[uint32]*table
}

func (e *Engine) look() *look { return &look{e, e.names.Load(), map[uint32]*table{}} }

// misplaced says whether another replica would look for a flow elsewhere than here.
func (l *look) misplaced(key flowKey, flow flowEntry) (b *name, is bool) {
	if b = l.names.keeper(flow); b == nil {
		return nil, false
	}
	t, ok := l.tables[b.table]
	if !ok {
		t = l.engine.tableAt(b.table)
		l.tables[b.table] = t
	}
	return b, t != nil && !agree(t, rowOf(key, b.seed), flow.Slot)
}

func (e *Engine) eachMisplaced(among func(*name) bool, each func(datapath.Flow)) error {
	now, looked := seenNow(), e.look()
	visit := func(key flowKey, flow flowEntry) {
		if b, is := looked.misplaced(key, flow); is && among(b) {
			each(b.aged(key, flow.Seen, now))
		}
	}
	// Not what was learnt: each replica says what it knows itself.
	err := inBatches(e.maps[TcxMapConnections], func(key flowKey, flow flowEntry) {
		if isLive(key, flow, now) {
			visit(key, flow)
		}
	})
	if err != nil {
		return fmt.Errorf("walk the connections: %w", err)
	}
	// Those that are about to be connections: their next packet may come to another replica.
	err = inBatches(e.maps[TcxMapHalfOpen], func(key flowKey, flow flowEntry) {
		if flow.Flags&heldFlag == 0 && ageOf(flow.Seen, now) <= ticks(halfOpenMost) {
			visit(key, flow)
		}
	})
	if err != nil {
		return fmt.Errorf("walk the half-open connections: %w", err)
	}
	return nil
}

// letGo forgets flows to backends that are gone or inactive, and of services that
// are gone. The programs ignore them already; this gives their room back.
func (e *Engine) letGo(before, next *model) error {
	if !before.loses(next) {
		return nil
	}
	for _, name := range []string{TcxMapConnections, TcxMapHalfOpen, TcxMapLearnt} {
		err := clearBygone(e, name, func(_ flowKey, flow flowEntry) bool {
			b := next.slots[flow.Slot]
			return b == nil || b.entry.Incarnation != flow.Incarnation || b.entry.Flags&keeps == 0
		})
		if err != nil {
			return err
		}
	}
	return e.letGoTranslated(next)
}

// letGoTranslated forgets translated flows whose backend is gone or inactive.
func (e *Engine) letGoTranslated(next *model) error {
	live := make(map[natKey]bool, len(next.slots))
	for _, s := range next.services {
		for _, b := range s.backends {
			if s.Delivery == datapath.NAT && b.entry.Flags&keeps != 0 {
				live[natKey{Backend: b.entry.Address, BackendPort: b.entry.Port, Protocol: uint8(s.Key.Protocol)}] = true
			}
		}
	}
	for _, name := range []string{TcxMapNatFlows, TcxMapNatHalfOpen} {
		err := clearBygone(e, name, func(key natKey, _ natFlow) bool {
			key.Port = 0
			return !live[key]
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// loses tells whether flows of before may have lost their backend.
func (m *model) loses(next *model) bool {
	for slot, b := range m.slots {
		now, ok := next.slots[slot]
		if !ok || now.entry.Incarnation != b.entry.Incarnation || b.entry.Flags&keeps > now.entry.Flags&keeps {
			return true
		}
	}
	return false
}

// decode reads what a program wrote.
func decode(sample []byte, into any) bool {
	n, err := binary.Decode(sample, binary.NativeEndian, into)
	return err == nil && n > 0
}
