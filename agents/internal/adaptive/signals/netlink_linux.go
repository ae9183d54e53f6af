package signals

import (
	"encoding/binary"
	"errors"
	"fmt"
	"time"

	"fairlead.dev/agents/internal/adaptive/diag"
	"fairlead.dev/agents/internal/adaptive/program"
	bpf "fairlead.dev/agents/internal/balancer/datapath/bpf/program"
)

// reconcileByNetlink is for kernels that refuse the program which gives connections the current epoch: the epoch stays, and
// connections are counted.
func (s *Signals) reconcileByNetlink() (all Drift, err error) {
	if err := s.run(program.SignalsProgRenewSignalFlows, order{}); err != nil { // expires requests
		return Drift{}, err
	}
	before, err := s.allOrigins()
	if err != nil {
		return Drift{}, err
	}
	exist, err := s.existing()
	if err != nil {
		return Drift{}, err
	}
	after, err := s.allOrigins()
	if err != nil {
		return Drift{}, err
	}
	for key := range exist {
		after[key] = after[key] // also if nothing was counted
	}
	var errs []error
	for key, now := range after {
		drift := driftOf(before[key], now, exist[key])
		if drift == (Drift{}) {
			continue
		}
		all.Open += drift.Open
		all.InFlight += drift.InFlight
		errs = append(errs, s.run(program.SignalsProgCorrectSignalOrigin, correction{Of: key, Open: int32(-drift.Open), InFlight: int32(-drift.InFlight)}))
	}
	return all, errors.Join(errs...)
}

func (s *Signals) allOrigins() (map[originKey]originEntry, error) {
	all := map[originKey]originEntry{}
	err := s.eachOrigin(func(key originKey, origin originEntry) { all[key] = origin })
	return all, err
}

// existing returns the connections and requests that exist, by origin. Those of former services are left out.
func (s *Signals) existing() (map[originKey]Drift, error) {
	counted := map[uint32]uint32{}
	for _, service := range s.services {
		counted[uint32(service.Number)] = incarnationOf(service)
	}
	exist := map[originKey]Drift{}
	add := func(of originKey, open, inFlight int64) {
		if incarnation, ok := counted[of.Service]; ok && incarnation == of.Incarnation {
			exist[of] = Drift{exist[of].Open + open, exist[of].InFlight + inFlight}
		}
	}
	oldest := bpf.Monotonic() - uint64(program.SignalsSignalLimitsSIGNAL_PATIENCE)*uint64(time.Second)
	var invalid error
	err := diag.Each(s.maps[program.SignalsMapSignalConnections], func(socket diag.Socket) {
		var c program.SignalsSignalConnection
		if _, err := binary.Decode(socket.Value, binary.NativeEndian, &c); err != nil {
			invalid = fmt.Errorf("list connections: %w", err)
			return
		}
		state := program.SignalsSignalState(c.State)
		if state&program.SignalsSignalStateSIGNAL_OPEN == 0 {
			return
		}
		inFlight := int64(0)
		if state&program.SignalsSignalStateSIGNAL_IN_FLIGHT != 0 && int64(c.Began-oldest) > 0 {
			inFlight = 1
		}
		add(c.Owner.Of, 1, inFlight)
	})
	if err := errors.Join(err, invalid); err != nil {
		return nil, err
	}
	err = bpf.InBatches(s.maps[program.SignalsMapSignalFlows], func(_ bpf.FlowKey, flow program.SignalsSignalFlow) {
		add(flow.Of, 0, int64(flow.State&waitingMask))
	})
	return exist, err
}

// waitingMask selects the requests in flight from a flow's state: WAITING_BITS in signals_udp.h.
const waitingMask = 1<<16 - 1

// driftOf returns what was counted too much. Connections that began or ended while they were listed may or may not be
// among them, so only what these don't explain is drift.
func driftOf(before, after originEntry, exist Drift) Drift {
	one := func(open, openAfter, began int64, exist int64) int64 {
		ended := began - (openAfter - open)
		switch {
		case exist > open+began:
			return open + began - exist
		case exist < open-ended:
			return open - ended - exist
		}
		return 0
	}
	return Drift{
		Open:     one(sum(before.Open), sum(after.Open), int64(after.Opened-before.Opened), exist.Open),
		InFlight: one(sum(before.InFlight), sum(after.InFlight), int64(after.Arrived-before.Arrived), exist.InFlight),
	}
}

func sum(epochs [2]int64) int64 { return epochs[0] + epochs[1] }
