package bpf

import (
	"errors"
	"fmt"
	"time"

	"github.com/cilium/ebpf"

	"fairlead.dev/agents/internal/balancer/datapath"
)

const (
	// keepMost is how many flows are kept for peers in one step: their messages wait for it.
	keepMost = 1024

	pauseMost = 20 * time.Millisecond
)

// run walks when requested, until done is closed.
func (w *walker) run(done <-chan struct{}) {
	for {
		select {
		case <-done:
			return
		case <-w.wake:
		}
		one := w.begin()
		if one == nil {
			continue
		}
		began := time.Now()
		p := &pass{walker: w, done: done, walk: one, looked: w.exchange.look(), found: walked{live: map[owner]uint64{}}}
		err := p.run()
		p.found.ended, p.found.took = time.Now(), time.Since(began)
		w.end(one, p.found, err)
	}
}

// halfOpenMost is the maximum age of half-open connections that are announced. A first
// packet isn't repeated after that long.
const halfOpenMost = 4 * time.Second

// pass is a walk in progress.
type pass struct {
	walker  *walker
	done    <-chan struct{}
	walk    *walk
	looked  *look
	moved   map[datapath.Key]bool // services whose misplaced flows are announced, as of this batch
	found   walked
	visited int
}

func (p *pass) run() error {
	maps := p.walker.maps
	if err := visit(p, TcxMapConnections, p.connections); err != nil {
		return err
	}
	if err := visit(p, TcxMapHalfOpen, p.halfOpen); err != nil {
		return err
	}
	if err := visit(p, TcxMapLearnt, p.learnt); err != nil {
		return err
	}
	return errors.Join(
		visit(p, TcxMapNatFlows, func(keys []natKey, flows []natFlow) (stale[natKey, natFlow], error) {
			return p.translated(maps[TcxMapNatFlows], keys, flows, isTranslatedOver), nil
		}),
		visit(p, TcxMapNatHalfOpen, func(keys []natKey, flows []natFlow) (stale[natKey, natFlow], error) {
			return p.translated(maps[TcxMapNatHalfOpen], keys, flows, func(natKey, natFlow, uint32) bool { return false }), nil
		}),
	)
}

// visit walks a table in batches, and deletes what each returns. Between two batches of a
// long walk it pauses as long as one took, so that it uses at most half a processor, unless
// peers wait for flows that a change misplaced.
func visit[K any, V comparable](p *pass, table string, each func([]K, []V) (stale[K, V], error)) error {
	began, w := time.Now(), p.walker
	err := eachBatch(w.maps[table], func(keys []K, values []V) error {
		if p.isClosed() {
			return errClosed
		}
		p.visited += len(keys)
		p.moved = w.announces(p.walk)
		if p.looked.isOutdated(w.published) {
			p.looked = w.exchange.look()
		}
		over, err := each(keys, values)
		if err == nil {
			err = over.deleteUnchanged()
		}
		if err != nil || p.visited < quickMost {
			return err
		}
		w.takesLong(p.found)
		if len(p.moved) == 0 {
			time.Sleep(min(time.Since(began), pauseMost))
		}
		began = time.Now()
		return nil
	})
	if err != nil {
		return fmt.Errorf("walk %s: %w", table, err)
	}
	return nil
}

// connections counts live ones, because entries disappear without an event.
func (p *pass) connections(keys []flowKey, flows []flowEntry) (over stale[flowKey, flowEntry], err error) {
	over.table = p.walker.maps[TcxMapConnections]
	ended := stale[flowKey, flowEntry]{}
	names, sweeps, now := p.walker.published.namesNow()
	for i, flow := range flows {
		key := keys[i]
		live := isLive(key, flow, now)
		if live {
			p.found.live[owner{flow.Slot, flow.Incarnation}]++
		}
		switch {
		case sweeps && names.keeper(flow) == nil:
			over.add(key, flow)
			continue
		case isOver(key, flow, now):
			ended.add(key, flow)
		case live:
			p.misplaced(key, flow, now)
		}
		p.found.connections++
	}
	for len(ended.keys) > 0 {
		size := min(keepMost, len(ended.keys))
		some := stale[flowKey, flowEntry]{keys: ended.keys[:size], read: ended.read[:size]}
		if err := p.walker.exchange.keepAnnounced(p.looked, some.keys, some.read); err != nil {
			return over, err
		}
		over.keys, over.read = append(over.keys, some.keys...), append(over.read, some.read...)
		ended.keys, ended.read = ended.keys[size:], ended.read[size:]
		p.found.connections -= size
	}
	return over, nil
}

// halfOpen also finds misplaced ones: their next packet may reach another replica. First
// packets without a second one here are over: their clients gave up, or continued at
// another replica.
func (p *pass) halfOpen(keys []flowKey, flows []flowEntry) (over stale[flowKey, flowEntry], err error) {
	over.table = p.walker.maps[TcxMapHalfOpen]
	names, sweeps, now := p.walker.published.namesNow()
	for i, flow := range flows {
		if silentFor(flow.Seen, now, overHalfOpen) || sweeps && names.keeper(flow) == nil {
			over.add(keys[i], flow)
		} else if flow.Flags&heldFlag == 0 && ageOf(flow.Seen, now) <= ticks(halfOpenMost) {
			p.misplaced(keys[i], flow, now)
		}
	}
	return over, nil
}

// learnt flows are announced repeatedly by their owner, as long as they live. They are not
// misplaced flows of this replica: each replica announces its own.
func (p *pass) learnt(keys []flowKey, flows []flowEntry) (over stale[flowKey, flowEntry], err error) {
	over.table = p.walker.maps[TcxMapLearnt]
	names, sweeps, now := p.walker.published.namesNow()
	for i, flow := range flows {
		if silentFor(flow.Seen, now, liveTCP) || sweeps && names.keeper(flow) == nil {
			over.add(keys[i], flow)
		} else {
			p.found.learnt++
		}
	}
	return over, nil
}

func (p *pass) translated(table *ebpf.Map, keys []natKey, flows []natFlow, isOver func(natKey, natFlow, uint32) bool) (over stale[natKey, natFlow]) {
	over.table = table
	names, sweeps, now := p.walker.published.namesNow()
	for i, flow := range flows {
		key := keys[i]
		key.Port = 0
		if isOver(keys[i], flow, now) || sweeps && !names.translated[key] {
			over.add(keys[i], flow)
		}
	}
	return over
}

// misplaced passes a flow on if another replica would place it elsewhere.
func (p *pass) misplaced(key flowKey, flow flowEntry, now uint32) {
	if !p.walk.flows && len(p.moved) == 0 {
		return
	}
	b, is := p.looked.misplaced(key, flow)
	if !is {
		return
	}
	if p.walk.flows {
		p.walk.misplaced = append(p.walk.misplaced, b.aged(key, flow.Seen, now))
	}
	if p.moved[b.service] {
		p.walker.exchange.announce(b.aged(key, flow.Seen, now))
	}
}

func (p *pass) isClosed() bool {
	select {
	case <-p.done:
		return true
	default:
		return false
	}
}
