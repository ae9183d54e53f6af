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
	return e.walker.misplaced(ctx, e.done)
}

// halfOpenMost is the maximum age of half-open connections that are announced. A first
// packet isn't repeated after that long.
const halfOpenMost = 4 * time.Second

// look reads tables once, for many flows.
type look struct {
	engine *Engine
	names  *names
	tables map[uint32]*table
	swaps  uint64 // how often tables were replaced before
}

func (e *Engine) look() *look {
	swaps := e.swaps.Load() // before the rest: a table that is replaced meanwhile is read again
	return &look{e, e.names.Load(), map[uint32]*table{}, swaps}
}

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

// decode decodes a program's record.
func decode(sample []byte, into any) bool {
	n, err := binary.Decode(sample, binary.NativeEndian, into)
	return err == nil && n > 0
}
