package walk

import (
	"errors"
	"fmt"
	"time"

	"github.com/cilium/ebpf"

	"fairlead.dev/agents/internal/balancer/datapath"
	"fairlead.dev/agents/internal/balancer/datapath/bpf/agreement"
	"fairlead.dev/agents/internal/balancer/datapath/bpf/lifetime"
	"fairlead.dev/agents/internal/balancer/datapath/bpf/program"
)

const (
	// keepMost is how many flows are kept for peers in one step: their messages wait for it.
	keepMost = 1024

	pauseMost = 20 * time.Millisecond

	// giveWayMost is how long a walk rests for changes. Peers may wait for the flows that it announces.
	giveWayMost = time.Second
)

// Run walks when requested, until done is closed.
func (w *Walker) Run(done <-chan struct{}) {
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
		p := &pass{walker: w, done: done, walk: one, looked: w.exchange.Look(), found: Result{Live: map[Owner]uint64{}}}
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
	walker  *Walker
	done    <-chan struct{}
	walk    *Walk
	looked  *agreement.Look
	moved   map[datapath.Key]bool // services whose misplaced flows are announced, as of this batch
	found   Result
	visited int
	gaveWay time.Duration // so far
}

func (p *pass) run() error {
	maps := p.walker.maps
	if err := visit(p, program.TcxMapConnections, p.connections); err != nil {
		return err
	}
	if err := visit(p, program.TcxMapHalfOpen, p.halfOpen); err != nil {
		return err
	}
	if err := visit(p, program.TcxMapLearnt, p.learnt); err != nil {
		return err
	}
	return errors.Join(
		visit(p, program.TcxMapNatFlows, func(keys []program.NatKey, flows []program.NatFlow) (program.Stale[program.NatKey, program.NatFlow], error) {
			return p.translated(maps[program.TcxMapNatFlows], keys, flows, lifetime.IsTranslatedOver), nil
		}),
		visit(p, program.TcxMapNatHalfOpen, func(keys []program.NatKey, flows []program.NatFlow) (program.Stale[program.NatKey, program.NatFlow], error) {
			return p.translated(maps[program.TcxMapNatHalfOpen], keys, flows, func(program.NatKey, program.NatFlow, uint32) bool { return false }), nil
		}),
	)
}

// visit walks a table in batches, and deletes what each returns. Between two batches of a
// long walk it pauses as long as one took, so that it uses at most half a processor, unless
// peers wait for flows that a change misplaced.
func visit[K any, V comparable](p *pass, table string, each func([]K, []V) (program.Stale[K, V], error)) error {
	began, w := time.Now(), p.walker
	err := program.EachBatch(w.maps[table], func(keys []K, values []V) error {
		if p.isClosed() {
			return errClosed
		}
		p.visited += len(keys)
		p.moved = w.announces(p.walk)
		if p.looked.IsOutdated(w.published) {
			p.looked = w.exchange.Look()
		}
		over, err := each(keys, values)
		if err == nil {
			err = over.DeleteUnchanged()
		}
		if err != nil || p.visited < quickMost {
			return err
		}
		w.takesLong(p.found)
		if len(p.moved) == 0 {
			time.Sleep(min(time.Since(began), pauseMost))
		}
		p.giveWay()
		began = time.Now()
		return nil
	})
	if err != nil {
		return fmt.Errorf("walk %s: %w", table, err)
	}
	return nil
}

// giveWay rests while a change is applied. Its caller has called takesLong, so no change waits for the walk.
func (p *pass) giveWay() {
	for p.walker.applying.Load() > 0 && p.gaveWay < giveWayMost && !p.isClosed() {
		began := time.Now()
		time.Sleep(time.Millisecond)
		p.gaveWay += time.Since(began)
	}
}

// connections counts live ones, because entries disappear without an event.
func (p *pass) connections(keys []program.FlowKey, flows []program.FlowEntry) (over program.Stale[program.FlowKey, program.FlowEntry], err error) {
	over.Table = p.walker.maps[program.TcxMapConnections]
	ended := program.Stale[program.FlowKey, program.FlowEntry]{}
	names, sweeps, now := p.walker.published.NamesNow()
	for i, flow := range flows {
		key := keys[i]
		live := lifetime.IsLive(key, flow, now)
		if live {
			p.found.Live[Owner{flow.Slot, flow.Incarnation}]++
		}
		switch {
		case sweeps && names.Keeper(flow) == nil:
			over.Add(key, flow)
			continue
		case lifetime.IsOver(key, flow, now):
			ended.Add(key, flow)
		case live:
			p.misplaced(key, flow, now)
		}
		p.found.Connections++
	}
	for len(ended.Keys) > 0 {
		size := min(keepMost, len(ended.Keys))
		some := program.Stale[program.FlowKey, program.FlowEntry]{Keys: ended.Keys[:size], Read: ended.Read[:size]}
		if err := p.walker.exchange.KeepAnnounced(p.looked, some.Keys, some.Read); err != nil {
			return over, err
		}
		over.Keys, over.Read = append(over.Keys, some.Keys...), append(over.Read, some.Read...)
		ended.Keys, ended.Read = ended.Keys[size:], ended.Read[size:]
		p.found.Connections -= size
	}
	return over, nil
}

// halfOpen also finds misplaced ones: their next packet may reach another replica. First
// packets without a second one here are over: their clients gave up, or continued at
// another replica.
func (p *pass) halfOpen(keys []program.FlowKey, flows []program.FlowEntry) (over program.Stale[program.FlowKey, program.FlowEntry], err error) {
	over.Table = p.walker.maps[program.TcxMapHalfOpen]
	names, sweeps, now := p.walker.published.NamesNow()
	for i, flow := range flows {
		if lifetime.SilentFor(flow.Seen, now, lifetime.OverHalfOpen) || sweeps && names.Keeper(flow) == nil {
			over.Add(keys[i], flow)
		} else if flow.Flags&program.FlowHeld == 0 && program.AgeOf(flow.Seen, now) <= program.Ticks(halfOpenMost) {
			p.misplaced(keys[i], flow, now)
		}
	}
	return over, nil
}

// learnt flows are announced repeatedly by their owner, as long as they live. They are not
// misplaced flows of this replica: each replica announces its own.
func (p *pass) learnt(keys []program.FlowKey, flows []program.FlowEntry) (over program.Stale[program.FlowKey, program.FlowEntry], err error) {
	over.Table = p.walker.maps[program.TcxMapLearnt]
	names, sweeps, now := p.walker.published.NamesNow()
	for i, flow := range flows {
		if lifetime.SilentFor(flow.Seen, now, lifetime.LiveTCP) || sweeps && names.Keeper(flow) == nil {
			over.Add(keys[i], flow)
		} else {
			p.found.Learnt++
		}
	}
	return over, nil
}

func (p *pass) translated(table *ebpf.Map, keys []program.NatKey, flows []program.NatFlow, isOver func(program.NatKey, program.NatFlow, uint32) bool) (over program.Stale[program.NatKey, program.NatFlow]) {
	over.Table = table
	names, sweeps, now := p.walker.published.NamesNow()
	for i, flow := range flows {
		key := keys[i]
		key.Port = 0
		if isOver(keys[i], flow, now) || sweeps && !names.Translated[key] {
			over.Add(keys[i], flow)
		}
	}
	return over
}

// misplaced passes a flow on if another replica would place it elsewhere.
func (p *pass) misplaced(key program.FlowKey, flow program.FlowEntry, now uint32) {
	if !p.walk.flows && len(p.moved) == 0 {
		return
	}
	b, is := p.looked.Misplaced(key, flow)
	if !is {
		return
	}
	if p.walk.flows {
		p.walk.misplaced = append(p.walk.misplaced, b.Aged(key, flow.Seen, now))
	}
	if p.moved[b.Service] {
		p.walker.exchange.Announce(b.Aged(key, flow.Seen, now))
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
