package balancer

import (
	"net/netip"

	"fairlead.dev/agents/internal/session/companion"
	opened "fairlead.dev/agents/internal/session/handoff"
)

func newHandoffs() *handoffs {
	return &handoffs{removeFormer: opened.RemoveFormer, open: func(listen netip.Addr) (handoff, error) {
		one, err := opened.Open(listen)
		if err != nil {
			return nil, err // never a nil one in a non-nil interface
		}
		return withCompanion{one}, nil
	}}
}

// withCompanion is a hand-off whose services are the companion's.
type withCompanion struct{ *opened.Handoff }

func (w withCompanion) Set(services []handedOff) error {
	all := make([]companion.Service, len(services))
	for i, s := range services {
		all[i] = companion.Service{Address: s.address, Backend: proxyBackend, Number: s.number, Keys: s.keys, Replicas: []netip.AddrPort{s.replica}, Lifetime: s.lifetime}
	}
	return w.Handoff.Set(all)
}
