package state

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/cilium/ebpf"

	"fairlead.dev/agents/internal/balancer/datapath/bpf/program"
)

// tables are inner maps that are ready to replace others.
type tables struct {
	slots []uint32
	fds   []uint32
	maps  []*ebpf.Map
	of    []*Service
	Moved []*Service // services whose flows may be misplaced now, or soon
	cares int        // how many differ only in the care of their rows, which is internal state
}

// tableSpec returns the layout of a service's table. It is read once: each reading takes a millisecond.
var tableSpec = sync.OnceValues(func() (*ebpf.MapSpec, error) {
	spec, err := program.LoadTcx()
	if err != nil {
		return nil, err
	}
	return spec.Maps[program.TcxMapTables].InnerMap, nil
})

// NewTables builds the tables that have to change. It keeps tables that are correct,
// also in a new process, which compares the rows. used are the kernel's ids of tables by slot.
func NewTables(ctx context.Context, before, next *Model, used map[uint32]uint32) (t *tables, err error) {
	t = &tables{}
	made := t // returning an error sets t to nil
	defer func() {
		if err != nil {
			made.Close()
		}
	}()
	inner, err := tableSpec()
	if err != nil {
		return nil, err
	}
	now, firstMost := time.Now(), comingFirstMost
	for _, s := range next.Services {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		members, id := s.membersOf(), used[s.Entry.Slot]
		if forgot := s.forgetFormers(now); s.members == members && s.Table == id && id != 0 && !forgot {
			continue
		}
		coming := s.coming(&firstMost)
		had, rows := ReadTable(id), s.build(coming)
		if had != nil && isVacant(had) && *had != *rows {
			had = nil // no flow was ever placed by it
		}
		if had != nil && !sameSettled(had, rows) {
			s.rememberFormer(had, now)
			s.markCare(rows, coming)
		}
		s.members = members
		if had != nil && *had == *rows {
			s.Table = id
			continue
		}
		if had == nil || !sameSettled(had, rows) || s.underWay() || before.ByKey[s.Key].underWay() {
			t.Moved = append(t.Moved, s)
		}
		if had != nil && had.Row == rows.Row {
			t.cares++
		}
		if err := t.add(inner, s, rows); err != nil {
			return nil, fmt.Errorf("service %s: create its table: %w", s.Key, err)
		}
	}
	return t, nil
}

func (t *tables) add(spec *ebpf.MapSpec, s *Service, rows *program.Table) error {
	m, err := ebpf.NewMap(spec)
	if err != nil {
		return err
	}
	t.slots, t.maps, t.of = append(t.slots, s.Entry.Slot), append(t.maps, m), append(t.of, s)
	t.fds = append(t.fds, uint32(m.FD()))
	if err := m.Put(uint32(0), rows); err != nil {
		return err
	}
	// A frozen table can't be changed manually; checking its identity is enough.
	if err := m.Freeze(); err != nil {
		return err
	}
	info, err := m.Info()
	if err != nil {
		return err
	}
	id, ok := info.ID()
	if !ok {
		return errors.New("the kernel gives maps no ids: it is older than Linux 4.13")
	}
	s.Table = uint32(id)
	return nil
}

// Swap installs the tables: each in one step, with a single wait for packets that still
// read old ones.
func (t *tables) Swap(outer *ebpf.Map) (changes int, err error) {
	if len(t.slots) == 0 {
		return 0, nil
	}
	if _, err := outer.BatchUpdate(t.slots, t.fds, nil); err != nil {
		for _, s := range t.of {
			s.Table = 0 // unknown: the next Set reads it
		}
		return 0, fmt.Errorf("replace %d tables: %w", len(t.slots), err)
	}
	return len(t.slots) - t.cares, nil
}

// Close closes the tables. Those that were installed stay.
func (t *tables) Close() {
	for _, m := range t.maps {
		_ = m.Close()
	}
}

// TableAt returns the table in use at a service's slot; nil when there is none.
func TableAt(maps map[string]*ebpf.Map, slot uint32) *program.Table {
	var id uint32
	if err := maps[program.TcxMapTables].Lookup(slot, &id); err != nil {
		return nil
	}
	return ReadTable(id)
}

// ReadTable returns nil when there is none.
func ReadTable(id uint32) *program.Table {
	if id == 0 {
		return nil
	}
	m, err := ebpf.NewMapFromID(ebpf.MapID(id))
	if err != nil {
		return nil
	}
	defer m.Close()
	rows := new(program.Table)
	if err := m.Lookup(uint32(0), rows); err != nil {
		return nil
	}
	return rows
}

// isVacant reports that no row has a backend.
func isVacant(t *program.Table) bool {
	for i := range t.Row {
		if t.Row[i].Settled != program.NoBackend || t.Row[i].Fresh != program.NoBackend {
			return false
		}
	}
	return true
}

func sameSettled(a, b *program.Table) bool {
	for i := range a.Row {
		if a.Row[i].Settled != b.Row[i].Settled {
			return false
		}
	}
	return true
}
