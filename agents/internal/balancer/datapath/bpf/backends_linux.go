package bpf

import (
	"errors"

	"fairlead.dev/agents/internal/balancer/datapath/bpf/program"
)

// writeBackends is the only place that changes backends: the ways to them are also stored
// with their flows, and are outdated then.
func (e *Engine) writeBackends(slots []uint32, entries []program.BackendEntry) error {
	_, err := e.maps[program.TcxMapBackends].BatchUpdate(slots, entries, nil)
	return errors.Join(err, e.outdateWays()) // a failed update may have changed some
}

func (e *Engine) writeBackend(slot uint16, entry program.BackendEntry) error {
	return e.writeBackends([]uint32{uint32(slot)}, []program.BackendEntry{entry})
}

// outdateWays lets each flow read its backend again. No way is stored while the number is 0,
// so flows without a way have it.
func (e *Engine) outdateWays() error {
	var now program.Settings
	if err := e.maps[program.TcxMapSettingsMap].Lookup(uint32(0), &now); err != nil {
		return err
	}
	now.Ways = max(now.Ways+1, 1)
	return e.maps[program.TcxMapSettingsMap].Put(uint32(0), now)
}
