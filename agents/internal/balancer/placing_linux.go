package balancer

import (
	"net/netip"

	"fairlead.dev/agents/internal/balancer/datapath"
	"fairlead.dev/agents/internal/balancer/datapath/bpf"
	"fairlead.dev/agents/internal/session/replica"
)

// checkPlacer returns why an engine can't place connections by session on this host.
func checkPlacer(engine datapath.Engine) error {
	if with, ok := engine.(*bpf.Engine); !ok || !with.PlacesBySession() {
		return datapath.ErrNoSessions
	}
	return replica.Preflight()
}

func openPlacer(engine datapath.Engine, listens []netip.AddrPort, wake func()) (placer, error) {
	with, ok := engine.(*bpf.Engine)
	if !ok {
		return nil, datapath.ErrNoSessions
	}
	opened, err := replica.Open(with, listens...)
	if err != nil {
		return nil, err // never a nil placer in a non-nil interface
	}
	opened.WhenIDsChange(wake)
	return opened, nil
}
