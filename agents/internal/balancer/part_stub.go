//go:build !linux

package balancer

import (
	"net/netip"

	"fairlead.dev/agents/internal/balancer/datapath"
)

func newHandoffs() *handoffs {
	return &handoffs{
		removeFormer: func() error { return nil },
		open:         func(netip.Addr) (handoff, error) { return nil, datapath.ErrNoSessions },
	}
}
