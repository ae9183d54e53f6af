package signals

import (
	"errors"
	"fmt"
	"io"

	"github.com/cilium/ebpf"
	"github.com/cilium/ebpf/link"

	"fairlead.dev/agents/internal/adaptive/program"
)

// Drift is what was counted of connections and flows that don't exist. Below 0: what wasn't.
type Drift struct {
	Open     int64
	InFlight int64
}

// Reconcile corrects the counts by the sockets that exist. Each gets the other epoch, and what the
// former one still has is of none. Packets are counted meanwhile.
func (s *Signals) Reconcile() (Drift, error) {
	drift, err := s.reconcile()
	if err != nil {
		return Drift{}, fmt.Errorf("reconcile the counts with the sockets: %w", err)
	}
	return drift, nil
}

func (s *Signals) reconcile() (drift Drift, err error) {
	if s.collection.Programs[program.SignalsProgRenewSignalConnections] == nil {
		return s.reconcileByNetlink()
	}
	var former uint32
	epoch := s.maps[program.SignalsMapSignalEpoch]
	if err := epoch.Lookup(uint32(0), &former); err != nil {
		return Drift{}, err
	}
	former &= 1
	if err := epoch.Put(uint32(0), former^1); err != nil {
		return Drift{}, err
	}
	for range 2 { // the second time for sockets that began with the former epoch during the first
		if err := s.renew(); err != nil {
			return Drift{}, err
		}
	}
	stale := map[originKey]Drift{}
	err = s.eachOrigin(func(key originKey, origin originEntry) {
		if lost := (Drift{origin.Open[former], origin.InFlight[former]}); lost != (Drift{}) {
			stale[key] = lost
		}
	})
	errs := []error{err}
	for key, lost := range stale {
		drift.Open += lost.Open
		drift.InFlight += lost.InFlight
		errs = append(errs, s.run(program.SignalsProgDiscardSignalEpoch, order{Of: key, Epoch: former}))
	}
	return drift, errors.Join(errs...)
}

// renew gives the connections and flows of all namespaces the current epoch.
func (s *Signals) renew() error {
	if err := s.run(program.SignalsProgRenewSignalFlows, order{}); err != nil {
		return err
	}
	return walk(s.collection.Programs[program.SignalsProgRenewSignalConnections], s.maps[program.SignalsMapSignalConnections])
}

func walk(each *ebpf.Program, m *ebpf.Map) (err error) {
	iterator, err := link.AttachIter(link.IterOptions{Program: each, Map: m})
	if err != nil {
		return fmt.Errorf("list connections: %w", err)
	}
	defer iterator.Close()
	reader, err := iterator.Open()
	if err != nil {
		return fmt.Errorf("list connections: %w", err)
	}
	defer func() { err = errors.Join(err, reader.Close()) }()
	if _, err := io.Copy(io.Discard, reader); err != nil {
		return fmt.Errorf("list connections: %w", err)
	}
	return nil
}
