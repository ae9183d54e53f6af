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

// followWalks walks when requested, until the engine closes.
func (e *Engine) followWalks() {
	for {
		select {
		case <-e.done:
			return
		case <-e.walker.wake:
		}
		one := e.walker.begin()
		if one == nil {
			continue
		}
		began := time.Now()
		p := &pass{engine: e, walk: one, looked: e.look(), found: walked{live: map[owner]uint64{}}}
		err := p.run()
		p.found.ended, p.found.took = time.Now(), time.Since(began)
		e.walker.end(one, p.found, err)
	}
}

// pass is a walk in progress.
type pass struct {
	engine  *Engine
	walk    *walk
	looked  *look
	moved   map[datapath.Key]bool // services whose misplaced flows are announced, as of this batch
	found   walked
	visited int
}

func (p *pass) run() error {
	e := p.engine
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
			return p.translated(e.maps[TcxMapNatFlows], keys, flows, isTranslatedOver), nil
		}),
		visit(p, TcxMapNatHalfOpen, func(keys []natKey, flows []natFlow) (stale[natKey, natFlow], error) {
			return p.translated(e.maps[TcxMapNatHalfOpen], keys, flows, func(natKey, natFlow, uint32) bool { return false }), nil
		}),
	)
}

// visit walks a table in batches, and deletes what each returns. Between two batches of a
// long walk it pauses as long as one took, so that it uses at most half a processor, unless
// peers wait for flows that a change misplaced.
func visit[K any, V comparable](p *pass, table string, each func([]K, []V) (stale[K, V], error)) error {
	began, e := time.Now(), p.engine
	err := eachBatch(e.maps[table], func(keys []K, values []V) error {
		if e.isClosed() {
			return errClosed
		}
		p.visited += len(keys)
		p.moved = e.walker.announces(p.walk)
		if p.looked.swaps != e.swaps.Load() {
			p.looked = e.look()
		}
		over, err := each(keys, values)
		if err == nil {
			err = over.deleteUnchanged()
		}
		if err != nil || p.visited < quickMost {
			return err
		}
		e.walker.takesLong(p.found)
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
	e := p.engine
	over.table = e.maps[TcxMapConnections]
	ended := stale[flowKey, flowEntry]{}
	names, sweeps, now := e.namesNow()
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
		if err := e.keepAnnounced(p.looked, &some); err != nil {
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
	over.table = p.engine.maps[TcxMapHalfOpen]
	names, sweeps, now := p.engine.namesNow()
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
	over.table = p.engine.maps[TcxMapLearnt]
	names, sweeps, now := p.engine.namesNow()
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
	names, sweeps, now := p.engine.namesNow()
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
		p.engine.news.put(b.aged(key, flow.Seen, now))
	}
}

// namesNow returns the backends, and whether flows of all others may be deleted. It is
// called after a batch was read: then the names of every backend in it are known, unless
// that is gone. While a Set is in progress, or after it failed, nothing is gone for sure.
func (e *Engine) namesNow() (all *names, sweeps bool, now uint32) {
	all = e.names.Load()
	return all, e.placed.Load() == all, seenNow()
}

func (e *Engine) isClosed() bool {
	select {
	case <-e.done:
		return true
	default:
		return false
	}
}

// letGo deletes flows to removed or inactive backends, and of removed services. The
// programs ignore them already; this frees their room. It also announces the flows that a
// change of tables misplaced. It only waits for both if that is quick.
func (e *Engine) letGo(before, next *model, moved []*service) {
	e.placed.Store(e.names.Load())
	var one *walk
	if before.loses(next) {
		one = e.walker.request(false)
	}
	if len(moved) > 0 {
		among := make(map[datapath.Key]bool, len(moved))
		for _, s := range moved {
			among[s.Key] = true
		}
		one = e.walker.announce(among)
	}
	if one != nil {
		e.walker.await(one)
	}
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

// roomOfFlows is how many entries all tables of flows can have.
func (e *Engine) roomOfFlows() (room uint64) {
	for _, name := range copiedFlows {
		room += uint64(e.maps[name].MaxEntries())
	}
	return room
}
