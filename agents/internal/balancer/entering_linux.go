package balancer

import (
	"fairlead.dev/agents/internal/adaptive/entry"
	"fairlead.dev/agents/internal/balancer/datapath"
	"fairlead.dev/agents/internal/balancer/datapath/bpf"
)

func openEntry(engine datapath.Engine, pins, replica string) (byCost, error) {
	with, ok := engine.(*bpf.Engine)
	if !ok {
		return nil, datapath.ErrNoCosts
	}
	opened, err := entry.Open(with, entry.Options{PinFolder: pins, Replica: replica})
	if err != nil {
		return nil, err // never a nil one in a non-nil interface
	}
	return opened, nil
}

func clearEntered(pins, replica string) error {
	return entry.Clear(entry.Options{PinFolder: pins, Replica: replica})
}
