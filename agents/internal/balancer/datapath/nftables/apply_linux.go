package nftables

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"fairlead.dev/agents/internal/balancer/datapath"
)

// apply updates the tables in three steps: first it adds everything new, which no packet
// reaches yet; then one batch switches services over; then it deletes what is no longer
// reached. made reports whether anything changed.
func (e *Engine) apply(services []datapath.Service) (made bool, err error) {
	plans, err := e.plan(services)
	if err != nil {
		return false, err
	}
	if !e.known {
		if err := e.look(); err != nil {
			return false, err
		}
	}
	var commit, after []message
	for i, p := range plans {
		state := e.tables[i]
		add, switchOver, remove, err := p.steps(state)
		if err != nil {
			return false, err
		}
		if err := e.send(add); err != nil {
			return false, err
		}
		commit, after = append(commit, switchOver...), append(after, remove...)
		made = made || len(add)+len(switchOver)+len(remove) > 0
	}
	if err := e.socket.commit(commit); err != nil {
		return false, err
	}
	if err := e.retire(services); err != nil {
		return false, err
	}
	e.carried = services
	if err := e.forgetFlows(services); err != nil {
		return false, err
	}
	for i, p := range plans {
		e.tables[i] = p.state()
	}
	if err := e.send(after); err != nil {
		return false, fmt.Errorf("clean up: %w", err)
	}
	return made, e.remember()
}

// send uses as many batches as an unprivileged socket needs.
func (e *Engine) send(messages []message) error {
	for start := 0; start < len(messages); {
		end, size := start, 0
		for end < len(messages) && (end == start || size+len(messages[end].body) < batchBytes) {
			size += len(messages[end].body) + 32
			end++
		}
		if err := e.socket.commit(messages[start:end]); err != nil {
			return err
		}
		start = end
	}
	return nil
}

// plan returns the wanted content of both tables; a table without services shouldn't
// exist.
func (e *Engine) plan(services []datapath.Service) ([]*plan, error) {
	direct, nat := &plan{table: e.directTable}, &plan{table: e.natTable}
	planned := make(map[string]*servicePlan, len(services))
	for i := range services {
		service := &services[i]
		content := newNames(e.epoch, service, e.device).content
		part, err := e.planned[content], error(nil)
		p, of := direct, e.directService
		if service.Delivery == datapath.NAT {
			p, of = nat, e.natService
		}
		if part == nil {
			if part, err = of(p.table, service, e.device); err != nil {
				return nil, err
			}
		}
		planned[content] = part
		p.items = append(p.items, part.items...)
		if p.entries == nil {
			p.entries = map[string]map[string]string{}
		}
		for name, entries := range part.entries {
			if p.entries[name] == nil {
				p.entries[name] = map[string]string{}
			}
			maps.Copy(p.entries[name], entries)
		}
	}
	e.planned = planned
	for _, base := range []struct {
		plan *plan
		make func(table, string) ([]item, error)
	}{{direct, e.directBase}, {nat, e.natBase}} {
		if base.plan.entries == nil {
			continue
		}
		items, err := base.make(base.plan.table, e.options.Interface)
		if err != nil {
			return nil, err
		}
		base.plan.items = append(items, base.plan.items...)
	}
	return []*plan{direct, nat}, nil
}

// state returns the table's state after the plan is applied.
func (p *plan) state() *tableState {
	state := &tableState{table: p.table}
	if p.entries == nil {
		return state
	}
	state.live, state.sums, state.entries = map[identity]bool{}, map[string]uint64{}, p.entries
	for _, item := range p.items {
		state.live[item.identity()] = true
		if item.kind == isMap && !isFilledByPackets(item.name) {
			state.sums[item.name] = item.sum
		}
	}
	for name, entries := range p.entries {
		for key, chain := range entries {
			one := element{key: []byte(key), chain: chain}
			state.sums[name] += one.sum()
		}
	}
	return state
}

// steps returns the messages from the current state to the plan.
func (p *plan) steps(state *tableState) (add, commit, remove []message, err error) {
	t := p.table
	if p.entries == nil {
		if state.live == nil {
			return nil, nil, nil, nil
		}
		return nil, []message{t.remove()}, nil, nil
	}
	if state.live == nil {
		add = append(add, t.add())
	}
	wanted := make(map[identity]bool, len(p.items))
	for i := range p.items {
		one := &p.items[i]
		if wanted[one.identity()] || state.live[one.identity()] {
			wanted[one.identity()] = true
			continue
		}
		wanted[one.identity()] = true
		if one.base {
			commit = append(commit, one.add...)
		} else {
			add = append(add, one.add...)
		}
	}
	commit = append(commit, p.switches(state)...)
	gone := goneFrom(state.live, wanted)
	for _, id := range gone {
		if id.kind == isChain && isBase(id.name) {
			commit = append(commit, t.removeChain(id.name))
		}
	}
	return add, commit, removals(t, gone), nil
}

// switches returns the entries to change in the commit.
func (p *plan) switches(state *tableState) (messages []message) {
	for name, want := range p.entries {
		have := state.entries[name]
		var add, remove []element
		for key, chain := range want {
			if old, had := have[key]; !had || old != chain {
				add = append(add, element{key: []byte(key), chain: chain})
			}
		}
		for key, chain := range have {
			if is, still := want[key]; !still || is != chain {
				remove = append(remove, element{key: []byte(key), chain: chain})
			}
		}
		messages = append(append(messages, p.table.removeElements(name, remove)...), p.table.addElements(name, add)...)
	}
	for name, have := range state.entries {
		if p.entries[name] != nil || !p.holds(identity{isMap, name}) {
			continue
		}
		var remove []element
		for key, chain := range have {
			remove = append(remove, element{key: []byte(key), chain: chain})
		}
		messages = append(messages, p.table.removeElements(name, remove)...)
	}
	return messages
}

func (p *plan) holds(id identity) bool {
	return slices.ContainsFunc(p.items, func(i item) bool { return i.identity() == id })
}

func goneFrom(live, wanted map[identity]bool) (gone []identity) {
	for id := range live {
		if !wanted[id] {
			gone = append(gone, id)
		}
	}
	slices.SortFunc(gone, func(a, b identity) int { return strings.Compare(a.name, b.name) })
	return gone
}

// removals deletes references before their targets.
func removals(t table, gone []identity) (messages []message) {
	var sets, chains, counters []message
	for _, id := range gone {
		switch {
		case id.kind == isChain && !isBase(id.name):
			messages = append(messages, t.emptyChain(id.name))
			chains = append(chains, t.removeChain(id.name))
		case id.kind == isMap:
			if !isRows(id.name) {
				sets = append(sets, t.emptySet(id.name))
			}
			sets = append(sets, t.removeSet(id.name))
		case id.kind == isCounter:
			counters = append(counters, t.removeCounter(id.name))
		}
	}
	return slices.Concat(messages, sets, chains, counters)
}
