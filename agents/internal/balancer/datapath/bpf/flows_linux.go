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
		return nil, fmt.Errorf("read the programs' events: %w", err)
	}
	return r, nil
}

// Misplaced delivers flows that another replica would send elsewhere.
func (e *Engine) Misplaced() <-chan datapath.Flow { return e.news.out }

// followMisplaced converts the kernel's events to flows until the reader is closed.
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

// rest pauses, so that a lasting error doesn't use a whole CPU, and reports whether to
// continue.
func (e *Engine) rest() bool {
	select {
	case <-e.done:
		return false
	case <-time.After(100 * time.Millisecond):
		return true
	}
}

// aged returns a flow to this backend that was last seen some time ago.
func (b *name) aged(key flowKey, seen, now uint32) datapath.Flow {
	flow := b.flow(key)
	if age := ageOf(seen, now); age > ticks(sameTime) {
		flow.Age = time.Duration(age) << TcxLimitsSEEN_SHIFT
	}
	return flow
}

// flow returns a flow to this backend.
func (b *name) flow(key flowKey) datapath.Flow {
	client := netip.AddrPortFrom(fromAddress(key.Client), wire(key.ClientPort))
	return datapath.Flow{Service: b.service, Client: client, Backend: b.backend}
}

// MisplacedNow returns all live misplaced flows.
func (e *Engine) MisplacedNow(ctx context.Context) ([]datapath.Flow, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	var out []datapath.Flow
	every := func(*name) bool { return true }
	return out, e.eachMisplaced(every, func(flow datapath.Flow) { out = append(out, flow) })
}

// announceMoved announces the flows that a change of tables misplaced.
func (e *Engine) announceMoved(moved []*service) error {
	if len(moved) == 0 {
		return nil
	}
	among := make(map[datapath.Key]bool, len(moved))
	for _, s := range moved {
		among[s.Key] = true
	}
	return e.eachMisplaced(func(b *name) bool { return among[b.service] }, e.news.put)
}

// halfOpenMost is the maximum age of half-open connections that are announced. A first
// packet isn't repeated after that long.
const halfOpenMost = 4 * time.Second

// look reads tables once, for many flows.
type look struct {
	engine *Engine
	names  *names
	tables map[uint32]*table
}

func (e *Engine) look() *look { return &look{e, e.names.Load(), map[uint32]*table{}} }

// misplaced reports whether another replica would place a flow elsewhere.
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
	// Not learnt flows: each replica announces its own.
	err := inBatches(e.maps[TcxMapConnections], func(key flowKey, flow flowEntry) {
		if isLive(key, flow, now) {
			visit(key, flow)
		}
	})
	if err != nil {
		return fmt.Errorf("walk the connections: %w", err)
	}
	// Half-open connections too: their next packet may reach another replica.
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

// letGo deletes flows to removed or inactive backends, and of removed services. The
// programs ignore them already; this frees their room.
func (e *Engine) letGo(before, next *model) error {
	if !before.loses(next) {
		return nil
	}
	for _, name := range []string{TcxMapConnections, TcxMapHalfOpen, TcxMapLearnt} {
		err := clearStale(e, name, func(_ flowKey, flow flowEntry) bool {
			b := next.slots[flow.Slot]
			return b == nil || b.entry.Incarnation != flow.Incarnation || b.entry.Flags&keeps == 0
		})
		if err != nil {
			return err
		}
	}
	return e.letGoTranslated(next)
}

// letGoTranslated deletes translated flows whose backend is removed or inactive.
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
		err := clearStale(e, name, func(key natKey, _ natFlow) bool {
			key.Port = 0
			return !live[key]
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// loses reports whether existing flows may have lost their backend.
func (m *model) loses(next *model) bool {
	for slot, b := range m.slots {
		now, ok := next.slots[slot]
		if !ok || now.entry.Incarnation != b.entry.Incarnation || b.entry.Flags&keeps > now.entry.Flags&keeps {
			return true
		}
	}
	return false
}

// decode decodes a program's record.
func decode(sample []byte, into any) bool {
	n, err := binary.Decode(sample, binary.NativeEndian, into)
	return err == nil && n > 0
}
